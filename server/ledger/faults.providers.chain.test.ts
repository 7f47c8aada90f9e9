import { afterEach, describe, expect, test } from 'vitest'
import { isSend, newPayments, settleOnce, settleUntilAnswered, startFaultHarness } from '../../test/money/faults/fault-harness'
import { fundedKey } from '../../test/support/chain/funded-key'
import { type AnsweredPayment, expectSettledOnce, isSuccess } from '../../test/support/chain/settled-once'
import { freshDatabase } from '../../test/support/database/database'
import { fixture } from '../../test/support/fixture'
import { testLog } from '../../test/support/logs'
import type { Call, Fate, RpcProxy } from '../../test/support/nodes/faulty-node'
import { ready } from '../../test/support/service/harness'
import { until } from '../../test/support/until'
import { createApp } from '../boot/app'
import { readEnv } from '../env/env'

const faulty = fixture(() => startFaultHarness({ nodes: 2 }))
afterEach(() => {
  for (const node of faulty.nodes) node.calm()
})

const providers = (): [RpcProxy, RpcProxy] => {
  const [first, second] = faulty.nodes
  if (!first || !second) throw new Error('two nodes were started')
  return [first, second]
}
/** A node of another chain, with other blocks, which takes any bytes. */
const ofAnotherChain = (call: Call): Fate => {
  if (call.method === 'eth_chainId') return { result: '0x1' }
  return isSend(call) ? { result: `0x${'11'.repeat(32)}` } : undefined
}
const taken = () => faulty.harness.app.db.settlement.count({ where: { state: { not: 'REJECTED' } } })
const allSucceed = (run: readonly AnsweredPayment[]) => run.every(({ answers }) => answers.some(isSuccess))
const asked = (node: RpcProxy, from: number) => node.seen.slice(from).filter((method) => method !== 'eth_chainId')

describe('one of two providers that takes connections and never answers', () => {
  test('is asked four times a payment at most on average, is passed over soon, and serves again when it answers', async () => {
    const { harness } = faulty
    const [first] = providers()
    const quick = await oneByOne(await newPayments(harness, 8))
    let hanging = 0
    first.receive((calls) => {
      if (calls.some(({ method }) => method !== 'eth_chainId')) hanging++
      return 'hang'
    })
    const slow = await oneByOne(await newPayments(harness, 8))
    // Each of these costs half a second before the other provider is asked. A payment makes five or more round trips.
    expect(hanging).toBeLessThanOrEqual(8 * 4)
    const passedOver = first.seen.length
    const later = await settleUntilAnswered(harness, await newPayments(harness, 8))
    expect(asked(first, passedOver)).toEqual([])
    expect(allSucceed([...quick, ...slow, ...later])).toBe(true)

    first.calm()
    const before = first.seen.length
    const more: AnsweredPayment[] = []
    await until(
      async () => {
        more.push(...(await settleUntilAnswered(harness, await newPayments(harness, 1))))
        return asked(first, before).length > 0
      },
      'the first provider to serve again',
      40_000,
    )
    const run = [...quick, ...slow, ...later, ...more]
    expect((await expectSettledOnce(harness, run)).every(({ success, slots }) => success && slots === 1)).toBe(true)
  })
})

/** Settles these one after the other. */
async function oneByOne(payments: Awaited<ReturnType<typeof newPayments>>): Promise<AnsweredPayment[]> {
  const run: AnsweredPayment[] = []
  for (const payment of payments) run.push(...(await settleUntilAnswered(faulty.harness, [payment])))
  return run
}

describe('a provider of another chain', () => {
  test('that would take over is believed nothing and sent nothing, and payments wait for the right one', async () => {
    const { harness } = faulty
    const [first, second] = providers()
    const payments = await newPayments(harness, 6)
    const before = await taken()
    const seen = second.seen.length
    // After a failure, an endpoint must prove its chain again.
    for (const node of faulty.nodes) node.receive(() => 'cut')
    expect(await settleOnce(harness, payments.slice(0, 1))).toMatchObject([{ answers: [{ status: 502 }] }])
    second.disturb(ofAnotherChain)
    second.receive(() => undefined)
    const refused = await settleOnce(harness, payments)
    for (const { answers } of refused) expect([502, 503]).toContain(answers[0]?.status)
    expect(await taken()).toBe(before)
    first.receive(() => undefined)
    const run = await settleUntilAnswered(harness, payments)
    expect(allSucceed(run)).toBe(true)
    expect(asked(second, seen)).not.toContain('eth_sendRawTransaction')
    // Nothing is final before two providers show it.
    second.calm()
    expect((await expectSettledOnce(harness, run)).every(({ success }) => success)).toBe(true)
  })

  test('is a 503 when none is left, and payments go on when one is right again', async () => {
    const { harness } = faulty
    const [payment] = await newPayments(harness, 1)
    if (!payment) throw new Error('no payment')
    for (const node of faulty.nodes) node.receive(() => 'cut')
    expect(await settleOnce(harness, [payment])).toMatchObject([{ answers: [{ status: 502 }] }])
    for (const node of faulty.nodes) {
      node.disturb(ofAnotherChain)
      node.receive(() => undefined)
    }
    await until(async () => {
      const [answered] = await settleOnce(harness, [payment])
      return answered?.answers[0]?.status === 503
    }, 'a refusal without a provider')
    for (const node of faulty.nodes) node.calm()
    const run = await settleUntilAnswered(harness, [payment])
    expect((await expectSettledOnce(harness, run)).every(({ success }) => success)).toBe(true)
  })

  test('keeps the lanes of a service that starts out of rotation until it is of the right chain', async () => {
    const { harness } = faulty
    const [first] = providers()
    const database = await freshDatabase()
    for (const node of faulty.nodes) node.disturb(ofAnotherChain)
    const env = { ...harness.env, DATABASE_URL: database.url, EVM_SANDBOX_SIGNER_KEYS: await fundedKey(harness.chain) }
    const app = await createApp(readEnv({ ...env, BASE_SEPOLIA_RPC_URL: first.url }), testLog())
    try {
      await until(() => app.engine.laneStatus().every(({ status }) => status === 'wrong chain'), 'the lane to see it')
      const [payment] = await newPayments(harness, 1)
      const [answered] = await settleOnce({ ...harness, app }, payment ? [payment] : [])
      expect(answered?.answers).toMatchObject([{ status: 503, body: { errorReason: 'facilitator_unavailable' } }])
      first.calm()
      await ready(app)
      const run = await settleUntilAnswered({ ...harness, app }, payment ? [payment] : [])
      expect(allSucceed(run)).toBe(true)
    } finally {
      await app.close()
      await database.close()
    }
  })
})
