/** The networks by CAIP-2 id, with their v1 names, stablecoin and EIP-712 domain. */
export const networks = {
  'eip155:8453': {
    family: 'evm',
    chainId: 8453,
    name: 'base',
    title: 'Base',
    testnet: false,
    asset: '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913',
    domain: { name: 'USD Coin', version: '2' },
  },
  'eip155:84532': {
    family: 'evm',
    chainId: 84532,
    name: 'base-sepolia',
    title: 'Base Sepolia',
    testnet: true,
    asset: '0x036cbd53842c5426634e7929541ec2318f3dcf7e',
    domain: { name: 'USDC', version: '2' },
  },
  'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp': {
    family: 'svm',
    name: 'solana',
    title: 'Solana',
    testnet: false,
    asset: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
  },
  'solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1': {
    family: 'svm',
    name: 'solana-devnet',
    title: 'Solana devnet',
    testnet: true,
    asset: '4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU',
  },
} as const satisfies Record<string, NetworkRow>

type NetworkRow = { name: string; title: string; testnet: boolean; asset: string } & (
  | { family: 'evm'; chainId: number; domain: { name: string; version: string } }
  | { family: 'svm' }
)

export type NetworkId = keyof typeof networks
export type EvmNetworkId = { [K in NetworkId]: (typeof networks)[K]['family'] extends 'evm' ? K : never }[NetworkId]
export type SvmNetworkId = Exclude<NetworkId, EvmNetworkId>

/** The ids of all known networks, in the order of the table. */
export const networkIds = Object.keys(networks).filter(isNetworkId)

/** Whether a string is the exact CAIP-2 id of a known network. */
export function isNetworkId(text: string): text is NetworkId {
  return Object.hasOwn(networks, text)
}

/** Whether a network settles EIP-3009 authorizations. */
export function isEvmNetwork(network: NetworkId): network is EvmNetworkId {
  return networks[network].family === 'evm'
}

// Names that v1 clients send for chains we do not serve: well-formed, so "not allowed" and not "unreadable".
const FOREIGN_V1_NAMES: ReadonlySet<string> = new Set(
  `abstract abstract-testnet avalanche avalanche-fuji iotex sei sei-testnet polygon polygon-amoy peaq story educhain
  skale-base-sepolia ethereum sepolia megaeth monad stable stable-testnet celo flare solana-testnet`.split(/\s+/),
)

const CAIP2 = /^[-a-z0-9]{3,8}:[-_a-zA-Z0-9]{1,32}$/
const byName = new Map<string, NetworkId>(networkIds.map((id) => [networks[id].name, id]))

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
  return networks[network].testnet ? 'testnet' : 'mainnet'
}

/** The networks of an environment. */
export function networksIn(environment: Environment): NetworkId[] {
  return networkIds.filter((id) => environmentOf(id) === environment)
}

/** A path prefix with its own `/settle`, `/verify` and `/supported`. */
export type Prefix = 'sandbox' | 'v1' | 'flash'

const keyed: readonly NetworkId[] = networkIds.filter((id) => networks[id].family === 'evm' || !networks[id].testnet)

/** The networks served below each prefix. */
export const prefixNetworks = {
  sandbox: networkIds.filter((id) => networks[id].testnet),
  v1: keyed,
  flash: keyed,
} as const satisfies Record<Prefix, readonly NetworkId[]>

/** The native coin of each network family. */
export const coins = {
  evm: { symbol: 'ETH', decimals: 18 },
  svm: { symbol: 'SOL', decimals: 9 },
} as const
