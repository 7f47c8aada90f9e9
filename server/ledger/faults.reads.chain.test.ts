import { type Hex, keccak256, toEventSelector } from 'viem'
import { afterEach, describe, expect, test } from 'vitest'
import {
  isReceipt,
  newPayments,
  newPermit2Payments,
  settleOnce,
  settleRefused,
  settleUntilAnswered,
  startFaultHarness,
} from '../../test/money/faults/fault-harness'
import { type AnsweredPayment, expectSettledOnce, isSuccess } from '../../test/support/chain/settled-once'
import { newHash } from '../../test/support/database/ledger'
import { fixture } from '../../test/support/fixture'
import { casesOf } from '../../test/support/long-run'
import { agreeing } from '../../test/support/nodes/agreeing-node'
import type { Call, Fate } from '../../test/support/nodes/faulty-node'
import { fromBehind } from '../../test/support/nodes/stale-node'
import { createForge } from '../../test/support/payloads/forge'
import { signed } from '../../test/support/payloads/payments'
import { post } from '../../test/support/service/client'
import { until } from '../../test/support/until'

const faulty = fixture(() => startFaultHarness({ env: { SETTLE_DEADLINE_MS: '2500' } }))
afterEach(() => faulty.node.calm())

type WireReceipt = Record<string, unknown> & { logs: Record<string, unknown>[] }

/** Alters every receipt of the real node. */
function lieAbout(alter: (receipt: WireReceipt) => unknown): (call: Call) => Promise<Fate> {
  return async (call) => {
    if (!isReceipt(call)) return undefined
    const { result } = await faulty.node.forward(call.method, call.params)
    return { result: result ? alter(result as WireReceipt) : null }
  }
}

const isTransfer = ({ topics }: Record<string, unknown>) =>
  Array.isArray(topics) && topics[0] === toEventSelector('Transfer(address,address,uint256)')

describe('a receipt of status 1', () => {
  const relogged = (change: object) => (receipt: WireReceipt) => ({
    ...receipt,
    logs: receipt.logs.map((log) => ({ ...log, ...change })),
  })
  type Lie = [string, (receipt: WireReceipt) => unknown]
  const lies: Lie[] = [
    ['without logs', (receipt) => ({ ...receipt, logs: [] })],
    ['of a block that the chain does not have', (receipt) => ({ ...receipt, blockHash: keccak256(receipt.blockHash as Hex) })],
  ]
  const more: Lie[] = [
    ['with its transfers and no other log', (receipt) => ({ ...receipt, logs: receipt.logs.filter(isTransfer) })],
    ['with the logs of another token', relogged({ address: `0x${'77'.repeat(20)}` })],
    [
      'of another transaction',
      (receipt) => ({ ...relogged({ transactionHash: newHash() })(receipt), transactionHash: newHash() }),
    ],
    ['of a block that is not there yet', (receipt) => ({ ...receipt, blockNumber: '0xffffff' })],
  ]
  test.each(casesOf(lies, more))('%s makes no success, and no failure of a transfer that happened', async (_, alter) => {
    const { harness, node } = faulty
    const payments = [...(await newPayments(harness, 3)), ...(await newPermit2Payments(harness, 3))]
    node.disturb(lieAbout(alter))
    const run = await settleOnce(harness, payments)
    expect(run.some(({ answers }) => answers.some(isSuccess))).toBe(false)
    expect(run.filter(isPending).length).toBeGreaterThan(0)
    expect(await harness.app.db.history.count({ where: { payer: { in: payersOf(payments) } } })).toBe(0)
    node.calm()
    const all = await settleRefused(harness, run)
    expect((await expectSettledOnce(harness, all)).every(({ success, slots }) => success && slots === 1)).toBe(true)
  })
})

describe('a node whose every simulation succeeds', () => {
  test('costs one revert at most for each payment that cannot be made, under the gas cap; the others land', async () => {
    const { harness, node } = faulty
    const forge = createForge(harness)
    const poor = await Promise.all([1, 2, 3, 4].map(async () => signed(await harness.payer(0n))))
    const good = await newPayments(harness, 4)
    const burner = await forge.fromWallet(good[0]?.authorization.to ?? '0x', 'owner', { burns: true })
    node.disturb((call) => (call.method === 'eth_call' ? agreeing(call) : undefined))
    const burning = settleBurner(burner.body)
    const run = await settleUntilAnswered(harness, [...poor, ...good])
    await burning
    for (const failing of run.slice(0, poor.length)) failing.balance = 0n
    const endings = await expectSettledOnce(harness, run)
    expect(endings.map(({ success }) => success)).toEqual([...poor.map(() => false), ...good.map(() => true)])
    expect(endings.every(({ reverts }) => reverts <= 1)).toBe(true)
    const burnt = await harness.app.db.attempt.findMany({
      where: { block: { not: null }, slot: { members: { some: { settlement: { payer: burner.payer.toLowerCase() } } } } },
    })
    expect(burnt.map(({ succeeded, gasUsed }) => [succeeded, (gasUsed ?? 0n) <= 250_000n])).toEqual([[false, true]])
    expect(node.seen).not.toContain('eth_estimateGas')
  })
})

/** Settles it until it is taken; it never succeeds. */
async function settleBurner(body: unknown): Promise<void> {
  const taken = async () => {
    const answer = await post(faulty.harness.app, 'settle', body)
    expect(answer.body.success).toBe(false)
    return answer.status === 200
  }
  await until(taken, 'the burner to be taken', 30_000, 300)
}

/** Signed, and not refused because a loaded machine came too late to it. */
const isPending = ({ answers }: AnsweredPayment) => answers.every(({ status }) => status === 200)
const payersOf = (payments: Awaited<ReturnType<typeof newPayments>>) =>
  payments.map(({ authorization }) => authorization.from.toLowerCase())

// Last: it moves the clock of the chain.
describe('nodes that take turns and are 0, 1, 5 and 50 blocks behind', () => {
  const lags = [0n, 1n, 5n, 50n]
  const inTurn = () => {
    let turn = 0
    return (call: Call) => fromBehind(faulty.node, call, lags[turn++ % lags.length] ?? 0n)
  }

  test('delay a payment and never fail it', async () => {
    const { harness, node } = faulty
    const payments = await newPayments(harness, 8)
    await harness.chain.mine(60)
    node.disturb(inTurn())
    const run = await settleUntilAnswered(harness, payments)
    node.calm()
    expect(run.map(({ answers }) => answers.some(isSuccess))).toEqual(payments.map(() => true))
    expect((await expectSettledOnce(harness, run)).every(({ success, slots }) => success && slots === 1)).toBe(true)
  })

  test('never make one EXPIRED that landed before its end and that they show only now and then', async () => {
    const { harness, node } = faulty
    const payments = await newPayments(harness, 6)
    node.disturb((call) => (isReceipt(call) ? { result: null } : undefined))
    const run = (await settleOnce(harness, payments)).filter(isPending)
    expect(run.length).toBeGreaterThan(0)
    await harness.chain.client.increaseTime({ seconds: 7_200 })
    await harness.chain.mine(1)
    const taking = inTurn()
    let heads = 0
    node.disturb((call) => {
      if (call.method === 'eth_getBlockByNumber') heads++
      return isReceipt(call) ? { result: null } : taking(call)
    })
    await until(() => heads > 40, 'many checks of the chain', 30_000)
    expect(await harness.app.db.settlement.count({ where: { payer: { in: payersOf(payments) }, state: 'BROADCAST' } })).toBe(
      run.length,
    )
    node.calm()
    expect((await expectSettledOnce(harness, run)).every(({ success }) => success)).toBe(true)
  })
})
