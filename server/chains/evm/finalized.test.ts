import { numberToHex } from 'viem'
import { expect, test } from 'vitest'
import { testLog } from '../../../test/support/logs'
import { type Answering, fakeNode, say } from '../../../test/support/nodes/scripted-node'
import { createEvmChain } from './chain'
import { createNodes } from './rpc'

const NETWORK = 'eip155:84532'

/** A node that calls this block finalized, below this newest one. */
const node =
  (finalized: bigint | null, newest: bigint): Answering =>
  (questions, response) =>
    say(
      response,
      questions.map(({ id, method, params }) => {
        if (method === 'eth_chainId') return { jsonrpc: '2.0', id, result: '0x14a34' }
        const number = params[0] === 'finalized' ? finalized : newest
        return { jsonrpc: '2.0', id, result: number === null ? null : { number: numberToHex(number) } }
      }),
    )

async function finalizedBy(...nodes: Answering[]): Promise<bigint> {
  const urls = await Promise.all(nodes.map(async (answering) => (await fakeNode(answering)).url))
  const { rpc, nodes: endpoints } = createNodes(urls, NETWORK, testLog())
  return createEvmChain(NETWORK, rpc, endpoints).finalizedBlock()
}

test('a finalized block is never above the newest one of its node', async () => {
  expect(await finalizedBy(node(2n ** 40n, 120n))).toBe(120n)
  expect(await finalizedBy(node(100n, 120n))).toBe(100n)
})

test('of two endpoints the lower finalized block counts, and of three the one that two have reached', async () => {
  expect(await finalizedBy(node(119n, 120n), node(100n, 120n))).toBe(100n)
  expect(await finalizedBy(node(119n, 120n), node(100n, 120n), node(101n, 120n))).toBe(101n)
})

test('one of two endpoints alone finalizes nothing', async () => {
  await expect(finalizedBy(node(100n, 120n), node(null, 120n))).rejects.toThrow('no two endpoints')
})
