import { afterEach, describe, expect, test } from 'vitest'
import { isHeight, isSend, isStatus, nameOf, pending, svmSettle, svmSettleUntilAnswered } from '../../../test/money/faults/svm'
import { fixture } from '../../../test/support/fixture'
import { casesOf } from '../../../test/support/long-run'
import type { Call, Fate } from '../../../test/support/nodes/faulty-node'
import { type Answer, freshIp } from '../../../test/support/service/client'
import { inSlot, tokenAccount } from '../../../test/support/svm/fake-cluster'
import { blockhashOf, type SvmPurchase, startSvmHarness } from '../../../test/support/svm/harness'
import { expectSvmSettledOnce, isSvmSuccess } from '../../../test/support/svm/settled-once'
import { until } from '../../../test/support/until'

// On a busy machine a list of blockhashes may take over a second, and each blockhash would then count as new.
const seams = { blockhashListTimeoutMs: 30_000 }
const harness = fixture(() => startSvmHarness({ env: { SETTLE_DEADLINE_MS: '3000', RECHECK_MS: '300' }, seams }))
afterEach(async () => {
  harness.node.calm()
  await harness.solana.resume()
})

/** Has the node treat calls this way, and counts the sends of each transaction. */
function disturb(fate: (call: Call) => Fate | Promise<Fate>): Map<string, number> {
  const sent = new Map<string, number>()
  harness.node.disturb((call) => {
    if (isSend(call)) sent.set(String(call.params[0]), (sent.get(String(call.params[0])) ?? 0) + 1)
    return fate(call)
  })
  return sent
}

const settle = (purchase: SvmPurchase, ip = freshIp()) => svmSettle(harness, purchase, ip)

const settleUntilAnswered = (purchase: SvmPurchase) => svmSettleUntilAnswered(harness, purchase)

describe('a node that does not pass on what it took', () => {
  test('gets the same bytes again until they land; nothing is signed afresh', async () => {
    const purchase = await harness.purchase()
    let swallowed = 0
    const sent = disturb((call) => (isSend(call) && swallowed++ < 3 ? { result: nameOf(call) } : undefined))
    const answers = await settleUntilAnswered(purchase)
    expect(await expectSvmSettledOnce(harness, purchase, answers)).toMatchObject({ state: 'FINAL', success: true })
    expect([...sent.values()].map((times) => times > 3)).toEqual([true])
  })

  test.each<{ what: string; fate: Fate }>([
    { what: 'loses its answers', fate: 'lose the answer' },
    { what: 'does everything twice', fate: 'twice' },
  ])('and that $what: one message, one landing', async ({ fate }) => {
    const purchase = await harness.purchase()
    const sent = disturb((call) => (isSend(call) ? fate : undefined))
    const answers = await settleUntilAnswered(purchase)
    expect(await expectSvmSettledOnce(harness, purchase, answers)).toMatchObject({ state: 'FINAL', success: true })
    expect(sent.size).toBe(1)
  })

  const lies = casesOf<[number, string]>(
    [[-32_002, 'Transaction simulation failed: Blockhash not found']],
    [
      [-32_003, 'Transaction signature verification failure'],
      [-32_002, 'Transaction simulation failed: This transaction has already been processed'],
      [-32_005, 'Node is behind by 200 slots'],
    ],
  )
  test.each(lies)('and lies about a send it took (%s, %s): it is found by its signature', async (code, message) => {
    const purchase = await harness.purchase()
    const sent = disturb(async (call) => {
      if (!isSend(call)) return undefined
      await harness.node.forward(call.method, call.params)
      return { error: { code, message } }
    })
    const answers = await settleUntilAnswered(purchase)
    expect(await expectSvmSettledOnce(harness, purchase, answers)).toMatchObject({ state: 'FINAL', success: true })
    expect(sent.size).toBe(1)
  })

  test('and answers sends with a page of HTML: the same', async () => {
    const purchase = await harness.purchase()
    harness.node.receive((calls) => (calls.some(isSend) ? { status: 502, body: () => '<html>' } : undefined))
    const answers = await settleUntilAnswered(purchase)
    expect(await expectSvmSettledOnce(harness, purchase, answers)).toMatchObject({ state: 'FINAL', success: true })
  })
})

describe('a node that dies', () => {
  test('while a payment waits: pending with its signature, and the same request gets the one success later', async () => {
    const [purchase, ip] = [await harness.purchase(), freshIp()]
    let isDead = false
    harness.node.receive((calls) => {
      if (isDead) return 'cut'
      isDead = calls.some(isSend)
      return undefined
    })
    const first = await settle(purchase, ip)
    expect(first).toMatchObject(pending)
    expect(first.body.transaction).toMatch(/^[1-9A-HJ-NP-Za-km-z]{64,88}$/)
    harness.node.calm()
    const second = await settle(purchase, ip)
    expect(second).toMatchObject({ status: 200, body: { success: true, transaction: first.body.transaction } })
    expect(await expectSvmSettledOnce(harness, purchase, [first, second])).toMatchObject({ state: 'FINAL' })
  })

  test('before anything is signed: a 502 that takes no unit and leaves no claim', async () => {
    const [purchase, ip] = [await harness.purchase(), freshIp()]
    harness.node.receive(() => 'cut')
    expect(await settle(purchase, ip)).toMatchObject({ status: 502, body: { success: false, transaction: '' } })
    const { db } = harness.app
    expect(await db.usage.findFirst({ where: { subject: `ip:${ip}`, meter: 'settlement' } })).toBeNull()
    expect(await db.settlement.count({ where: { payTo: purchase.payTo } })).toBe(0)
  })
})

describe('a node 200 slots behind', () => {
  test('delays the outcome, and fails nothing', async () => {
    const [purchase, ip] = [await harness.purchase(), freshIp()]
    disturb(async (call) => {
      if (isStatus(call)) return { result: { context: { slot: 1 }, value: [null] } }
      if (isHeight(call)) return { result: 1 }
      return undefined
    })
    const first = await settle(purchase, ip)
    expect(first).toMatchObject(pending)
    await harness.solana.advance(200)
    const asked = () => harness.node.seen.filter((method) => method === 'getBlockHeight').length
    const before = asked()
    await until(() => asked() > before + 3, 'the node to be asked again')
    harness.node.calm()
    const second = await settle(purchase, ip)
    expect(isSvmSuccess(second)).toBe(true)
    expect(await expectSvmSettledOnce(harness, purchase, [first, second])).toMatchObject({ state: 'FINAL' })
  })

  test('that gave the height at the claim: its bytes are sent again all the same while its blockhash lives', async () => {
    await harness.solana.advance(400)
    const purchase = await harness.purchase()
    const { result } = await harness.node.forward('getBlockHeight', [{ commitment: 'confirmed' }])
    const stale = Number(result) - 200
    let swallowed = 0
    disturb((call) => {
      if (isHeight(call) && JSON.stringify(call.params).includes('confirmed')) return { result: stale }
      return isSend(call) && swallowed++ < 6 ? { result: nameOf(call) } : undefined
    })
    const answers = await settleUntilAnswered(purchase)
    expect(await expectSvmSettledOnce(harness, purchase, answers)).toMatchObject({ state: 'FINAL', success: true })
  })
})

async function heightOf(commitment: 'confirmed' | 'finalized'): Promise<bigint> {
  const { result } = await harness.node.forward('getBlockHeight', [{ commitment }])
  return BigInt(String(result))
}

describe('a payment whose bytes no leader ever sees', () => {
  const drainBody = () => disturb((call) => (isSend(call) ? { result: nameOf(call) } : undefined))

  test('is pending, and fails only when its last height is final and two checks agree', async () => {
    const [purchase, ip] = [await harness.purchase(), freshIp()]
    drainBody()
    await harness.solana.freeze()
    const first = await settle(purchase, ip)
    expect(first).toMatchObject(pending)
    const { db } = harness.app
    const { expiresAt } = await db.settlement.findFirstOrThrow({ where: { payTo: purchase.payTo } })
    const finalized = () => heightOf('finalized')
    await harness.solana.advance(Number((expiresAt - (await finalized())).toString()))
    expect(await finalized()).toBe(expiresAt)
    const checks = () => harness.node.seen.filter((method) => method === 'getBlockHeight').length
    const before = checks()
    await until(() => checks() > before + 4, 'some more checks')
    expect(await db.settlement.findFirst({ where: { payTo: purchase.payTo } })).toMatchObject({ state: 'BROADCAST' })

    await harness.solana.advance(1)
    const ending = await expectSvmSettledOnce(harness, purchase, [first])
    const reason = 'settle_exact_svm_block_height_exceeded'
    expect(ending).toMatchObject({ state: 'EXPIRED', success: false, reason, signature: first.body.transaction })
    expect(await settle(purchase, ip)).toMatchObject({ status: 200, body: { success: false, errorReason: reason } })
    // No node has the bytes any more.
    harness.node.calm()
    expect(await harness.solana.tokens(purchase.payTo)).toBe(0n)
  })

  test("counts for the rest of its blockhash's life and no longer, and three in an hour pause the payer", async () => {
    const [payer, ip] = [await harness.payer(), freshIp()]
    const { db } = harness.app
    const recipients = await Promise.all([1, 2, 3].map(() => harness.recipient()))
    drainBody()
    // No block is made while the payments are prepared: each would take from the 20 that are left.
    await harness.solana.freeze()
    const blockhash = await blockhashOf(harness.solana)
    const purchases = await Promise.all(recipients.map((payTo) => harness.purchase({ payer, payTo, blockhash })))
    await harness.solana.advance(130)
    const claimedAt = await heightOf('confirmed')
    for (const purchase of purchases) expect(await settle(purchase, ip)).toMatchObject(pending)
    const open = await db.settlement.findMany({ where: { payer: payer.address } })
    // What is left of its 150 blocks, and as many more as the heights that were read may be old.
    for (const { expiresAt } of open) expect(expiresAt - claimedAt).toBeLessThanOrEqual(150n - 130n + 10n)
    await harness.solana.advance(Number((claimedAt + 31n - (await heightOf('finalized'))).toString()))
    for (const purchase of purchases) {
      const ending = await expectSvmSettledOnce(harness, purchase, [])
      expect(ending).toMatchObject({ state: 'EXPIRED', success: false })
    }
    harness.node.calm()
    await harness.solana.resume()
    expect(await settle(await harness.purchase({ payer }), ip)).toMatchObject({
      status: 429,
      body: { success: false, errorReason: 'payer_failures' },
    })
  })

  test('is no failure of its payer while no other payment lands: the same payer pays again afterwards', async () => {
    const [payer, ip] = [await harness.payer(), freshIp()]
    const purchases = await Promise.all([1, 2, 3].map(() => harness.purchase({ payer })))
    drainBody()
    await harness.solana.freeze()
    for (const purchase of purchases) expect(await settle(purchase, ip)).toMatchObject(pending)
    await harness.solana.advance(200)
    for (const purchase of purchases) {
      expect(await expectSvmSettledOnce(harness, purchase, [])).toMatchObject({ state: 'EXPIRED', success: false })
    }
    harness.node.calm()
    await harness.solana.resume()
    expect(await settle(await harness.purchase({ payer }), ip)).toMatchObject({ status: 200, body: { success: true } })
  })
})

describe('a node that lies', () => {
  test('in simulations costs us one fee for each payment, and three of a payer in an hour', async () => {
    const payer = await harness.payer(1_000n)
    let payTo = ''
    disturb((call) => (call.method === 'simulateTransaction' ? { result: generous(payer.address, payTo) } : undefined))
    const recipients = await Promise.all(Array.from({ length: 4 }, () => harness.recipient()))
    const before = await harness.solana.balance(harness.feePayers[0]?.address ?? '')
    const [answers, ip]: [Answer[], string] = [[], freshIp()]
    for (payTo of recipients) answers.push(await settle(await harness.purchase({ payer, payTo, amount: 2_000n }), ip))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 429])
    for (const { body } of answers.slice(0, 3))
      expect(body).toMatchObject({ success: false, errorReason: 'invalid_exact_svm_transaction_failed' })
    expect(before - (await harness.solana.balance(harness.feePayers[0]?.address ?? ''))).toBe(3n * 10_001n)
  })

  /** A simulation in which both accounts are as they should be, and the payer is rich. */
  function generous(payer: string, payTo: string) {
    const { mint } = harness.solana
    const accounts = [tokenAccount({ mint, owner: payer, amount: 1_000_000n }), tokenAccount({ mint, owner: payTo, amount: 0n })]
    return inSlot({ err: null, logs: [], accounts, unitsConsumed: 5_000 })
  }

  test('about a landing is believed once, and the outcome is then confirmed or corrected', async () => {
    const [purchase, ip] = [await harness.purchase(), freshIp()]
    let lies = 1
    disturb((call) => {
      if (isSend(call) && lies > 0) return { result: nameOf(call) }
      if (!isStatus(call) || lies-- <= 0) return undefined
      const status = { slot: 7, confirmations: 1, err: null, confirmationStatus: 'confirmed' }
      return { result: { context: { slot: 7 }, value: [status] } }
    })
    const answered = await settle(purchase, ip)
    expect(isSvmSuccess(answered)).toBe(true)
    expect(await expectSvmSettledOnce(harness, purchase, [answered])).toMatchObject({ state: 'FINAL', success: true })
  })
})
