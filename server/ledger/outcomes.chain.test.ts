import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { describe, expect, test } from 'vitest'
import { usdcAbi } from '../../devnet/abi'
import { settleUntilAnswered } from '../../test/money/faults/fault-harness'
import { frontRun } from '../../test/support/chain/front-run'
import type { AnsweredPayment } from '../../test/support/chain/settled-once'
import { proxiedHarness } from '../../test/support/nodes/proxied-harness'
import { PAY_TO, type SignedPayment, signed, v2Body } from '../../test/support/payloads/payments'
import { freshIp, post } from '../../test/support/service/client'
import { ready } from '../../test/support/service/harness'
import { until } from '../../test/support/until'

const { harness, node } = proxiedHarness({ env: { SETTLE_DEADLINE_MS: '1500' } })

const drainBody = { result: `0x${'11'.repeat(32)}` }
const withhold = (method: string, answer: { result: unknown }) =>
  node.disturb((call) => (call.method === method ? answer : undefined))
const settlementOf = ({ authorization: { from } }: SignedPayment) =>
  harness.app.db.settlement.findFirstOrThrow({ where: { payer: from.toLowerCase() }, orderBy: { createdAt: 'desc' } })
const stateOf = async (payment: SignedPayment) => (await settlementOf(payment)).state
const historyOf = ({ authorization: { from } }: SignedPayment) =>
  harness.app.db.history.findMany({ where: { payer: from.toLowerCase() } })

describe('an outcome that is not known at the deadline', () => {
  test('is pending with the hash; an identical retry waits and gets the one success; the next is a conflict', async () => {
    const payment = await signed(await harness.payer())
    const ip = freshIp()
    withhold('eth_getTransactionReceipt', { result: null })
    const first = await post(harness.app, 'settle', v2Body(payment), { ip })
    expect(first).toMatchObject({
      status: 200,
      body: { success: false, errorReason: 'settlement_pending', network: 'eip155:84532' },
    })
    expect(first.body.transaction).toMatch(/^0x[0-9a-f]{64}$/)
    expect(await historyOf(payment)).toEqual([])

    const retry = post(harness.app, 'settle', v2Body(payment), { ip })
    await until(async () => (await settlementOf(payment)).waiter !== null, 'the retry to wait')
    const impatient = await post(harness.app, 'settle', v2Body(payment), { ip })
    expect([impatient.status, impatient.body.error]).toEqual([409, expect.stringContaining('do not sign another one')])
    node.disturb(() => undefined)
    expect(await retry).toMatchObject({ status: 200, body: { success: true, transaction: first.body.transaction } })
    expect(await historyOf(payment)).toMatchObject([{ success: true, txHash: first.body.transaction, errorReason: null }])
    const third = await post(harness.app, 'settle', v2Body(payment), { ip })
    expect(third).toMatchObject({
      status: 409,
      body: { errorReason: 'duplicate_settlement', transaction: first.body.transaction },
    })
  })

  test('never becomes the success of a request that asks for something else, or of another caller', async () => {
    const payment = await signed(await harness.payer())
    const ip = freshIp()
    withhold('eth_getTransactionReceipt', { result: null })
    await post(harness.app, 'settle', v2Body(payment), { ip })
    const elsewhere = privateKeyToAccount(generatePrivateKey()).address
    const others = await Promise.all([
      post(harness.app, 'settle', v2Body(payment, { requirements: { payTo: elsewhere } }), { ip }),
      post(harness.app, 'settle', v2Body(payment, { requirements: { amount: '2000' } }), { ip }),
      post(harness.app, 'settle', v2Body({ ...payment, signature: `0x${'ab'.repeat(65)}` }), { ip }),
      post(harness.app, 'settle', v2Body(payment)),
    ])
    expect(others.map(({ status }) => status)).toEqual([409, 409, 409, 409])
    node.disturb(() => undefined)
    await until(async () => (await stateOf(payment)) !== 'BROADCAST', 'the payment to land')
    expect(await post(harness.app, 'settle', v2Body(payment), { ip })).toMatchObject({ body: { success: true } })
  })

  test('a caller that hung up gets the success with an identical retry', async () => {
    const payment = await signed(await harness.payer())
    const ip = freshIp()
    const hangUp = new AbortController()
    const abandoned = post(harness.app, 'settle', v2Body(payment), { ip, signal: hangUp.signal })
    await until(
      async () => (await harness.app.db.settlement.count({ where: { payer: payment.authorization.from.toLowerCase() } })) === 1,
      'the claim',
    )
    hangUp.abort()
    await abandoned
    expect(await post(harness.app, 'settle', v2Body(payment), { ip })).toMatchObject({ status: 200, body: { success: true } })
  })
})

describe('while nothing is signed', () => {
  test('the deadline frees the intent: 503, the unit is given back, and a retry settles', async () => {
    const [stuck, waiting] = [await signed(await harness.payer()), await signed(await harness.payer())]
    const ip = freshIp()
    node.disturb(({ method }) =>
      method === 'eth_sendRawTransaction' ? { error: { code: -32000, message: 'txpool is full' } } : undefined,
    )
    const first = post(harness.app, 'settle', v2Body(stuck))
    await until(
      async () =>
        (await harness.app.db.settlement.count({
          where: { payer: stuck.authorization.from.toLowerCase(), state: 'PREPARED' },
        })) === 1,
      'a signed attempt that no node takes',
    )
    const second = await post(harness.app, 'settle', v2Body(waiting), { ip })
    expect(second).toMatchObject({
      status: 503,
      body: { success: false, errorReason: 'facilitator_unavailable', transaction: '' },
    })
    expect(second.headers.get('retry-after')).toBe('2')
    expect(await harness.app.db.usage.findFirst({ where: { subject: `ip:${ip}` } })).toMatchObject({ used: 0, returned: 1 })
    expect(await first).toMatchObject({ status: 200, body: { errorReason: 'settlement_pending' } })
    expect(await stateOf(waiting)).toBe('REJECTED')
    expect(await historyOf(waiting)).toEqual([])

    node.disturb(() => undefined)
    await until(async () => ['INCLUDED', 'FINAL'].includes(await stateOf(stuck)), 'the stuck payment to land')
    await ready(harness.app)
    expect(await post(harness.app, 'settle', v2Body(waiting), { ip })).toMatchObject({ status: 200, body: { success: true } })
  })
})

describe('a transfer that does not happen', () => {
  /** The last answer to a payment. On a busy machine the first ones may be pending. */
  const outcomeOf = async (settling: Promise<AnsweredPayment[]>) => (await settling)[0]?.answers.at(-1)

  test('whose payer spends the money first fails at depth, with its hash, and settles once when the money is back', async () => {
    const payer = await harness.payer(1_000n)
    const payment = await signed(payer)
    await harness.chain.fund(payer.address, 10n ** 18n)
    await harness.chain.client.setAutomine(false)
    await harness.chain.client.setIntervalMining({ interval: 0 })
    const first = post(harness.app, 'settle', v2Body(payment))
    await until(
      async () =>
        (await harness.app.db.settlement.count({ where: { payer: payer.address.toLowerCase(), state: 'BROADCAST' } })) === 1,
      'the send',
    )
    await harness.chain.client.writeContract({
      account: payer,
      address: harness.chain.usdc,
      abi: usdcAbi,
      functionName: 'transfer',
      args: ['0x000000000000000000000000000000000000dEaD', 1_000n],
      // Complete, so that no node has to fill it in, and ahead of ours in the block.
      nonce: 0,
      gas: 150_000n,
      maxPriorityFeePerGas: 10n ** 9n,
      maxFeePerGas: 10n ** 10n,
    })
    await harness.chain.mine(4)
    // On a busy machine it is pending at its deadline.
    expect((await first).body).toMatchObject({ success: false, transaction: expect.stringMatching(/^0x[0-9a-f]{64}$/) })
    await until(async () => (await stateOf(payment)) === 'UNPAID', 'the failure')
    const again =
      /^The payer's money left before the block: transaction 0x[0-9a-f]{64} reverted\. The same signed payment may be sent again\.$/
    expect(await settlementOf(payment)).toMatchObject({
      reason: 'invalid_exact_evm_transaction_failed',
      detail: expect.stringMatching(again),
      txHash: (await first).body.transaction,
    })
    expect(await historyOf(payment)).toMatchObject([{ success: false, errorReason: 'invalid_exact_evm_transaction_failed' }])

    await harness.chain.mint(payer.address, 1_000n)
    const second = whileMining(() => settleUntilAnswered(harness, [payment]))
    expect(await outcomeOf(second)).toMatchObject({ status: 200, body: { success: true } })
    expect(await harness.chain.tokens(payer.address)).toBe(0n)
  })

  test('whose authorization another sender used first is USED_ELSEWHERE, never a success', async () => {
    const payer = await harness.payer(5_000n)
    const payment = await signed(payer)
    const settling = settleUntilAnswered(harness, [payment])
    await until(
      async () =>
        (await harness.app.db.settlement.count({ where: { payer: payer.address.toLowerCase(), state: 'BROADCAST' } })) === 1,
      'the send',
    )
    await frontRun(harness.chain, payment)
    await harness.chain.mine(4)
    const outcome = { status: 200, body: { success: false, errorReason: 'authorization_used_elsewhere' } }
    expect(await outcomeOf(settling)).toMatchObject(outcome)
    expect(await stateOf(payment)).toBe('USED_ELSEWHERE')
  })

  test('that no block took before the authorization ended is EXPIRED, and its nonce is still used', async () => {
    const validBefore = BigInt(Math.floor(Date.now() / 1_000)) + 120n
    const payment = await signed(await harness.payer(), { validBefore })
    withhold('eth_sendRawTransaction', drainBody)
    expect(await post(harness.app, 'settle', v2Body(payment))).toMatchObject({ body: { errorReason: 'settlement_pending' } })
    await harness.chain.client.increaseTime({ seconds: 120 })
    await whileMining(async () => {
      await until(async () => (await stateOf(payment)) === 'EXPIRED', 'the payment to expire')
      node.disturb(() => undefined)
      await until(async () => (await harness.app.db.slot.count({ where: { state: 'open' } })) === 0, 'its nonce to be used')
    })
    expect(await historyOf(payment)).toMatchObject([
      { success: false, errorReason: 'invalid_exact_evm_payload_authorization_valid_before' },
    ])
  })
})

/** Blocks come five times a second while this runs. */
async function whileMining<T>(work: () => Promise<T>): Promise<T> {
  let mining = true
  const miner = (async () => {
    while (mining) {
      await harness.chain.mine(1)
      await new Promise((resolve) => setTimeout(resolve, 200))
    }
  })()
  try {
    return await work()
  } finally {
    mining = false
    await miner
  }
}

test('the payments of this file moved exactly what their history says', async () => {
  const { db } = harness.app
  await until(async () => (await db.slot.count({ where: { state: 'open' } })) === 0, 'every nonce to be used')
  const paid = await db.history.count({ where: { success: true } })
  const paidByOthers = await db.settlement.count({ where: { state: 'USED_ELSEWHERE' } })
  expect(paid).toBeGreaterThan(0)
  expect(await harness.chain.tokens(PAY_TO)).toBe(BigInt(paid + paidByOthers) * 1_000n)
})
