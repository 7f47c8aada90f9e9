import { setTimeout as delay } from 'node:timers/promises'
import { afterEach, describe, expect, test } from 'vitest'
import { isStatus, svmSettleUntilAnswered } from '../../../test/money/faults/svm'
import { fixture } from '../../../test/support/fixture'
import { testLog } from '../../../test/support/logs'
import type { Call } from '../../../test/support/nodes/faulty-node'
import { freshIp, post } from '../../../test/support/service/client'
import { ready } from '../../../test/support/service/harness'
import { inSlot } from '../../../test/support/svm/fake-cluster'
import { newSvmKey, SOL, startSvmHarness } from '../../../test/support/svm/harness'
import { expectSvmSettledOnce, isSvmSuccess } from '../../../test/support/svm/settled-once'
import { until } from '../../../test/support/until'
import { createApp } from '../../boot/app'
import { signatureIn } from '../../chains/svm/signer'
import { readEnv } from '../../env/env'

const isDeep = ({ method, params }: Call) =>
  method === 'getSignatureStatuses' && JSON.stringify(params).includes('"searchTransactionHistory":true')
const nothing = ({ params }: Call) => ({ result: inSlot((params[0] as string[]).map(() => null)) })

const harness = fixture(() => startSvmHarness({ nodes: 2, env: { SETTLE_DEADLINE_MS: '2500', RECHECK_MS: '300' } }))
afterEach(() => {
  for (const node of harness.nodes) node.calm()
})

/** The first of the two knows all of the past and is slow to look it up; the second one forgets what is older than this slot. */
function anArchiveAndOneThatForgets(firstSlot: number): void {
  const [archive, forgetful] = harness.nodes
  archive?.disturb(async (call) => {
    if (isDeep(call)) await delay(700)
    return undefined
  })
  forgetful?.disturb((call) => {
    if (call.method === 'getFirstAvailableBlock') return { result: firstSlot }
    return isStatus(call) ? nothing(call) : undefined
  })
}

const stateOf = async (payTo: string) => (await harness.app.db.settlement.findFirstOrThrow({ where: { payTo } })).state

describe('two nodes of which one has forgotten', () => {
  test('never prove together that a payment is gone that one of them knows', async () => {
    const purchase = await harness.purchase()
    const ip = freshIp()
    // It lands while no node shows it.
    for (const node of harness.nodes) node.disturb((call) => (isStatus(call) ? 'cut' : undefined))
    const first = await post(harness.app, 'settle', purchase.body, { ip })
    expect(first.body).toMatchObject({ errorReason: 'settlement_pending' })
    await until(async () => (await harness.solana.tokens(purchase.payTo)) === 1_000n, 'the money to move')
    await harness.solana.advance(400)
    anArchiveAndOneThatForgets(99_999)
    const answers = await svmSettleUntilAnswered(harness, purchase, ip)
    expect(answers.filter(isSvmSuccess)).toHaveLength(1)
    for (const node of harness.nodes) node.calm()
    expect(await expectSvmSettledOnce(harness, purchase, [first, ...answers])).toMatchObject({ success: true })
  })

  test('never undo a landed payment together', async () => {
    const purchase = await harness.purchase()
    const answers = await svmSettleUntilAnswered(harness, purchase)
    expect(answers.filter(isSvmSuccess)).toHaveLength(1)
    anArchiveAndOneThatForgets(1)
    const [archive] = harness.nodes
    const checks = () => archive?.seen.filter((method) => method === 'getFirstAvailableBlock').length ?? 0
    const before = checks()
    // Slots enough for finality are held back: it stays under comparison.
    await until(async () => checks() > before + 2 || (await stateOf(purchase.payTo)) === 'FINAL', 'some comparisons')
    const steps = await harness.app.db.step.findMany({
      where: { settlement: { payTo: purchase.payTo } },
      orderBy: { seq: 'asc' },
    })
    expect(steps.map(({ to }) => to).slice(0, 4)).toEqual(['CLAIMED', 'PREPARED', 'BROADCAST', 'INCLUDED'])
    expect(steps.filter(({ to }) => to === 'REVERSED')).toEqual([])
    for (const node of harness.nodes) node.calm()
    expect(await expectSvmSettledOnce(harness, purchase, answers)).toMatchObject({ state: 'FINAL', success: true })
  })
})

describe('nodes that have all forgotten', () => {
  test('take nothing back that has landed, and make us send nothing again', async () => {
    const purchase = await harness.purchase()
    const answers = await svmSettleUntilAnswered(harness, purchase)
    expect(answers.filter(isSvmSuccess)).toHaveLength(1)
    for (const node of harness.nodes)
      node.disturb((call) => {
        if (call.method === 'getFirstAvailableBlock') return { result: 99_999 }
        return isStatus(call) ? nothing(call) : undefined
      })
    const asked = () => harness.nodes.flatMap(({ seen }) => seen)
    const sends = asked().filter((method) => method === 'sendTransaction').length
    const checks = asked().filter((method) => method === 'getFirstAvailableBlock').length
    await until(() => asked().filter((method) => method === 'getFirstAvailableBlock').length > checks + 4, 'some comparisons')
    expect(['INCLUDED', 'FINAL']).toContain(await stateOf(purchase.payTo))
    expect(asked().filter((method) => method === 'sendTransaction').length).toBe(sends)
  })
})

describe('a first node that answers and follows its chain no more', () => {
  /** The first node always repeats one moment: no newer block, and it accepts any blockhash. */
  async function freezeFirst(): Promise<void> {
    const [first] = harness.nodes
    if (!first) throw new Error('there is no first node')
    const { result: height } = await first.forward('getBlockHeight', [{ commitment: 'finalized' }])
    const frozen = { height: Number(height), slot: Number(height) + 1_000 }
    first.disturb((call) => {
      if (call.method === 'getBlockHeight') return { result: frozen.height }
      if (call.method === 'getEpochInfo') return { result: { absoluteSlot: frozen.slot, blockHeight: frozen.height } }
      if (call.method === 'isBlockhashValid') return { result: { context: { slot: frozen.slot }, value: true } }
      if (call.method === 'sendTransaction') return { result: signatureIn(String(call.params[0])) }
      return isStatus(call) ? nothing(call) : undefined
    })
  }

  test('hides no landing for longer than a blockhash lives', async () => {
    const [purchase, ip] = [await harness.purchase(), freshIp()]
    const [, second] = harness.nodes
    await freezeFirst()
    const first = await post(harness.app, 'settle', purchase.body, { ip })
    expect(first.body).toMatchObject({ errorReason: 'settlement_pending' })
    // Its bytes reach the chain through another node.
    const { raw } = await harness.app.db.svmAttempt.findFirstOrThrow({ where: { settlement: { payTo: purchase.payTo } } })
    await second?.forward('sendTransaction', [raw, { encoding: 'base64', skipPreflight: true }])
    await until(async () => (await harness.solana.tokens(purchase.payTo)) === 1_000n, 'the money to move')
    await harness.solana.advance(200)
    expect(await expectSvmSettledOnce(harness, purchase, [first])).toMatchObject({ success: true })
  })

  test('keeps no payment open that can never land', async () => {
    const [purchase, ip] = [await harness.purchase(), freshIp()]
    await freezeFirst()
    const first = await post(harness.app, 'settle', purchase.body, { ip })
    expect(first.body).toMatchObject({ errorReason: 'settlement_pending' })
    await harness.solana.advance(200)
    expect(await expectSvmSettledOnce(harness, purchase, [first])).toMatchObject({ state: 'EXPIRED', success: false })
  })
})

describe('payments that can never land', () => {
  test('do not hide one that has landed, however many are looked for', async () => {
    // A blockhash in its last moments: taken, and too late for every block.
    const old = await Promise.all(Array.from({ length: 30 }, async () => harness.purchase({ payer: await harness.payer() })))
    for (const node of harness.nodes)
      node.disturb((call) => (call.method === 'sendTransaction' ? { error: { code: -32_005, message: 'busy' } } : undefined))
    // A busy machine may not sign all of them within the deadline: those are refused, and sent again.
    const isPending = async (body: object) => (await post(harness.app, 'settle', body)).body.errorReason === 'settlement_pending'
    await Promise.all(old.map(({ body }) => until(() => isPending(body), 'a payment to be pending')))
    await harness.solana.advance(200)
    for (const node of harness.nodes)
      node.disturb(async (call) => {
        if (call.method === 'isBlockhashValid') await delay(200)
        return undefined
      })
    const fresh = await harness.purchase()
    const answers = await svmSettleUntilAnswered(harness, fresh)
    expect(answers.slice(-1).map(isSvmSuccess)).toEqual([true])
    const gone = { payTo: { in: old.map(({ payTo }) => payTo) } }
    await until(
      async () => (await harness.app.db.settlement.count({ where: { ...gone, state: 'EXPIRED' } })) === 30,
      'their end',
      30_000,
    )
    expect(await harness.app.db.svmAttempt.count({ where: { settlement: gone, slot: { not: null } } })).toBe(0)
  })
})

describe('a buyer whose fee payer was replaced while a payment was in flight', () => {
  test('gets its outcome all the same', async () => {
    const purchase = await harness.purchase()
    const ip = freshIp()
    for (const node of harness.nodes) node.disturb((call) => (isStatus(call) ? 'cut' : undefined))
    expect((await post(harness.app, 'settle', purchase.body, { ip })).body).toMatchObject({ errorReason: 'settlement_pending' })
    const headroom = (await startSpare()).app
    for (const node of harness.nodes) node.calm()
    const answered = await post(headroom, 'settle', purchase.body, { ip })
    expect(answered.body).toMatchObject({ success: true })
    await headroom.close()
  })

  /** Another instance, with another fee payer and a lower limit. */
  async function startSpare() {
    const key = newSvmKey()
    await harness.solana.airdrop(key.address, SOL)
    const env = { ...harness.env, SOLANA_SANDBOX_SIGNER_KEYS: key.secret, SVM_MAX_FEE_LAMPORTS: '10000' }
    const app = await createApp(readEnv(env), testLog())
    await ready(app)
    return { app }
  }
})
