import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type RpcProxy, startRpcProxy } from '../test/rpc-proxy'
import { type Chain, startChain } from './chain'
import { connect } from './client'
import { createHouse } from './furnish'
import { patiently } from './patience'
import { connectSolana } from './solana/client'

let chain: Chain
let node: RpcProxy
beforeAll(async () => {
  chain = await startChain({ chainId: 84532 })
  node = await startRpcProxy(chain.url)
})
beforeEach(() => node.calm())
afterAll(() => Promise.all([chain.stop(), node.close()]))

const chainId = () => connect(84532, node.url).getChainId()

test('a chain that does not answer yet is asked again, and it is said once what is waited for', async () => {
  const said: string[] = []
  let cut = 0
  node.receive(() => (++cut <= 2 ? 'cut' : undefined))
  expect(await patiently('the local Base Sepolia', chainId, { say: (line) => said.push(line) })).toBe(84532)
  expect([cut, said]).toEqual([3, ['Waiting for the local Base Sepolia to answer; a busy machine may take a minute.']])
})

test('a chain that never answers is named when the wait is over', async () => {
  node.receive(() => 'cut')
  await expect(patiently('the local Base Sepolia', chainId, { forMs: 0 })).rejects.toThrow(
    /^the local Base Sepolia did not answer within 0 s: HTTP request failed/,
  )
  const solana = connectSolana('devnet', node.url)
  await expect(patiently('the local Solana', () => solana.balance(solana.mint), { forMs: 0 })).rejects.toThrow(
    /^the local Solana did not answer within 0 s: fetch failed/,
  )
})

test('what a chain refuses is no silence, and whoever stops waiting stops at once', async () => {
  node.disturb(() => ({ error: { code: -32_000, message: 'no' } }))
  await expect(patiently('the local Base Sepolia', chainId)).rejects.toThrow('Details: no')
  node.calm()
  node.receive(() => 'cut')
  const interrupted = new AbortController()
  const waiting = patiently('the local Base Sepolia', chainId, { signal: interrupted.signal, say: () => interrupted.abort() })
  await expect(waiting).rejects.toThrow('aborted')
})

test('who mints goes on after a send whose answer was lost', async () => {
  const house = createHouse(connect(84532, node.url), 84532, () => Promise.resolve())
  const { address } = privateKeyToAccount(generatePrivateKey())
  let lost = false
  node.disturb(({ method }) => {
    if (lost || method !== 'eth_sendRawTransaction') return undefined
    lost = true
    return 'cut'
  })
  await expect(house.mint(chain.usdc, address, 1n)).rejects.toThrow('HTTP request failed')
  await house.mint(chain.usdc, address, 2n)
  expect(await chain.tokens(address)).toBe(2n)
})
