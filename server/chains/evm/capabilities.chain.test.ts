import { expect, test } from 'vitest'
import { type Chain, startChain } from '../../../devnet/chain'
import { fixture } from '../../../test/support/fixture'
import { testLog } from '../../../test/support/logs'
import { type Call, type Fate, type RpcProxy, startRpcProxy } from '../../../test/support/nodes/faulty-node'
import { addNetwork, networkRow, resetNetworks } from '../../x402/networks/networks'
import { contradictionsOf } from './row-check'
import { createRpc } from './rpc'

const NETWORK = 'eip155:84532'

const local = fixture(async (): Promise<{ chain: Chain; node: RpcProxy; close: () => Promise<void> }> => {
  const chain = await startChain({ chainId: 84532 })
  const node = await startRpcProxy(chain.url)
  return { chain, node, close: () => node.close().then(chain.stop) }
})

/** What is found of the row through a node that handles calls like this, and how many HTTP requests that took. */
async function foundWith(fate: (call: Call) => Fate): Promise<{ summaries: string[]; requests: number }> {
  const { node } = local
  node.disturb(fate)
  const before = node.requests()
  const found = await contradictionsOf(createRpc([node.url], NETWORK, testLog()), NETWORK).finally(node.calm)
  return { summaries: found.map(({ summary }) => summary), requests: node.requests() - before }
}

const namesHash = ({ params }: Call) => params.some((one) => one !== null && typeof one === 'object' && 'blockHash' in one)
const creates = ({ method, params: [call] }: Call) => method === 'eth_call' && Object(call).to === undefined
const isTrial = (call: Call) => creates(call) && String(Object(call.params[0]).data).startsWith('0x5f61')
const refuse = (message: string, code = -32_000): Fate => ({ error: { code, message } })

test('a node of a local chain has all that the engine needs, and tells it in few requests', async () => {
  const { summaries, requests } = await foundWith(() => undefined)
  expect(summaries).toEqual([])
  expect(requests).toBeLessThanOrEqual(4)
})

test.each<[string, (call: Call) => Fate, RegExp]>([
  [
    'reads by block hash',
    (call) => (namesHash(call) ? refuse('json: cannot unmarshal object into Go value of type string', -32_602) : undefined),
    /reads of a block by its hash/,
  ],
  ['PUSH0 in a trial', (call) => (isTrial(call) ? refuse('invalid opcode: PUSH0') : undefined), /with which payers are checked/],
  [
    'PUSH0 in a batch',
    (call) => (creates(call) && !isTrial(call) ? refuse('invalid opcode: PUSH0') : undefined),
    /with which batches are paid/,
  ],
  ['calls without a recipient', (call) => (creates(call) ? { result: '0x' } : undefined), /with which payers are checked/],
  [
    'the tag "finalized"',
    ({ params }) => (params[0] === 'finalized' ? refuse('finalized block not found', -39_001) : undefined),
    /the block tag "finalized"/,
  ],
  ['a finalized block', ({ params }) => (params[0] === 'finalized' ? { result: null } : undefined), /the block tag "finalized"/],
  [
    'enough gas for its data',
    ({ method }) => (method === 'eth_estimateGas' ? { result: '0x1e8480' } : undefined),
    /takes 2000000 gas, and gasPercent 100 with gasPerByte 0 leave 80000/,
  ],
])('a node without %s contradicts the row', async (_, fate, expected) => {
  const { summaries } = await foundWith(fate)
  expect(summaries).toContainEqual(expect.stringMatching(expected))
})

test('a row with the right price of data fits', async () => {
  addNetwork({ ...networkRow(NETWORK), gasPerByte: 2_000 })
  const found = foundWith(({ method }) => (method === 'eth_estimateGas' ? { result: '0x1e8480' } : undefined))
  expect((await found.finally(resetNetworks)).summaries).toEqual([])
})

test.each(['rate limit exceeded', 'header not found', 'Internal error'])(
  'a node that says "%s" contradicts nothing: it is asked again',
  async (message) => {
    await expect(foundWith((call) => (namesHash(call) ? refuse(message) : undefined))).rejects.toThrow()
  },
)

test('a node that estimates no gas contradicts nothing', async () => {
  const found = await foundWith(({ method }) => (method === 'eth_estimateGas' ? refuse('method not found', -32_601) : undefined))
  expect(found.summaries).toEqual([])
})
