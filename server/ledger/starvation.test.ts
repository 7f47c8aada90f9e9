import { rm } from 'node:fs/promises'
import type { LocalAccount } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { usdcAbi } from '../../devnet/abi'
import { embeddedFolder } from '../../test/embedded'
import { frontRun } from '../../test/front-run'
import { type Harness, type SignedPayment, signed, startHarness, until, v2Body } from '../../test/harness'
import { casesOf } from '../../test/long-run'
import { type Merchant, newMerchant } from '../../test/surface'

/** An authorization that never expires. */
const FOREVER = 2n ** 256n - 1n
/** What a transfer that fails inside a batch may burn. */
const GAS_OF_FAILED_MEMBER = 60_000n
const LEFT =
  /^The payer's money left before the block: transaction 0x[0-9a-f]{64} was mined without this payment\. The same signed payment may be sent again\.$/

describe.each(casesOf(['PostgreSQL'], ['the embedded database']))('on %s', (database) => {
  let harness: Harness
  let folder: string | null = null
  beforeAll(async () => {
    folder = database === 'PostgreSQL' ? null : await embeddedFolder()
    const embedded = folder === null ? {} : { DATABASE_URL: '', DATA_DIR: folder, ALLOW_EMBEDDED_MAINNET: '1' }
    harness = await startHarness({
      production: true,
      base: true,
      blockTimeSeconds: 1,
      // A busy machine needs longer than the usual deadline for 180 payments at once.
      env: { FINALITY_DEPTH: '3', KYT: 'off', SETTLE_DEADLINE_MS: '60000', ...embedded },
    })
  })
  afterAll(async () => {
    await harness.close()
    if (folder) await rm(folder, { recursive: true, force: true })
  })

  const pause = () => harness.chain.client.setIntervalMining({ interval: 0 })
  const goOn = () => harness.chain.client.setIntervalMining({ interval: 1 })
  const settle = async ({ v1 }: Merchant, payment: SignedPayment, body = v2Body(payment), headers = {}) => {
    const { status, body: said, headers: told } = await v1.settle(body, { headers })
    return {
      status,
      replayed: told.get('idempotent-replayed'),
      left: told.get('x-settlement-remaining'),
      ...(said as { success?: boolean; errorReason?: string; errorMessage?: string; transaction?: string; error?: string }),
    }
  }
  const stateCount = (tenantId: string, state: string) => harness.app.db.settlement.count({ where: { tenantId, state } })
  const busy = (plan: 'scale' | 'growth' = 'scale') => newMerchant(harness.app, { plan, rps: 10_000 })

  /** Takes all money out of an account, in the next block ahead of everything else. */
  async function drain(account: LocalAccount): Promise<void> {
    await harness.chain.fund(account.address, 10n ** 18n)
    const value = await harness.chain.tokens(account.address)
    await harness.chain.client.writeContract({
      ...{ account, chain: harness.chain.client.chain, address: harness.chain.usdc, abi: usdcAbi, functionName: 'transfer' },
      args: ['0x00000000000000000000000000000000000000aa', value],
      ...{ nonce: 0, gas: 100_000n, maxPriorityFeePerGas: 10n ** 11n, maxFeePerGas: 10n ** 12n },
    })
  }

  /** Settles these, and once all are on the wire, drains their payers before the block. */
  async function settleAndDrain(merchant: Merchant, payments: SignedPayment[], payers: LocalAccount[], headers = {}) {
    await pause()
    const before = await stateCount(merchant.tenantId, 'BROADCAST')
    const answers = payments.map((payment) => settle(merchant, payment, v2Body(payment), headers))
    await until(
      async () => (await stateCount(merchant.tenantId, 'BROADCAST')) === before + payments.length,
      'all to be on the wire',
      60_000,
    )
    for (const payer of payers) await drain(payer)
    await goOn()
    return answers
  }

  test('a payment whose payer spent the money before the block fails within the deadline, and the same one settles once when the money is back', async () => {
    const merchant = await busy()
    const payer = await harness.payer(1_000n)
    const others = await Promise.all([harness.payer(), harness.payer(), harness.payer()])
    const payment = await signed(payer, { validBefore: FOREVER })
    const payments = [...(await Promise.all(others.map((one) => signed(one)))), payment]
    const answers = await Promise.all(await settleAndDrain(merchant, payments, [payer]))
    const failed = answers.pop()
    expect(answers.map(({ success }) => success)).toEqual([true, true, true])
    expect(failed).toMatchObject({
      ...{ status: 200, success: false, errorReason: 'invalid_exact_evm_insufficient_balance' },
      errorMessage: expect.stringMatching(LEFT),
    })
    expect(failed?.errorMessage).toContain(failed?.transaction)

    const { body } = await merchant.v1.settlements(String(failed?.transaction))
    const found = (body as { settlements: { payer: string; state: string; message: string }[] }).settlements
    expect(found.find((one) => one.payer === payer.address)).toMatchObject({ state: 'failed', message: failed?.errorMessage })
    expect(await harness.app.db.history.findMany({ where: { payer: payer.address.toLowerCase() } })).toMatchObject([
      { success: false, errorReason: 'insufficient_funds', txHash: failed?.transaction },
    ])

    await harness.chain.mint(payer.address, 1_000n)
    const again = await settle(merchant, payment)
    expect(again).toMatchObject({ success: true })
    expect(await settle(merchant, payment)).toMatchObject({ status: 409 })
    expect(await harness.chain.tokens(payer.address)).toBe(0n)
  })

  test('under an Idempotency-Key such a failure is replayed and says that a new key sends the payment again', async () => {
    const merchant = await busy()
    const payer = await harness.payer(1_000n)
    const payment = await signed(payer, { validBefore: FOREVER })
    const under = (key: string) => ({ 'idempotency-key': `${key} of ${payer.address}`.replaceAll(' ', '-') })
    const [failed] = await Promise.all(await settleAndDrain(merchant, [payment], [payer], under('first')))
    expect(failed).toMatchObject({
      ...{ status: 200, success: false, errorReason: 'invalid_exact_evm_transaction_failed' },
      errorMessage: expect.stringMatching(/may be sent again, with a new Idempotency-Key\.$/),
    })
    await harness.chain.mint(payer.address, 1_000n)
    const [again, anew] = [await settle(merchant, payment, v2Body(payment), under('first')), under('second')]
    expect(again).toEqual({ ...failed, replayed: 'true' })
    expect(again.left).toBe(failed?.left)
    expect(await settle(merchant, payment, v2Body(payment), anew)).toMatchObject({ success: true })
    expect(await harness.chain.tokens(payer.address)).toBe(0n)
  })

  test('payers that withdraw their money block no one: they fail and are paused, others are served, on every network', async () => {
    const victim = await busy()
    const attackers = await Promise.all([harness.payer(60_000n), harness.payer(60_000n), harness.payer(60_000n)])
    const payments = await Promise.all(
      attackers.flatMap((attacker) => Array.from({ length: 60 }, () => signed(attacker, { validBefore: FOREVER }))),
    )
    const attack = await settleAndDrain(victim, payments, attackers)
    // While the attack is in the air: a customer of the same merchant, on the same network and on another one.
    const customer = await harness.payer()
    const onBase = await harness.base().mint(customer.address, 5_000n)
    expect(onBase).toBeUndefined()
    const base = {
      network: 'eip155:8453',
      asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
      extra: { name: 'USD Coin', version: '2' },
    }
    const [here, there] = await Promise.all([
      settle(victim, await signed(customer)),
      settle(victim, ...(await paidOnBase(customer, base))),
    ])
    expect([here, there]).toMatchObject([{ success: true }, { success: true }])
    expect(await harness.app.db.payerFailure.count({ where: { tenantId: victim.tenantId } })).toBe(0)

    const ended = await Promise.all(attack)
    expect(new Set(ended.map(({ status, success, errorReason }) => `${status} ${success} ${errorReason}`))).toEqual(
      new Set(['200 false invalid_exact_evm_insufficient_balance']),
    )
    expect(ended.every(({ errorMessage }) => LEFT.test(String(errorMessage)))).toBe(true)
    expect(await stateCount(victim.tenantId, 'UNPAID')).toBe(180)
    expect(
      await harness.app.db.settlement.count({
        where: { tenantId: victim.tenantId, state: { in: ['CLAIMED', 'PREPARED', 'BROADCAST'] } },
      }),
    ).toBe(0)

    // The attackers are paused here; new payers of this merchant go alone and are served; known ones and other merchants are untouched.
    for (const attacker of attackers) await harness.chain.mint(attacker.address, 10_000n)
    const [attacker] = attackers
    if (!attacker) throw new Error('there is an attacker')
    expect(await settle(victim, await signed(attacker))).toMatchObject({
      status: 429,
      error: expect.stringContaining('three payments of this payer failed'),
    })
    const newcomer = await harness.payer()
    expect(await settle(victim, await signed(newcomer))).toMatchObject({ success: true })
    expect(await settle(victim, await signed(customer))).toMatchObject({ success: true })
    const slots = await harness.app.db.slot.findMany({
      where: { members: { some: { settlement: { payer: newcomer.address.toLowerCase() } } } },
      include: { members: true },
    })
    expect(slots.map(({ members }) => members.length)).toEqual([1])
    expect(await settle(await busy(), await signed(await harness.payer()))).toMatchObject({ success: true })

    // What the attack cost us: no more than its members may burn.
    const attempts = await harness.app.db.attempt.findMany({
      where: { slot: { members: { some: { settlement: { tenantId: victim.tenantId, state: 'UNPAID' } } } } },
    })
    const gas = attempts.reduce((sum, { gasUsed }) => sum + (gasUsed ?? 0n), 0n)
    expect(gas).toBeLessThan(GAS_OF_FAILED_MEMBER * 180n)
    expect(gas).toBeGreaterThan(0n)
  })

  async function paidOnBase(
    payer: LocalAccount,
    asked: Record<string, unknown>,
  ): Promise<[SignedPayment, Record<string, unknown>]> {
    const payment = await signed(payer, {}, 8453)
    return [payment, v2Body(payment, { requirements: asked, accepted: asked })]
  }

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

  test('a stranger that submits a payer’s authorizations first pauses it nowhere: nine thefts at three merchants, then it pays a fourth', async () => {
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

  test('an authorization that another sender used names the transaction, and whether it made this payment', async () => {
    const merchant = await busy()
    const payer = await harness.payer()
    const payment = await signed(payer)
    await pause()
    const answer = settle(merchant, payment)
    await until(async () => (await stateCount(merchant.tenantId, 'BROADCAST')) === 1, 'it to be on the wire')
    const other = await frontRun(harness.chain, payment)
    await goOn()
    expect(await answer).toMatchObject({
      errorReason: 'authorization_used_elsewhere',
      errorMessage: `The authorization was used by transaction ${other}, which was not sent for this request. It paid this payTo this amount.`,
    })
  })
})
