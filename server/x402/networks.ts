import { TOKEN_PROGRAM } from './schemes/exact-svm/programs'

/** A token that we settle. Amounts of it are whole numbers of its smallest unit. */
export type Asset = { address: string; symbol: string; decimals: number }

/** A token of an EVM network; its address is lower case. */
export type EvmAsset = Asset & {
  address: `0x${string}`
  /** Its EIP-712 domain. */
  domain: { name: string; version: string }
  /** How payers sign a transfer: the token's own EIP-3009, or Permit2. */
  method: 'eip3009' | 'permit2'
  /** Whether it has EIP-2612 permits, with which a payer approves Permit2 without gas. */
  permits?: boolean
}

type Shared = {
  /** The name that x402 version 1 uses. */
  name: string
  title: string
  testnet: boolean
  /** `suffix` selects a cluster. */
  explorer: { name: string; url: string; suffix?: string } | null
  coin: { symbol: string; decimals: number }
}

/** An EVM network. The first asset is what "$0.10" means there. */
export type EvmRow = Shared & {
  family: 'evm'
  chainId: number
  assets: readonly [EvmAsset, ...EvmAsset[]]
  /** Seconds between blocks, as expected. */
  blockSeconds: number
  /** How a transaction names its price. */
  fees: 'eip1559' | 'legacy'
  /** Blocks on top of a payment after which it is safe; null: FINALITY_DEPTH. */
  depth: number | null
  multicall: `0x${string}`
}

/** A token of a Solana cluster; its address is the mint. */
export type SvmAsset = Asset & {
  /** The token program that its mint belongs to. */
  program: string
}

/** A Solana cluster. */
export type SvmRow = Shared & { family: 'svm'; assets: readonly [SvmAsset, ...SvmAsset[]] }

export type NetworkRow = EvmRow | SvmRow

export type EvmNetworkId = `eip155:${number}`
export type SvmNetworkId = 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp' | 'solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1'
/** The CAIP-2 id of a network that this process serves or could serve. */
export type NetworkId = EvmNetworkId | SvmNetworkId

const ether = { symbol: 'ETH', decimals: 18 } as const
const sol = { symbol: 'SOL', decimals: 9 } as const
const base = { family: 'evm', coin: ether, blockSeconds: 2, fees: 'eip1559', depth: null } as const

/** Multicall3 has this address on nearly every network. */
export const MULTICALL = '0xca11bde05977b3631167028862be2a173976ca11'

const usdc = { symbol: 'USDC', decimals: 6 } as const

const ALWAYS: readonly [NetworkId, NetworkRow][] = [
  [
    'eip155:8453',
    {
      ...base,
      chainId: 8453,
      name: 'base',
      title: 'Base',
      testnet: false,
      assets: [
        {
          ...usdc,
          address: '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913',
          domain: { name: 'USD Coin', version: '2' },
          method: 'eip3009',
          permits: true,
        },
      ],
      explorer: { name: 'BaseScan', url: 'https://basescan.org' },
      multicall: MULTICALL,
    },
  ],
  [
    'eip155:84532',
    {
      ...base,
      chainId: 84532,
      name: 'base-sepolia',
      title: 'Base Sepolia',
      testnet: true,
      assets: [
        {
          ...usdc,
          address: '0x036cbd53842c5426634e7929541ec2318f3dcf7e',
          domain: { name: 'USDC', version: '2' },
          method: 'eip3009',
          permits: true,
        },
      ],
      explorer: { name: 'BaseScan', url: 'https://sepolia.basescan.org' },
      multicall: MULTICALL,
    },
  ],
  [
    'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp',
    {
      family: 'svm',
      name: 'solana',
      title: 'Solana',
      testnet: false,
      coin: sol,
      assets: [{ ...usdc, program: TOKEN_PROGRAM, address: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v' }],
      explorer: { name: 'Solana Explorer', url: 'https://explorer.solana.com' },
    },
  ],
  [
    'solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1',
    {
      family: 'svm',
      name: 'solana-devnet',
      title: 'Solana devnet',
      testnet: true,
      coin: sol,
      assets: [{ ...usdc, program: TOKEN_PROGRAM, address: '4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU' }],
      explorer: { name: 'Solana Explorer', url: 'https://explorer.solana.com', suffix: '?cluster=devnet' },
    },
  ],
]

const rows = new Map<string, NetworkRow>()
const ids: NetworkId[] = []
const byName = new Map<string, NetworkId>()
const served: Record<Prefix, NetworkId[]> = { sandbox: [], v1: [], flash: [] }

/** A path prefix with its own `/settle`, `/verify` and `/supported`. */
export type Prefix = 'sandbox' | 'v1' | 'flash'

/** The ids of all known networks: Base and Solana first, then those that were added. Grows with `addNetwork`. */
export const networkIds: readonly NetworkId[] = ids

/** The networks that each prefix may serve. Grows with `addNetwork`. */
export const prefixNetworks: Readonly<Record<Prefix, readonly NetworkId[]>> = served

function add(id: NetworkId, row: NetworkRow): void {
  rows.set(id, row)
  byName.set(row.name, id)
  if (ids.includes(id)) return
  ids.push(id)
  if (row.testnet) served.sandbox.push(id)
  const keyed = row.family === 'evm' || !row.testnet
  if (keyed) for (const prefix of ['v1', 'flash'] as const) served[prefix].push(id)
}

/**
 * Makes an EVM network known to this process, or replaces what is known of it. Called at the start, before anything is served: a
 * network that was not added is a foreign one.
 */
export function addNetwork(row: EvmRow): EvmNetworkId {
  const id: EvmNetworkId = `eip155:${row.chainId}`
  add(id, row)
  return id
}

/** Changes the further tokens of a cluster; its USDC stays first. */
export function setMints(network: SvmNetworkId, change: (further: readonly SvmAsset[]) => readonly SvmAsset[]): void {
  const row = networkRow(network)
  const [main, ...further] = row.assets
  rows.set(network, { ...row, assets: [main, ...change(further)] })
}

/** Whether a string is the exact CAIP-2 id of a known network. */
export function isNetworkId(text: string): text is NetworkId {
  return rows.has(text)
}

/** Whether a network is an EVM network. */
export function isEvmNetwork(network: NetworkId): network is EvmNetworkId {
  return networkRow(network).family === 'evm'
}

/** What is known of a network. Throws on an id that `isNetworkId` does not hold of. */
export function networkRow(network: EvmNetworkId): EvmRow
export function networkRow(network: SvmNetworkId): SvmRow
export function networkRow(network: NetworkId): NetworkRow
export function networkRow(network: NetworkId): NetworkRow {
  const row = rows.get(network)
  if (!row) throw new Error(`the network ${network} is not known`)
  return row
}

/** The token that "$0.10" means on a network. */
export function mainAsset(network: EvmNetworkId): EvmAsset
export function mainAsset(network: SvmNetworkId): SvmAsset
export function mainAsset(network: NetworkId): Asset
export function mainAsset(network: NetworkId): Asset {
  return networkRow(network).assets[0]
}

/** A token of a network by its address, lower case on EVM. Null for one that is not settled. */
export function assetOn(network: EvmNetworkId, address: string): EvmAsset | null
export function assetOn(network: SvmNetworkId, address: string): SvmAsset | null
export function assetOn(network: NetworkId, address: string): Asset | null
export function assetOn(network: NetworkId, address: string): Asset | null {
  return networkRow(network).assets.find((asset) => asset.address === address) ?? null
}

// Names that v1 clients send for chains we do not serve: well-formed, so "not allowed" and not "unreadable".
const FOREIGN_V1_NAMES: ReadonlySet<string> = new Set(
  `abstract abstract-testnet avalanche avalanche-fuji iotex sei sei-testnet polygon polygon-amoy peaq story educhain
  skale-base-sepolia ethereum sepolia megaeth monad stable stable-testnet celo flare solana-testnet`.split(/\s+/),
)

const CAIP2 = /^[-a-z0-9]{3,8}:[-_a-zA-Z0-9]{1,32}$/

/** Reads a network that a caller wrote as CAIP-2 id or v1 name: known, well-formed but foreign, or null. */
export function readNetwork(text: string): { known: NetworkId } | { foreign: string } | null {
  if (isNetworkId(text)) return { known: text }
  const named = byName.get(text)
  if (named) return { known: named }
  return CAIP2.test(text) || FOREIGN_V1_NAMES.has(text) ? { foreign: text } : null
}

/** Whether money has value: credits bought on testnets settle on testnets only. */
export const environments = ['mainnet', 'testnet'] as const

export type Environment = (typeof environments)[number]

/** What a kind of account sees before its first settlement: a merchant begins with test money. */
export function environmentAtFirst(kind: string | undefined): Environment {
  return kind === 'merchant' ? 'testnet' : 'mainnet'
}

/** The environment of a network. */
export function environmentOf(network: NetworkId): Environment {
  return networkRow(network).testnet ? 'testnet' : 'mainnet'
}

/** The networks of an environment. */
export function networksIn(environment: Environment): NetworkId[] {
  return networkIds.filter((id) => environmentOf(id) === environment)
}

for (const [id, row] of ALWAYS) add(id, row)
