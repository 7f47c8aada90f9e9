import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseEther } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { usdcAbi } from './abi'
import { anvilBinary } from './anvil'
import { type Chain, startChain } from './chain'
import { multicallAddress } from './networks'

const account = privateKeyToAccount(generatePrivateKey())
let running: Chain[] = []
let folder = ''

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quittance-chain-'))
})
afterEach(async () => {
  await Promise.all(running.map((chain) => chain.stop()))
  running = []
  await rm(folder, { recursive: true, force: true })
})

async function start(options: Parameters<typeof startChain>[0]): Promise<Chain> {
  const chain = await startChain(options)
  running.push(chain)
  return chain
}

const read = (chain: Chain, functionName: 'name' | 'version' | 'DOMAIN_SEPARATOR') =>
  chain.client.readContract({ address: chain.usdc, abi: usdcAbi, functionName })
const balance = (chain: Chain) => chain.tokens(account.address)

describe('a chain', () => {
  test('two chains run side by side, each with its own USDC', async () => {
    const [sepolia, base] = await Promise.all([start({ chainId: 84532 }), start({ chainId: 8453 })])
    expect(await Promise.all([sepolia, base].map((chain) => chain.client.getChainId()))).toEqual([84532, 8453])
    expect([await read(sepolia, 'name'), await read(base, 'name')]).toEqual(['USDC', 'USD Coin'])
    expect([await read(sepolia, 'version'), await read(base, 'version')]).toEqual(['2', '2'])
    await sepolia.mint(account.address, 7n)
    expect([await balance(sepolia), await balance(base)]).toEqual([7n, 0n])
  })

  test('the multicall contract answers several calls at once', async () => {
    const chain = await start({ chainId: 84532 })
    const token = { address: chain.usdc, abi: usdcAbi } as const
    const contracts = [
      { ...token, functionName: 'decimals' },
      { ...token, functionName: 'transferFrom', args: [chain.usdc, account.address, 1n] },
    ] as const
    const answers = await chain.client.multicall({ contracts, multicallAddress })
    expect(answers.map((answer) => answer.status)).toEqual(['success', 'failure'])
    expect(answers[0]?.result).toBe(6)
  })

  test('many mints at once all land, on a chain with a long block time', async () => {
    const chain = await start({ chainId: 84532, blockTimeSeconds: 600 })
    await Promise.all([1n, 2n, 3n, 4n].map((amount) => chain.mint(account.address, amount)))
    expect(await balance(chain)).toBe(10n)
  })

  test('on an idle chain a transaction is mined at the block time', async () => {
    const chain = await start({ chainId: 84532, blockTimeSeconds: 0.05, idleBlockTimeSeconds: 600 })
    await chain.fund(account.address, parseEther('1'))
    const { client } = chain
    const hash = await client.sendTransaction({ account, chain: client.chain, to: chain.usdc, value: 0n, data: '0x06fdde03' })
    expect((await client.waitForTransactionReceipt({ hash })).status).toBe('success')
  })
})

describe('a chain that cannot start', () => {
  test('names the taken port and the remedy', async () => {
    const { port } = await start({ chainId: 84532 })
    await expect(startChain({ chainId: 8453, port })).rejects.toThrow(
      `Port ${port} is taken, so the local chain 8453 cannot listen on it; free it or choose another port`,
    )
  })

  test('names the damaged state file, and does not overwrite it', async () => {
    const stateFile = join(folder, 'state.json')
    await writeFile(stateFile, '{"block":')
    await expect(startChain({ chainId: 84532, stateFile })).rejects.toThrow(`state file ${stateFile} is damaged`)
  })

  test('says in one line that there is no chain for the platform', () => {
    const message = 'There is no local chain for this machine (sunos x64): the npm package @foundry-rs/anvil-sunos-amd64'
    expect(() => anvilBinary('sunos', 'x64')).toThrow(message)
  })
})

describe('a chain kept in a file', () => {
  test('restarts with its balances, nonces, receipts and height', async () => {
    const stateFile = join(folder, 'state.json')
    const before = await start({ chainId: 84532, stateFile })
    await before.fund(account.address, parseEther('1'))
    await before.mint(account.address, 42n)
    const { client } = before
    const hash = await client.sendTransaction({ account, chain: client.chain, to: before.usdc, data: '0x06fdde03' })
    const receipt = await client.waitForTransactionReceipt({ hash })
    await before.mine(3)
    const height = await client.getBlockNumber()
    await before.stop()

    const after = await start({ chainId: 84532, stateFile })
    expect(await balance(after)).toBe(42n)
    expect(await after.client.getTransactionCount({ address: account.address })).toBe(1)
    expect(await after.client.getTransactionReceipt({ hash })).toEqual(receipt)
    expect(await after.client.getBlockNumber()).toBe(height)
    await after.mint(account.address, 1n)
    expect(await balance(after)).toBe(43n)
    expect(await after.client.getBlockNumber()).toBe(height + 1n)
  })

  test('restarts after kill -9 with its state of the last second', async () => {
    const stateFile = join(folder, 'state.json')
    const before = await start({ chainId: 84532, stateFile })
    await before.mint(account.address, 42n)
    await vi.waitFor(
      async () => expect(JSON.parse(await readFile(stateFile, 'utf8'))).toMatchObject({ best_block_number: 1 }),
      20_000,
    )
    process.kill(before.pid, 'SIGKILL')

    const after = await start({ chainId: 84532, stateFile })
    expect(await balance(after)).toBe(42n)
  })
})
