import { isHex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { describe, expect, test } from 'vitest'
import { settleOnce, settleRefused, settleUntilAnswered } from '../../test/money/faults/fault-harness'
import { isSuccess } from '../../test/support/chain/settled-once'
import type { Call } from '../../test/support/nodes/faulty-node'
import { proxiedHarness } from '../../test/support/nodes/proxied-harness'
import { type SignedPayment, signed, v2Body } from '../../test/support/payloads/payments'
import { freshIp, post } from '../../test/support/service/client'
import { until } from '../../test/support/until'

/** More payments at once than this take both lanes. */
const BATCH_MAX = 4

const { harness, node } = proxiedHarness({
  lanes: 2,
  env: { SETTLE_DEADLINE_MS: '5000', BATCH_MAX: String(BATCH_MAX) },
})

const isReceipt = ({ method }: Call) => method === 'eth_getTransactionReceipt'
const payerOf = ({ authorization }: SignedPayment) => authorization.from.toLowerCase()
const stateOf = async (payment: SignedPayment) =>
  (await harness.app.db.settlement.findFirstOrThrow({ where: { payer: payerOf(payment) } })).state
const stateOrNone = async (payment: SignedPayment) =>
  (await harness.app.db.settlement.findFirst({ where: { payer: payerOf(payment) } }))?.state ?? ''
const historyOf = (payment: SignedPayment) => harness.app.db.history.findMany({ where: { payer: payerOf(payment) } })

/** Alters a response of the real node. */
async function altered({ method, params }: Call, alter: (result: Record<string, unknown>) => unknown) {
  const response = await fetch(harness.chain.url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  })
  const { result } = await response.json()
  return { result: result ? alter(result) : null }
}

describe('a node that', () => {
  test('never shows the receipt of a transfer that happened does not make it a failure, even past its end', async () => {
    const validBefore = BigInt(Math.floor(Date.now() / 1_000)) + 120n
    const payment = await signed(await harness.payer(1_000n), { validBefore })
    node.disturb((call) => (isReceipt(call) ? { result: null } : undefined))
    expect(await post(harness.app, 'settle', v2Body(payment))).toMatchObject({ body: { errorReason: 'settlement_pending' } })
    await until(async () => (await harness.chain.tokens(payment.authorization.from)) === 0n, 'the transfer')
    await harness.chain.client.increaseTime({ seconds: 120 })
    await until(async () => (await harness.chain.client.getBlock()).timestamp > validBefore + 3n, 'its end to pass')
    expect([await stateOf(payment), await historyOf(payment)]).toEqual(['BROADCAST', []])
    node.disturb(() => undefined)
    await until(async () => ['INCLUDED', 'FINAL'].includes(await stateOf(payment)), 'the payment to land')
    expect(await historyOf(payment)).toMatchObject([{ success: true }])
  })

  test('shows receipts without logs for a while does not take a success back', async () => {
    const payment = await signed(await harness.payer())
    expect(await post(harness.app, 'settle', v2Body(payment))).toMatchObject({ body: { success: true } })
    let lies = 0
    node.disturb((call) => (isReceipt(call) && lies++ < 4 ? altered(call, (receipt) => ({ ...receipt, logs: [] })) : undefined))
    await until(async () => (await stateOf(payment)) === 'FINAL', 'the payment to be final')
    expect(await historyOf(payment)).toMatchObject([{ success: true }])
  })

  test('answers invalidly about one transaction does not hide the others', async () => {
    const payments = await Promise.all([1, 2, 3].map(async () => signed(await harness.payer())))
    let poisoned: unknown
    node.disturb((call) => {
      if (!isReceipt(call)) return undefined
      poisoned ??= call.params[0]
      return call.params[0] === poisoned ? { error: { code: -32000, message: 'transaction indexing is in progress' } } : undefined
    })
    const answers: ReturnType<typeof post>[] = []
    for (const payment of payments) {
      answers.push(post(harness.app, 'settle', v2Body(payment)))
      // Each in a transaction of its own.
      await until(async () => !['', 'CLAIMED'].includes(await stateOrNone(payment)), 'the payment to be signed')
    }
    expect((await Promise.all(answers)).filter(({ body }) => body.success === true)).toHaveLength(2)
  })
})

describe('several signers', () => {
  /** Settles so many payments at once; returns how many transactions each lane sent for them. */
  async function settleAtOnce(count: number): Promise<bigint[]> {
    const nonces = async () => {
      const lanes = await harness.app.db.lane.findMany({ orderBy: { id: 'asc' } })
      return lanes.map(({ nextNonce }) => nextNonce ?? 0n)
    }
    const before = await nonces()
    const payments = await Promise.all(Array.from({ length: count }, async () => signed(await harness.payer())))
    // On a busy machine some are pending at the deadline.
    const run = await settleUntilAnswered(harness, payments)
    expect(run.map(({ answers }) => answers.some(isSuccess))).toEqual(payments.map(() => true))
    return (await nonces()).map((nonce, at) => nonce - (before[at] ?? 0n))
  }

  test('share the work of more than a batch', async () => {
    const sent = await settleAtOnce(3 * BATCH_MAX)
    expect(sent.every((transactions) => transactions > 0n)).toBe(true)
  })

  test('do not split a batch: a payment joins the lane that is signing or sending', async () => {
    const sent = await settleAtOnce(BATCH_MAX)
    expect(sent.filter((transactions) => transactions > 0n)).toHaveLength(1)
  })

  test("send one payer's payments by one lane, so that what it cannot pay for costs no gas", async () => {
    const payer = await harness.payer(3_000n)
    const payments = await Promise.all(Array.from({ length: 30 }, () => signed(payer)))
    // A busy machine may refuse some at the deadline, before anything is signed.
    const run = await settleRefused(harness, await settleOnce(harness, payments))
    const answers = run.flatMap(({ answers }) => answers.slice(-1))
    expect(answers.filter(isSuccess)).toHaveLength(3)
    expect(new Set(answers.map(({ body }) => Reflect.get(Object(body), 'errorReason')))).toEqual(
      new Set([undefined, 'invalid_exact_evm_insufficient_balance']),
    )
    const slots = await harness.app.db.slot.findMany({
      where: { members: { some: { settlement: { payer: payer.address.toLowerCase() } } } },
    })
    expect(new Set(slots.map(({ laneId }) => laneId)).size).toBe(1)
  })

  test('go on when another program uses the key of one, which is quarantined', async () => {
    const [lane] = await harness.app.db.lane.findMany({ orderBy: { address: 'asc' } })
    const keys = (harness.env.EVM_SANDBOX_SIGNER_KEYS ?? '').split(',').filter((text) => isHex(text))
    const key = keys.find((key) => privateKeyToAccount(key).address.toLowerCase() === lane?.address)
    const intruder = privateKeyToAccount(key ?? '0x')
    await harness.chain.client.sendTransaction({ account: intruder, to: intruder.address, value: 0n })
    const status = async () => (await harness.app.db.lane.findUniqueOrThrow({ where: { id: lane?.id ?? '' } })).status
    const payers = await Promise.all(Array.from({ length: 2 * BATCH_MAX }, () => harness.payer()))
    await until(async () => {
      // More than one batch, so that both lanes get some.
      await Promise.all(payers.map(async (payer) => post(harness.app, 'settle', v2Body(await signed(payer)), { ip: freshIp() })))
      return (await status()) === 'quarantined'
    }, 'the lane to be quarantined')
    const answer = await post(harness.app, 'settle', v2Body(await signed(await harness.payer())))
    expect(answer).toMatchObject({ status: 200, body: { success: true } })
  })
})
