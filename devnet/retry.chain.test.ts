import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { type RpcProxy, startRpcProxy } from '../test/support/nodes/faulty-node'
import { type Chain, startChain } from './chain'
import { connect } from './client'
import { createDeployer } from './contracts'
import { NoAnswerError, retryUntilAnswered, withoutRepeats } from './retry'
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

test('a chain that does not answer yet is asked again, and one line names it', async () => {
  const said: string[] = []
  let cut = 0
  node.receive(() => (++cut <= 2 ? 'cut' : undefined))
  expect(await retryUntilAnswered('the local Base Sepolia', chainId, { say: (line) => said.push(line) })).toBe(84532)
  expect([cut, said]).toEqual([3, ['Waiting for the local Base Sepolia to answer; a busy machine may take a minute.']])
})

test('a chain that never answers is named in the error', async () => {
  node.receive(() => 'cut')
  await expect(retryUntilAnswered('the local Base Sepolia', chainId, { forMs: 0 })).rejects.toThrow(
    /^the local Base Sepolia did not answer within 0 s: HTTP request failed/,
  )
  const solana = connectSolana('devnet', node.url)
  await expect(retryUntilAnswered('the local Solana', () => solana.balance(solana.mint), { forMs: 0 })).rejects.toThrow(
    /^the local Solana did not answer within 0 s: fetch failed/,
  )
})

test('a part that takes long to start is named after five seconds, while it starts', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const said: string[] = []
  let start = (_: string): void => {}
  const started = new Promise<string>((resolve) => {
    start = resolve
  })
  const waiting = retryUntilAnswered('the local Solana', () => started, { say: (line) => said.push(line) })
  await vi.advanceTimersByTimeAsync(4_999)
  expect(said).toEqual([])
  await vi.advanceTimersByTimeAsync(1)
  expect(said).toEqual(['Waiting for the local Solana to answer; a busy machine may take a minute.'])
  start('started')
  expect(await waiting).toBe('started')
})

test('work says by its own error that it got no answer', async () => {
  const answers = [new NoAnswerError('not yet'), undefined]
  await retryUntilAnswered('the chain', async () => {
    const error = answers.shift()
    if (error) throw error
  })
  expect(answers).toEqual([])
})

test('several steps that wait for one part print its line once', () => {
  const said: string[] = []
  const say = withoutRepeats((line) => said.push(line))
  for (const line of ['a', 'b', 'a']) say(line)
  expect(said).toEqual(['a', 'b'])
})

test('an error answer is not retried, and an interruption ends the wait at once', async () => {
  node.disturb(() => ({ error: { code: -32_000, message: 'no' } }))
  await expect(retryUntilAnswered('the local Base Sepolia', chainId)).rejects.toThrow('Details: no')
  node.calm()
  node.receive(() => 'cut')
  const interrupted = new AbortController()
  const waiting = retryUntilAnswered('the local Base Sepolia', chainId, {
    signal: interrupted.signal,
    say: () => interrupted.abort(),
  })
  await expect(waiting).rejects.toThrow('aborted')
})

test('a deployer goes on after a send without an answer', async () => {
  const deployer = createDeployer(connect(84532, node.url), 84532, () => Promise.resolve())
  const { address } = privateKeyToAccount(generatePrivateKey())
  let lost = false
  node.disturb(({ method }) => {
    if (lost || method !== 'eth_sendRawTransaction') return undefined
    lost = true
    return 'cut'
  })
  await expect(deployer.mint(chain.usdc, address, 1n)).rejects.toThrow('HTTP request failed')
  await deployer.mint(chain.usdc, address, 2n)
  expect(await chain.tokens(address)).toBe(2n)
})
