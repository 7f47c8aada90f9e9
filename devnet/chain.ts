import type { Address } from 'viem'
import { usdcAbi } from './abi'
import { spawnAnvil } from './anvil'
import { stopChild } from './child'
import { type ChainClient, connect } from './client'
import { createHouse, furnish } from './furnish'
import { type ChainId, multicallAddress, networks } from './networks'
import { patiently } from './patience'
import { startPulse } from './pulse'

export type ChainOptions = {
  chainId: ChainId
  /** 0 or absent: any free one. */
  port?: number | undefined
  /** Fractions are fine; absent: a block for each transaction, at once. */
  blockTimeSeconds?: number | undefined
  /** With it, a minute after the last transaction blocks come only this often, so that a forgotten chain stays small. */
  idleBlockTimeSeconds?: number | undefined
  /** Where the chain is kept between runs. */
  stateFile?: string | undefined
  /** Hears what is waited for while the chain does not answer yet. */
  say?: ((line: string) => void) | undefined
  signal?: AbortSignal | undefined
}

export type Chain = {
  url: string
  port: number
  pid: number
  chainId: ChainId
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
  /** Adds blocks now, whatever the block time. */
  mine: (blocks: number) => Promise<void>
  /** Replaces the newest blocks by empty ones; at most 64, and not on a chain that is kept on disk. */
  reorganise: (depth: number) => Promise<void>
  stop: () => Promise<void>
}

type Reorg = { Method: 'anvil_reorg'; Parameters: [number, []]; ReturnType: undefined }

/** Starts a local chain with USDC and Multicall3 at their real addresses; it ends with this process at the latest. */
export async function startChain(options: ChainOptions): Promise<Chain> {
  const { chainId, blockTimeSeconds, idleBlockTimeSeconds, stateFile } = options
  const { child, pid, port } = await spawnAnvil({ chainId, port: options.port ?? 0, mining: miningOf(options), stateFile })
  const url = `http://127.0.0.1:${port}`
  const client = connect(chainId, url)
  const { usdc } = networks[chainId]
  let stopPulse = (): void => {}
  const stop = (): Promise<void> => {
    stopPulse()
    return stopChild(child, 5_000)
  }
  try {
    const { name } = networks[chainId].chain
    await patiently(`the local ${name}`, () => furnish(client, chainId), options)
    await client.setLoggingEnabled(false)
  } catch (cause) {
    await stop()
    throw cause
  }
  if (blockTimeSeconds !== undefined && idleBlockTimeSeconds !== undefined) {
    stopPulse = startPulse(client, blockTimeSeconds, idleBlockTimeSeconds)
  }
  const mine = (blocks: number): Promise<void> => client.mine({ blocks })
  const house = createHouse(client, chainId, () => (blockTimeSeconds === undefined ? Promise.resolve() : mine(1)))
  return {
    url,
    port,
    pid,
    chainId,
    usdc,
    multicall: multicallAddress,
    client,
    fund: (address, wei) => client.setBalance({ address, value: wei }),
    mint: (address, amount) => house.mint(usdc, address, amount),
    tokens: (address) => client.readContract({ address: usdc, abi: usdcAbi, functionName: 'balanceOf', args: [address] }),
    deployWallet: (owner) => house.deploy('TestWallet', [owner]),
    deploySilentToken: () => house.deploy('SilentToken', []),
    mine,
    reorganise: (depth) => client.request<Reorg>({ method: 'anvil_reorg', params: [depth, []] }),
    stop,
  }
}

function miningOf({ blockTimeSeconds, idleBlockTimeSeconds }: ChainOptions): 'instant' | 'manual' | { everySeconds: number } {
  if (blockTimeSeconds === undefined) return 'instant'
  return idleBlockTimeSeconds === undefined ? { everySeconds: blockTimeSeconds } : 'manual'
}
