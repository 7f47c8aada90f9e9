import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { testLog } from '../../../test/support/logs'
import { type FakeNode, fakeNode } from '../../../test/support/nodes/scripted-node'
import { cluster, DEVNET, inSlot, svmNodesTo } from '../../../test/support/svm/fake-cluster'
import { newSvmKey } from '../../../test/support/svm/harness'
import { createSvmChain } from '../../chains/svm/chain'
import { createSvmSigner } from '../../chains/svm/signer'
import { type FeePayers, startFeePayers } from './fee-payers'

// The node itself answers in real time.
beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }))
let running: FeePayers | undefined
afterEach(async () => {
  await running?.stop()
  vi.useRealTimers()
})

const STEP_MS = 500

/** Lets the fake clock run; each step waits in real time for what the node was asked. */
async function pass(minutes: number): Promise<void> {
  for (let step = 0; step < (minutes * 60_000) / STEP_MS; step++) {
    vi.advanceTimersByTime(STEP_MS)
    for (let turn = 0; turn < 10; turn++) await new Promise((resolve) => setImmediate(resolve))
  }
}

/** Three fee payers that hold so many lamports, on a node that counts its calls. */
async function start(lamports: number): Promise<{ node: FakeNode; payers: FeePayers }> {
  const held = { lamports, owner: '', data: ['', 'base64'], executable: false }
  const getMultipleAccounts = ([addresses]: [string[]]) => inSlot(addresses.map(() => held))
  const node = await fakeNode(cluster({ getMultipleAccounts }))
  const chain = createSvmChain(DEVNET, svmNodesTo(node.url))
  const signers = Array.from({ length: 3 }, () => createSvmSigner(newSvmKey().secret))
  const payers = startFeePayers({
    chain,
    signers: { sandbox: signers, production: [] },
    maxFee: 20_000n,
    channels: 10n,
    log: testLog(),
  })
  running = payers
  await pass(1)
  return { node, payers }
}

describe('while no payment comes, a cluster', () => {
  test('gets two calls a minute, for any number of fee payers', async () => {
    const { node, payers } = await start(1_000_000_000)
    expect(payers.all().map(({ status }) => status)).toEqual(['ready', 'ready', 'ready'])
    const before = node.methods().length
    await pass(10)
    const calls = node.methods().slice(before)
    expect(calls.length).toBeLessThanOrEqual(20)
    // A node that dies, or moves to another cluster, is noticed.
    expect(new Set(calls)).toEqual(new Set(['getGenesisHash', 'getMultipleAccounts']))
  })

  test('gets eight calls a minute while a fee payer is empty', async () => {
    const { node, payers } = await start(7)
    expect(payers.all().map(({ status }) => status)).toEqual(['low balance', 'low balance', 'low balance'])
    const before = node.methods().length
    await pass(10)
    expect(node.methods().length - before).toBeLessThanOrEqual(80)
  })

  test('is asked again within seconds after a payment ended', async () => {
    const { node, payers } = await start(1_000_000_000)
    const [one] = payers.all()
    await pass(0.1)
    const before = node.methods().length
    payers.reserve(one?.signer.address ?? '', 10_000n, 'payment')?.()
    await pass(0.05)
    expect(node.methods().slice(before)).toContain('getMultipleAccounts')
  })
})
