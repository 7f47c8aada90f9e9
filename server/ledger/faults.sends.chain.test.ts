import { afterEach, describe, expect, test } from 'vitest'
import {
  everyNth,
  isReceipt,
  isSend,
  newPayments,
  nowAndThen,
  settleOnce,
  settleRefused,
  settleUntilAnswered,
  startFaultHarness,
} from '../../test/money/faults/fault-harness'
import { expectSettledOnce, isSuccess } from '../../test/support/chain/settled-once'
import { fixture } from '../../test/support/fixture'
import { casesOf } from '../../test/support/long-run'
import type { RequestFate } from '../../test/support/nodes/faulty-node'
import { until } from '../../test/support/until'

// One payment, one transaction: so that every payment meets the fault by itself.
const faulty = fixture(() => startFaultHarness({ env: { BATCH_MAX: '1', SETTLE_DEADLINE_MS: '6000' } }))
afterEach(() => faulty.node.calm())

const later = (ms: number) => new Promise<undefined>((resolve) => setTimeout(() => resolve(undefined), ms))
const allOf = (count: number, what: object) => Array.from({ length: count }, () => expect.objectContaining(what))
const onceSigned = { success: true, slots: 1 }

describe('a node that answers late', () => {
  test.each(casesOf([2_000], [50, 500]))('by %i ms: every payment is answered, and lands', async (ms) => {
    const { harness, node } = faulty
    const payments = await newPayments(harness, 6)
    node.disturb(() => later(ms))
    const run = await settleOnce(harness, payments)
    node.calm()
    await expectAllLand(await settleRefused(harness, run))
    await until(() => node.open() === 0, 'no request to hang')
  })
})

describe('a node that loses', () => {
  test('one request in five: every payment lands in the end, signed once', async () => {
    const { harness, node } = faulty
    const payments = await newPayments(harness, 12)
    const fifth = nowAndThen(1 / 5)
    node.receive(() => (fifth() ? 'cut' : undefined))
    const run = await settleUntilAnswered(harness, payments)
    node.calm()
    expect(run.map(({ answers }) => answers.some(isSuccess))).toEqual(payments.map(() => true))
    expect(await expectSettledOnce(harness, run)).toEqual(allOf(12, onceSigned))
  })

  test('the answer to one send in five: every payment succeeds, and nothing is signed afresh', async () => {
    const { harness, node } = faulty
    const payments = await newPayments(harness, 15)
    const fifth = everyNth(5)
    let lost = 0
    node.disturb((call) => (isSend(call) && fifth() && ++lost ? 'lose the answer' : undefined))
    const run = await settleUntilAnswered(harness, payments)
    node.calm()
    expect(lost).toBeGreaterThanOrEqual(3)
    expect(run.map(({ answers }) => answers.some(isSuccess))).toEqual(payments.map(() => true))
    expect(await expectSettledOnce(harness, run)).toEqual(allOf(15, onceSigned))
  })
})

test('a node that gets everything twice sees one transfer per payment', async () => {
  const { harness, node } = faulty
  const payments = await newPayments(harness, 10)
  node.disturb(() => 'twice')
  const run = await settleUntilAnswered(harness, payments)
  expect(await expectSettledOnce(harness, run)).toEqual(allOf(10, onceSigned))
})

describe('a gateway that answers every other send and a third of all requests with', () => {
  const garbage: [string, RequestFate][] = [
    ['429', { status: 429, body: () => '{"error":"slow down"}' }],
    ['half of its JSON', { status: 200, body: (right) => right.slice(0, right.length / 2) }],
  ]
  const more: [string, RequestFate][] = [
    ['500', { status: 500, body: () => '' }],
    ['502 and HTML', { status: 502, body: () => '<html><body>Bad Gateway</body></html>' }],
    ['the answer to something else', { status: 200, body: (right) => right.replace(/"id":\d+/, '"id":987654321') }],
  ]
  test.each(casesOf(garbage, more))(
    '%s: a payment is refused before it is signed or pending with its hash, and lands',
    async (_, fate) => {
      const { harness, node } = faulty
      const payments = await newPayments(harness, 6)
      const [second, third] = [everyNth(2), nowAndThen(1 / 3)]
      node.receive((calls) => ((calls.some(isSend) ? second() : third()) ? fate : undefined))
      const run = await settleUntilAnswered(harness, payments)
      node.calm()
      expect(await expectSettledOnce(harness, run)).toEqual(allOf(6, onceSigned))
    },
  )
})

describe('a node that takes every send and says of it', () => {
  const said = casesOf(
    ['already known'],
    ['nonce too low', 'replacement transaction underpriced', 'insufficient funds for gas * price + value'],
  )
  test.each(said)('"%s": the transaction is found by its hash and succeeds, and no no-op is signed', async (message) => {
    const { harness, node } = faulty
    const payments = await newPayments(harness, 6)
    node.disturb(async (call) => {
      if (!isSend(call)) return undefined
      await node.forward(call.method, call.params)
      return { error: { code: -32_000, message } }
    })
    const run = await settleUntilAnswered(harness, payments)
    expect(run.map(({ answers }) => answers.some(isSuccess))).toEqual(payments.map(() => true))
    expect(await expectSettledOnce(harness, run)).toEqual(allOf(6, onceSigned))
    expect(await harness.app.db.attempt.count({ where: { kind: 'noop' } })).toBe(0)
  })
})

test('a node that says "nonce too low" of a mined transaction and cannot show its receipt costs no lane: nothing is signed over it', async () => {
  const { harness, node } = faulty
  const payments = await newPayments(harness, 1)
  let sends = 0
  node.disturb(async (call) => {
    if (isReceipt(call)) return { error: { code: -32_000, message: 'transaction indexing is in progress' } }
    if (!isSend(call)) return undefined
    sends++
    await node.forward(call.method, call.params)
    return { error: { code: -32_000, message: 'nonce too low' } }
  })
  const run = await settleOnce(harness, payments)
  // More often than a lane needs to believe in another program.
  await until(() => sends > 30, 'many refused sends', 40_000)
  expect(harness.app.engine.laneStatus().map(({ status }) => status)).not.toContain('quarantined')
  node.calm()
  expect(await expectSettledOnce(harness, run)).toEqual(allOf(1, onceSigned))
  expect(await harness.app.db.attempt.count({ where: { kind: 'noop' } })).toBe(0)
})

async function expectAllLand(run: Parameters<typeof expectSettledOnce>[1]): Promise<void> {
  expect(await expectSettledOnce(faulty.harness, run)).toEqual(allOf(run.length, onceSigned))
}
