import type { Address, Hex, LocalAccount, TransactionReceipt } from 'viem'
import { usdcAbi } from './abi'
import { spawnAnvil } from './anvil'
import type { ContractName } from './artifacts'
import { stopChild } from './child'
import { type ChainClient, connect } from './client'
import { createDeployer, deployStandardContracts, place } from './contracts'
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
  /** Adds tokens, in atomic units, to an account; USDC if no other token is named. */
  mint: (address: Address, amount: bigint, token?: Address) => Promise<void>
  /** Tokens of an account, in atomic units; USDC if no other token is named. */
  tokens: (address: Address, token?: Address) => Promise<bigint>
  /** Puts a smart wallet (EIP-1271) of that owner on the chain. */
  deployWallet: (owner: Address) => Promise<Address>
  /** Puts a token on the chain that accepts every payment and moves nothing. */
  deploySilentToken: () => Promise<Address>
  /** Puts a token on the chain, at a given address if that has no code. */
  deployToken: (kind: keyof typeof tokens, options?: TokenOptions) => Promise<Address>
  /** Puts a factory of smart wallets on the chain, at a given address if that has no code. */
  deployFactory: (kind: FactoryKind, at?: Address) => Promise<Address>
  /** Delegates an account to code (EIP-7702): to this, or to the account of `@account-abstraction/contracts`. */
  delegate: (account: LocalAccount, implementation?: Address) => Promise<void>
  /** Sends a call from a funded account of its own. Throws if it reverts. */
  send: (to: Address, data: Hex) => Promise<TransactionReceipt>
  /** Adds blocks now. */
  mine: (blocks: number) => Promise<void>
  /** Replaces the newest blocks by empty ones; at most 64, and not on a chain that is kept on disk. */
  reorganise: (depth: number) => Promise<void>
  stop: () => Promise<void>
}

type TokenOptions = { name?: string; decimals?: number; at?: Address }
/** `simple account` is that of `@account-abstraction/contracts`; it refuses every caller but its EntryPoint. */
type FactoryKind = keyof typeof factories | 'simple account'

const factories = { wallets: 'WalletFactory', hostile: 'HostileFactory' } as const

/** Tokens by what they can do. The decimals of those made from USDC are always 6. */
const tokens = {
  /** EIP-3009 and EIP-2612, like USDC. */
  usdc: (name: string) => ['TestUsdc', [name, '2']],
  /** Approvals by transaction only. */
  plain: (name: string, decimals: number) => ['PlainToken', [name, decimals]],
  /** EIP-2612 without EIP-3009. Its version is 1. */
  permit: (name: string, decimals: number) => ['PermitToken', [name, decimals]],
  /** EIP-3009 for keys only: v, r and s. Its version is 1. */
  key: (name: string, decimals: number) => ['KeyToken', [name, decimals]],
  /** Like USDC, and lies as its mode says. */
  hostile: (name: string) => ['HostileToken', [name, '2']],
} satisfies Record<string, (name: string, decimals: number) => [ContractName, unknown[]]>

type Reorg = { Method: 'anvil_reorg'; Parameters: [number, []]; ReturnType: undefined }

/** Starts a local chain with USDC and Multicall3 at their real addresses; it ends with this process at the latest. */
export async function startChain(options: ChainOptions): Promise<Chain> {
  const { chainId, blockTimeSeconds, idleBlockTimeSeconds, stateFile } = options
  const { usdc, chain } = localNetwork(chainId)
  const mining = miningOf(options)
  const part = `the local ${chain.name}`
  const prepared = async () => {
    const spawned = await spawnAnvil({ chainId, port: options.port ?? 0, mining, stateFile })
    const url = `http://127.0.0.1:${spawned.port}`
    const client = connect(chainId, url)
    try {
      await deployStandardContracts(client, chainId)
      await client.setLoggingEnabled(false)
      return { ...spawned, url, client }
    } catch (cause) {
      await stopChild(spawned.child, 5_000)
      throw cause
    }
  }
  // One that hangs at its start never answers: the next try has a process of its own.
  const { child, pid, port, url, client } = await retryUntilAnswered(part, prepared, options)
  let stopMining = (): void => {}
  const stop = (): Promise<void> => {
    stopMining()
    return stopChild(child, 5_000)
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
    mint: (address, amount, token = usdc) => deployer.mint(token, address, amount),
    tokens: (address, token = usdc) =>
      client.readContract({ address: token, abi: usdcAbi, functionName: 'balanceOf', args: [address] }),
    deployWallet: (owner) => deployer.deploy('TestWallet', [owner]),
    deploySilentToken: () => deployer.deploy('SilentToken', []),
    deployToken: async (kind, { name = 'Test Dollar', decimals = 6, at } = {}) => {
      const [contract, args] = tokens[kind](name, decimals)
      if (at === undefined) return deployer.deploy(contract, args)
      await place(client, at, contract, args)
      return at
    },
    deployFactory: async (kind, at) => {
      if (kind === 'simple account') return deployer.deploy('SimpleAccountFactory', [await deployer.deploy('EntryPoint', [])])
      const contract = factories[kind]
      if (at === undefined) return deployer.deploy(contract, [])
      await place(client, at, contract, [])
      return at
    },
    delegate: async (account, implementation) =>
      deployer.delegate(account, implementation ?? (await deployer.deploy('Simple7702Account', []))),
    send: deployer.send,
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
