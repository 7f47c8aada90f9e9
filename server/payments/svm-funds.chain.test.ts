import type { Instruction } from '@solana/kit'
import { describe, expect, test } from 'vitest'
import { fixture } from '../../test/support/fixture'
import { type Answer, post } from '../../test/support/service/client'
import { PROGRAMS, someAddress, svmTokenAccount, transferChecked } from '../../test/support/svm/forge'
import { ask, SOL, startSvmHarness } from '../../test/support/svm/harness'
import { until } from '../../test/support/until'

const harness = fixture(() => startSvmHarness({ env: { SETTLE_DEADLINE_MS: '20000' } }))

const FEE = 10_001n
const REASON = 'invalid_exact_svm_transaction_simulation_failed'
const lamports = () => harness.solana.balance(harness.feePayers[0]?.address ?? '')
const settleAll = (bodies: Record<string, unknown>[]) => Promise.all(bodies.map((body) => post(harness.app, 'settle', body)))
/** As a merchant: asks again while a node did not answer, in which case nothing was sent. */
async function settled(body: Record<string, unknown>): Promise<Answer> {
  const answer = await post(harness.app, 'settle', body)
  return answer.status === 502 ? settled(body) : answer
}
const succeeded = ({ body }: Answer) => body.success === true
const sends = () => harness.node.seen.filter((method) => method === 'sendTransaction').length

describe('a payment that the chain would reject gets a readable reason, and costs nothing', () => {
  const cases = [
    {
      what: 'a recipient without a token account',
      purchase: () => harness.purchase({ payTo: someAddress() }),
      says: /payTo has no USDC account/,
      recorded: REASON,
    },
    {
      what: 'a payer without a token account',
      purchase: () => harness.purchase({ balance: 0n }),
      says: /no USDC account/,
      recorded: 'insufficient_funds',
    },
    {
      what: 'a payer with too little',
      purchase: () => harness.purchase({ balance: 999n }),
      says: /balance/,
      recorded: 'insufficient_funds',
    },
    {
      what: 'an unknown blockhash',
      purchase: () => harness.purchase({ blockhash: someAddress() }),
      says: /blockhash/,
      recorded: REASON,
    },
    {
      what: 'a blockhash of all zeros',
      purchase: () => harness.purchase({ blockhash: PROGRAMS.system }),
      says: /blockhash/,
      recorded: REASON,
    },
    {
      what: 'a blockhash with few blocks of life left',
      async purchase() {
        const old = await harness.purchase()
        await harness.solana.advance(140)
        return old
      },
      says: /blockhash expires in \d+ blocks/,
      recorded: REASON,
    },
    {
      what: 'a blockhash that is too old',
      async purchase() {
        const old = await harness.purchase()
        await harness.solana.advance(160)
        return old
      },
      says: /blockhash/,
      recorded: REASON,
    },
  ]

  test.each(cases)('$what', async ({ purchase, says, recorded }) => {
    const { body, v1Body, payTo, payer } = await purchase()
    const before = [await lamports(), sends()]
    const failed = { errorReason: REASON, errorMessage: expect.stringMatching(says), transaction: '', payer: payer.address }
    // A blockhash counts as new while a busy node does not say how old it is.
    await expect
      .poll(async () => (await post(harness.app, 'verify', body)).body, { timeout: 20_000 })
      .toMatchObject({ isValid: false, invalidReason: REASON, invalidMessage: expect.stringMatching(says) })
    expect((await post(harness.app, 'settle', body)).body).toMatchObject({ success: false, ...failed })
    expect((await post(harness.app, 'verify', v1Body)).body).toMatchObject({ invalidReason: 'transaction_simulation_failed' })
    expect([await lamports(), sends()]).toEqual(before)
    expect(await harness.app.db.settlement.count({ where: { payTo } })).toBe(0)
    const rows = await harness.app.db.history.findMany({
      where: { payTo },
      select: { success: true, errorReason: true, payer: true },
    })
    expect(rows).toEqual([{ success: false, errorReason: recorded, payer: payer.address }])
  })
})

test('a source that is a whole program costs few bytes of reading, at verify and at settle', async () => {
  const payer = await harness.payer()
  const payTo = await harness.recipient()
  const { mint } = harness.solana
  const [source, destination] = [PROGRAMS.associatedToken, await svmTokenAccount(payTo, mint)]
  const transfer = transferChecked({ source, mint, destination, authority: payer.address, amount: 1_000n })
  const instructions = (usual: Instruction[]) => usual.map((each, at) => (at === 2 ? transfer : each))
  const { body } = await harness.purchase({ payer, payTo, instructions })
  harness.node.traffic.length = 0
  expect((await post(harness.app, 'verify', body)).body).toMatchObject({ isValid: false, invalidReason: REASON })
  expect((await post(harness.app, 'settle', body)).body).toMatchObject({ success: false, errorReason: REASON })
  expect(harness.node.seen).toContain('getMultipleAccounts')
  expect(Math.max(...harness.node.traffic.map(({ bytes }) => bytes))).toBeLessThan(16_384)
})

describe('payments of one payer at once', () => {
  test('all succeed when the money is enough, to the last unit', async () => {
    const payer = await harness.payer(10_000n)
    const payTo = await harness.recipient()
    const purchases = []
    for (let at = 0; at < 10; at++) purchases.push((await harness.purchase({ payer, payTo })).body)
    const answers = await settleAll(purchases)
    expect(answers.map(({ body }) => body.success)).toEqual(Array.from({ length: 10 }, () => true))
    expect([await harness.solana.tokens(payTo), await harness.solana.tokens(payer.address)]).toEqual([10_000n, 0n])
  })

  test('are ten at most: what becomes of those is known before the next ones are signed', async () => {
    const payer = await harness.payer(11_000n)
    const payTo = await harness.recipient()
    const purchases = []
    for (let at = 0; at < 11; at++) purchases.push((await harness.purchase({ payer, payTo })).body)
    await harness.solana.freeze()
    const settling = settleAll(purchases.slice(0, 10))
    await until(async () => (await harness.app.db.settlement.count({ where: { payTo } })) === 10, 'ten claims')
    const eleventh = await post(harness.app, 'settle', purchases[10])
    expect(eleventh).toMatchObject({ status: 429, body: { errorReason: 'payer_queue_full' } })
    await harness.solana.resume()
    expect((await settling).every(succeeded)).toBe(true)
  })

  test('from a wallet that can pay for one are one success, and cost us one fee', async () => {
    const payer = await harness.payer(1_500n)
    const payTo = await harness.recipient()
    const purchases = []
    for (let at = 0; at < 8; at++) purchases.push((await harness.purchase({ payer, payTo })).body)
    const before = await lamports()
    const answers = await settleAll(purchases)
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
    expect(answers.filter(succeeded)).toHaveLength(1)
    for (const { body } of answers.filter((one) => !succeeded(one)))
      expect(body).toMatchObject({ errorReason: REASON, transaction: '' })
    expect([before - (await lamports()), await harness.solana.tokens(payTo)]).toEqual([FEE, 1_000n])
  })
})

describe('a payer that moves the money away between judgement and landing', () => {
  test('costs us one fee, and the failure is answered with its signature once it is final', async () => {
    const payer = await harness.payer(1_000n)
    const { body, payTo } = await harness.purchase({ payer })
    const thief = await harness.payer(0n)
    await harness.solana.airdrop(thief.address, SOL)
    const away = await harness.purchase({ payer, feePayer: thief.address, signers: [payer, thief] })
    const before = await lamports()
    // First in the next block, which both wait for.
    await harness.solana.freeze()
    await ask(harness.solana.url, 'sendTransaction', [away.transaction, { encoding: 'base64', skipPreflight: true }])
    const settling = post(harness.app, 'settle', body)
    await until(
      async () => (await harness.app.db.settlement.count({ where: { state: 'BROADCAST', payTo } })) > 0,
      'the payment to be sent',
    )
    await harness.solana.resume()
    expect((await settling).body).toMatchObject({
      success: false,
      errorReason: 'invalid_exact_svm_transaction_failed',
      errorMessage: expect.stringMatching(/^The payer's money left before the block/),
      transaction: expect.stringMatching(/^[1-9A-HJ-NP-Za-km-z]{64,88}$/),
    })
    expect([before - (await lamports()), await harness.solana.tokens(payTo)]).toEqual([FEE, 0n])
    const { db } = harness.app
    const settlement = await db.settlement.findFirstOrThrow({ where: { payTo } })
    expect(settlement).toMatchObject({ state: 'REVERTED', detail: expect.stringContaining('money left before the block') })
    expect(await db.payerFailure.findMany({ where: { payer: payer.address } })).toMatchObject([
      { settlementId: settlement.id, kind: 'reverted' },
    ])
  })

  test('costs us ten fees at most at once, with any number of signatures: all end as failures, and the next one is refused', async () => {
    const [payer, payTo] = [await harness.payer(10_000n), await harness.recipient()]
    const thief = await harness.payer(0n)
    await harness.solana.airdrop(thief.address, SOL)
    await harness.solana.openAccount(thief.address)
    const away = await harness.purchase({
      payer,
      payTo: thief.address,
      amount: 10_000n,
      feePayer: thief.address,
      signers: [payer, thief],
    })
    const bodies = []
    for (let at = 0; at < 11; at++) bodies.push((await harness.purchase({ payer, payTo })).body)
    const before = await lamports()
    await harness.solana.freeze()
    await ask(harness.solana.url, 'sendTransaction', [away.transaction, { encoding: 'base64', skipPreflight: true }])
    const settling = bodies.slice(0, 10).map(settled)
    const { db } = harness.app
    await until(async () => (await db.settlement.count({ where: { state: 'BROADCAST', payTo } })) === 10, 'ten to be sent')
    expect(await post(harness.app, 'settle', bodies[10])).toMatchObject({
      status: 429,
      body: { errorReason: 'payer_queue_full' },
    })
    await harness.solana.resume()
    for (const { body } of await Promise.all(settling)) {
      const errorMessage = expect.stringContaining('money left before the block')
      expect(body).toMatchObject({ success: false, errorReason: 'invalid_exact_svm_transaction_failed', errorMessage })
    }
    expect([before - (await lamports()), await harness.solana.tokens(payTo)]).toEqual([10n * FEE, 0n])
    await harness.solana.mintTo(payer.address, 10_000n)
    const { body } = await harness.purchase({ payer, payTo })
    expect(await post(harness.app, 'settle', body)).toMatchObject({ status: 429, body: { errorReason: 'payer_failures' } })
  })
})
