import { type Hex, numberToHex, parseTransaction } from 'viem'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { fixture } from '../../test/support/fixture'
import type { RpcProxy } from '../../test/support/nodes/faulty-node'
import { type ProxiedHarness, startProxiedHarness } from '../../test/support/nodes/proxied-harness'
import { signed, v2Body } from '../../test/support/payloads/payments'
import { type Answer, post } from '../../test/support/service/client'
import { type Harness, ready } from '../../test/support/service/harness'
import { until } from '../../test/support/until'
import { resetNetworks } from '../x402/networks/networks'

// Test files share a process. Registered first, so it runs last.
afterAll(resetNetworks)

const GWEI = 10n ** 9n
/** A million times what is usual. */
const FALSE = numberToHex(10n ** 6n * GWEI)

const env = { SETTLE_DEADLINE_MS: '4000', RECHECK_MS: '300', LEASE_MS: '1500' }
const lying = fixture(() => startProxiedHarness({ env }))
const doubled = fixture(() => startProxiedHarness({ env, nodes: 2 }))
const legacy = fixture(() => startProxiedHarness({ env: { ...env, EVM_NETWORKS: '[{"chainId":84532,"fees":"legacy"}]' } }))
afterEach(() => {
  for (const { nodes } of [lying, doubled, legacy]) for (const node of nodes) node.calm()
})

/** Names a false base fee with each newest block. */
function lie(node: RpcProxy): void {
  node.disturb(async ({ method, params }) => {
    if (method === 'eth_gasPrice') return { result: FALSE }
    if (method !== 'eth_getBlockByNumber' || params[0] !== 'latest') return undefined
    const { result } = await node.forward(method, params)
    return { result: { ...Object(result), baseFeePerGas: FALSE } }
  })
}

async function pay({ app, payer }: Harness): Promise<Answer> {
  return post(app, 'settle', v2Body(await signed(await payer())))
}

const attemptsOf = ({ app }: Harness) => app.db.attempt.findMany({ orderBy: { createdAt: 'asc' } })
const landed = { status: 200, body: { success: true } }
const refused = {
  status: 503,
  body: { errorReason: 'facilitator_unavailable', error: expect.stringContaining('above what is paid here') },
}

test.each<[string, () => ProxiedHarness]>([
  ['base fee', () => lying],
  ['gas price, where all of it is paid', () => legacy],
])('a node that names a false %s: 503 and nothing is signed; afterwards the lane goes on', async (_, proxied) => {
  const { harness, node } = proxied()
  lie(node)
  expect(await pay(harness)).toMatchObject(refused)
  expect(await attemptsOf(harness)).toEqual([])
  node.calm()
  await ready(harness.app)
  expect(await pay(harness)).toMatchObject(landed)
})

test('of two nodes one names a false base fee: the other is believed', async () => {
  const { harness, node } = doubled
  lie(node)
  expect(await pay(harness)).toMatchObject(landed)
  const [attempt] = await attemptsOf(harness)
  expect(attempt?.maxFeePerGas).toBeLessThan(100n * GWEI)
})

describe('a payment that is signed before its node names a false base fee', () => {
  test('lands, and what is signed in its place stays below the ceiling', async () => {
    const { harness, node } = lying
    await harness.chain.client.setIntervalMining({ interval: 0 })
    const answer = pay(harness)
    const before = (await attemptsOf(harness)).length
    await until(async () => (await attemptsOf(harness)).length > before, 'the payment to be signed')
    lie(node)
    // Long enough for several rounds of replacing.
    const heads = () => node.seen.filter((method) => method === 'eth_getBlockByNumber').length
    const seen = heads()
    await until(() => heads() > seen + 10, 'the watcher to read false heads')
    node.calm()
    await harness.chain.client.setIntervalMining({ interval: 1 })
    expect(await answer).toMatchObject({ status: 200 })
    await until(async () => (await harness.app.db.slot.count({ where: { state: 'open' } })) === 0, 'nothing to be in flight')
    for (const { raw } of await attemptsOf(harness)) {
      const { maxFeePerGas = 0n } = parseTransaction(raw as Hex)
      expect(maxFeePerGas).toBeLessThanOrEqual(100n * GWEI)
    }
    expect(await pay(harness)).toMatchObject(landed)
  })
})
