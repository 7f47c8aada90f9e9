import type { Address } from 'viem'
import { usdcAbi } from './abi'
import { spawnAnvil } from './anvil'
import { stopChild } from './child'
import { type ChainClient, connect } from './client'
import { createDeployer, deployStandardContracts } from './contracts'
import { localNetwork, multicallAt } from './networks'
import { retryUntilAnswered } from './retry'

export type ChainOptions = {
  /** Of a local world, or of an added row (`addLocalNetwork`). */
  chainId: number
  /** 0 or absent: any free one. */
  port?: number | undefined
  /** Fractions are fine; absent: a block for each transaction, at once. */
  blockTimeSeconds?: number | undefined
  /** If set, blocks come this often once a minute passed without a transaction, so that an idle chain stays small. */
  idleBlockTimeSeconds?: number | undefined
  /** Where the chain is kept between runs. */
  stateFile?: string | undefined
  /** Receives a line that names the chain while it does not answer yet. */
  say?: ((line: string) => void) | undefined
  signal?: AbortSignal | undefined
}

export type Chain = {
  url: string
  port: number
  pid: number
  chainId: number
  usdc: Address
  multicall: Address
  client: ChainClient
  /** Sets an account's balance of ether. */
  fund: (address: Address, wei: bigint) => Promise<void>
  /** Adds USDC, in atomic units, to an account. */
  mint: (address: Address, amount: bigint) => Promise<void>
  /** USDC of an account, in atomic units. */
  tokens: (address: Address) => Promise<bigint>
  /** Puts a smart wallet (EIP-1271) of that owner on the chain. */
  deployWallet: (owner: Address) => Promise<Address>
  /** Puts a token on the chain that accepts every payment and moves nothing. */
  deploySilentToken: () => Promise<Address>
  /** Adds blocks now. */
  mine: (blocks: number) => Promise<void>
  /** Replaces the newest blocks by empty ones; at most 64, and not on a chain that is kept on disk. */
  reorganise: (depth: number) => Promise<void>
  stop: () => Promise<void>
}

type Reorg = { Method: 'anvil_reorg'; Parameters: [number, []]; ReturnType: undefined }

/** Starts a local chain with USDC and Multicall3 at their real addresses; it ends with this process at the latest. */
export async function startChain(options: ChainOptions): Promise<Chain> {
  const { chainId, blockTimeSeconds, idleBlockTimeSeconds, stateFile } = options
  const { usdc, chain } = localNetwork(chainId)
  const mining = miningOf(options)
  const part = `the local ${chain.name}`
  const spawning = () => spawnAnvil({ chainId, port: options.port ?? 0, mining, stateFile })
  const { child, pid, port } = await retryUntilAnswered(part, spawning, options)
  const url = `http://127.0.0.1:${port}`
  const client = connect(chainId, url)
  let stopMining = (): void => {}
  const stop = (): Promise<void> => {
    stopMining()
    return stopChild(child, 5_000)
  }
  const prepare = async (): Promise<void> => {
    await deployStandardContracts(client, chainId)
    await client.setLoggingEnabled(false)
  }
  try {
    await retryUntilAnswered(part, prepare, options)
  } catch (cause) {
    await stop()
    throw cause
  }
  if (blockTimeSeconds !== undefined && idleBlockTimeSeconds !== undefined) {
    stopMining = startMining(client, blockTimeSeconds, idleBlockTimeSeconds)
  }
  const mine = (blocks: number): Promise<void> => client.mine({ blocks })
  const deployer = createDeployer(client, chainId, () => (blockTimeSeconds === undefined ? Promise.resolve() : mine(1)))
  return {
    url,
    port,
    pid,
    chainId,
    usdc,
    multicall: multicallAt(chain),
    client,
    fund: (address, wei) => client.setBalance({ address, value: wei }),
    mint: (address, amount) => deployer.mint(usdc, address, amount),
    tokens: (address) => client.readContract({ address: usdc, abi: usdcAbi, functionName: 'balanceOf', args: [address] }),
    deployWallet: (owner) => deployer.deploy('TestWallet', [owner]),
    deploySilentToken: () => deployer.deploy('SilentToken', []),
    mine,
    reorganise: (depth) => client.request<Reorg>({ method: 'anvil_reorg', params: [depth, []] }),
    stop,
  }
}

function miningOf({ blockTimeSeconds, idleBlockTimeSeconds }: ChainOptions): 'instant' | 'manual' | { everySeconds: number } {
  if (blockTimeSeconds === undefined) return 'instant'
  return idleBlockTimeSeconds === undefined ? { everySeconds: blockTimeSeconds } : 'manual'
}

const lingerMs = 60_000

/** Mines at the block time while transactions come and for a minute after, then at the idle block time. Returns the function that stops it. */
function startMining(client: ChainClient, blockTimeSeconds: number, idleBlockTimeSeconds: number): () => void {
  let busyUntil = 0
  let lastBlock = 0
  let stopped = false
  let lost = false
  const tick = async (): Promise<void> => {
    try {
      const now = Date.now()
      const { pending } = await client.getTxpoolStatus()
      if (pending > 0) busyUntil = now + lingerMs
      if (now < busyUntil || now - lastBlock >= idleBlockTimeSeconds * 1_000) {
        await client.mine({ blocks: 1 })
        lastBlock = now
        lost = false
      }
    } catch (cause) {
      // The chain may end a moment before its mining is stopped.
      if (!stopped && !lost)
        console.error(`The local ${client.chain.name} does not answer: ${cause instanceof Error ? cause.name : cause}`)
      lost = true
    }
    if (!stopped) timer = setTimeout(tick, blockTimeSeconds * 1_000)
  }
  let timer = setTimeout(tick, 0)
  return () => {
    stopped = true
    clearTimeout(timer)
  }
}
