import { expect, test } from 'vitest'
import { frontRun } from '../../test/support/chain/front-run'
import { newFailure } from '../../test/support/database/ledger'
import { fixture } from '../../test/support/fixture'
import { signed, v2Body } from '../../test/support/payloads/payments'
import { createDraining } from '../../test/support/service/draining'
import { startHarness } from '../../test/support/service/harness'
import { newMerchant } from '../../test/support/service/surface'
import { until } from '../../test/support/until'

const harness = fixture(() =>
  startHarness({
    production: true,
    blockTimeSeconds: 1,
    env: { FINALITY_DEPTH: '3', KYT: 'off', SETTLE_DEADLINE_MS: '60000' },
  }),
)

/** An authorization that never expires. */
const FOREVER = 2n ** 256n - 1n

const { pause, goOn, busy, settle, drain, settleAndDrain } = createDraining(() => harness)

test('under an Idempotency-Key such a failure is replayed and says that a new key sends the payment again', async () => {
  const merchant = await busy()
  const payer = await harness.payer(1_000n)
  const payment = await signed(payer, { validBefore: FOREVER })
  const under = (key: string) => ({ 'idempotency-key': `${key} of ${payer.address}`.replaceAll(' ', '-') })
  const [failed] = await Promise.all(await settleAndDrain(merchant, [payment], [payer], under('first')))
  expect(failed).toMatchObject({
    status: 200,
    success: false,
    errorReason: 'invalid_exact_evm_transaction_failed',
    errorMessage: expect.stringMatching(/may be sent again, with a new Idempotency-Key\.$/),
  })
  await harness.chain.mint(payer.address, 1_000n)
  const [again, anew] = [await settle(merchant, payment, v2Body(payment), under('first')), under('second')]
  expect(again).toEqual({ ...failed, replayed: 'true' })
  expect(again.left).toBe(failed?.left)
  expect(await settle(merchant, payment, v2Body(payment), anew)).toMatchObject({ success: true })
  expect(await harness.chain.tokens(payer.address)).toBe(0n)
})

test('payments that fail on the chain cost the merchant no unit, and its unknown payers are slowed', async () => {
  const merchant = await newMerchant(harness.app, { rps: 10_000, settlementQuota: 20 })
  const payers = await Promise.all(Array.from({ length: 4 }, () => harness.payer(3_000n)))
  const payments = await Promise.all(payers.flatMap((payer) => [0, 1, 2].map(() => signed(payer))))
  const failed = await Promise.all(await settleAndDrain(merchant, payments, payers))
  expect(new Set(failed.map(({ success }) => success))).toEqual(new Set([false]))
  // Each was taken with its claim and came back with its failure.
  expect(await harness.app.db.usage.findMany({ where: { subject: merchant.subject, meter: 'settlement' } })).toMatchObject([
    { used: 0, returned: 0 },
  ])
  expect(failed.map(({ left }) => Number(left)).toSorted((a, b) => b - a)[0]).toBe(20)
  const newcomers = await Promise.all(Array.from({ length: 8 }, () => harness.payer()))
  const late = await Promise.all(newcomers.map(async (payer) => settle(merchant, await signed(payer))))
  const slowed = late.filter(({ error }) => error?.startsWith('too many payments could not be paid today'))
  expect(slowed.length).toBeGreaterThan(0)
  const { length: paid } = late.filter(({ success }) => success)
  expect(await harness.app.db.usage.findMany({ where: { subject: merchant.subject, meter: 'settlement' } })).toMatchObject([
    { used: paid },
  ])
})

test('a payment that ends before its failure is certain fails for want of money, and its payer is paused after three', async () => {
  const merchant = await busy()
  const payer = await harness.payer(10_000n)
  const latest = await harness.chain.client.getBlock()
  const payments = await Promise.all([0, 1, 2].map(() => signed(payer, { validBefore: latest.timestamp + 12n })))
  const answers = await settleAndDrain(merchant, payments, [payer])
  await harness.chain.client.increaseTime({ seconds: 13 })
  const said = await Promise.all(answers)
  expect(new Set(said.map(({ status, errorReason }) => `${status} ${errorReason}`))).toEqual(
    new Set(['200 invalid_exact_evm_insufficient_balance']),
  )
  for (const { errorMessage } of said) {
    expect(errorMessage).toMatch(
      /^The payer's money left before the block: transaction 0x[0-9a-f]{64} was mined without this payment\.$/,
    )
  }
  await harness.chain.mint(payer.address, 10_000n)
  const now = await harness.chain.client.getBlock()
  const fourth = await signed(payer, { validBefore: now.timestamp + 60n })
  expect(await settle(merchant, fourth)).toMatchObject({ status: 429, error: expect.stringContaining('three payments') })
})

test("a stranger that submits a payer's authorizations first pauses it nowhere: nine thefts at three merchants, then it pays a fourth", async () => {
  const merchants = [await busy(), await busy(), await busy()] as const
  const payer = await harness.payer(100_000n)
  const payments = await Promise.all(Array.from({ length: 9 }, () => signed(payer)))
  await pause()
  const answers = payments.map((payment, at) => settle(merchants[at % 3] ?? merchants[0], payment))
  const sent = { payer: payer.address.toLowerCase(), state: 'BROADCAST' }
  await until(async () => (await harness.app.db.settlement.count({ where: sent })) === 9, 'all to be on the wire', 60_000)
  for (const payment of payments) await frontRun(harness.chain, payment)
  await goOn()
  const said = await Promise.all(answers)
  expect(new Set(said.map(({ errorReason }) => errorReason))).toEqual(new Set(['authorization_used_elsewhere']))
  expect(await harness.app.db.payerFailure.count({ where: { payer: payer.address.toLowerCase() } })).toBe(0)
  expect(await settle(await busy(), await signed(payer))).toMatchObject({ success: true })
  for (const merchant of merchants) expect(await settle(merchant, await signed(payer))).toMatchObject({ success: true })
})

test('three attackers that hold the places of a guarded merchant refuse none of its honest new payers', async () => {
  const merchant = await busy()
  const { subject } = merchant
  for (let at = 0; at < 10; at++) await newFailure(harness.app.db, { payer: `fails ${at}`, party: subject })
  let isOver = false
  const attack = async () => {
    const ends: unknown[] = []
    while (!isOver) {
      const payer = await harness.payer(1_000n)
      const answer = settle(merchant, await signed(payer))
      const sent = () =>
        harness.app.db.settlement.count({ where: { payer: payer.address.toLowerCase(), state: { not: 'CLAIMED' } } })
      const isSent = until(async () => isOver || (await sent()) === 1, 'the attack to be sent', 60_000)
      await isSent
      if (!isOver) await drain(payer)
      ends.push((await answer).errorReason)
    }
    return ends
  }
  const attacks = [attack(), attack(), attack()]
  const newcomers = () => harness.app.db.settlement.count({ where: { party: subject, newcomer: true } })
  await until(async () => (await newcomers()) >= 3, 'the places to be taken', 60_000)
  const answers = []
  for (let at = 0; at < 10; at++) answers.push(await settle(merchant, await signed(await harness.payer())))
  isOver = true
  const failed = (await Promise.all(attacks)).flat()
  expect(answers.map(({ status, success }) => [status, success])).toEqual(answers.map(() => [200, true]))
  expect(failed.filter((reason) => reason === 'invalid_exact_evm_transaction_failed').length).toBeGreaterThan(3)
})
