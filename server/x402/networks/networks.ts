import { ALWAYS } from './always-on-networks'
import { builtInTestnets } from './built-in-testnets'
import { builtInTitles } from './built-in-titles'
import type { Asset, EvmAsset, EvmNetworkId, EvmRow, NetworkId, NetworkRow, SvmAsset, SvmNetworkId, SvmRow } from './rows'

export type { Asset, EvmAsset, EvmNetworkId, EvmRow, NetworkId, NetworkRow, SvmAsset, SvmNetworkId, SvmRow }

/** A path prefix with its own `/settle`, `/verify` and `/supported`. */
export type Prefix = 'sandbox' | 'v1' | 'flash'

type Registry = {
  rows: Map<string, NetworkRow>
  ids: NetworkId[]
  byName: Map<string, NetworkId>
  served: Record<Prefix, NetworkId[]>
  added: Map<EvmNetworkId, EvmRow>
}

// Next bundles hold their own copies of this module, so the rows of a process are found by a name that all copies share.
const KEY = Symbol.for('quittance networks')

function registry(): Registry {
  const known: unknown = Reflect.get(globalThis, KEY)
  if (known) return known as Registry
  const empty = { rows: new Map(), ids: [], byName: new Map(), served: { sandbox: [], v1: [], flash: [] }, added: new Map() }
  Object.assign(globalThis, { [KEY]: empty })
  return empty
}

const { rows, ids, byName, served, added } = registry()

/** The ids of all known networks: Base and Solana first, then those that were added. Grows with `addNetwork`. */
export const networkIds: readonly NetworkId[] = ids

/** The networks that each prefix may serve. Grows with `addNetwork`. */
export const prefixNetworks: Readonly<Record<Prefix, readonly NetworkId[]>> = served

function add(id: NetworkId, row: NetworkRow): void {
  const before = rows.get(id)
  if (before) byName.delete(before.name)
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
  added.set(id, row)
  return id
}

/** Forgets all added networks, for tests, which share a process. */
export function resetNetworks(): void {
  for (const list of [ids, ...Object.values(served)]) list.length = 0
  for (const known of [rows, byName, added]) known.clear()
  for (const [id, row] of ALWAYS) add(id, row)
}

/** The EVM rows that were added to this process: what a browser must know too. */
export function addedNetworks(): EvmRow[] {
  return [...added.values()]
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

/** Names that version 1 clients send for other chains, with the chain id: well-formed, so "not allowed" and not "unreadable". */
export const foreignNames: ReadonlyMap<string, number> = new Map(
  Object.entries({
    abstract: 2_741,
    'abstract-testnet': 11_124,
    avalanche: 43_114,
    'avalanche-fuji': 43_113,
    iotex: 4_689,
    sei: 1_329,
    'sei-testnet': 1_328,
    polygon: 137,
    'polygon-amoy': 80_002,
    peaq: 3_338,
    story: 1_514,
    educhain: 41_923,
    'skale-base-sepolia': 324_705_682,
    ethereum: 1,
    sepolia: 11_155_111,
    megaeth: 4_326,
    monad: 143,
    stable: 988,
    'stable-testnet': 2_201,
    celo: 42_220,
    flare: 14,
    'solana-testnet': 0,
  }),
)

const CAIP2 = /^[-a-z0-9]{3,8}:[-_a-zA-Z0-9]{1,32}$/

/** Reads a network that a caller wrote as CAIP-2 id or v1 name: known, well-formed but foreign, or null. */
export function readNetwork(text: string): { known: NetworkId } | { foreign: string } | null {
  if (isNetworkId(text)) return { known: text }
  const named = byName.get(text)
  if (named) return { known: named }
  return CAIP2.test(text) || foreignNames.has(text) ? { foreign: text } : null
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

/**
 * The environment of a network of the past, which may have left the configuration: a built-in testnet stays one. An id that is not known
 * counts as real money.
 */
export function pastEnvironmentOf(network: string): Environment {
  return pastTestnets().includes(network) ? 'testnet' : 'mainnet'
}

/** The title of a network of the past: a built-in one keeps it while it is off. The id of any other. */
export function networkTitle(network: string): string {
  if (isNetworkId(network)) return networkRow(network).title
  return builtInTitles.get(Number(/^eip155:(\d+)$/.exec(network)?.[1])) ?? network
}

/** The ids of all testnets of which rows may be kept: those that are known, and the built-in ones that are off. */
export function pastTestnets(): string[] {
  return [...new Set<string>([...networksIn('testnet'), ...builtInTestnets.map((chainId) => `eip155:${chainId}`)])]
}

/** The networks of an environment. */
export function networksIn(environment: Environment): NetworkId[] {
  return networkIds.filter((id) => environmentOf(id) === environment)
}

for (const [id, row] of ALWAYS) if (!rows.has(id)) add(id, row)
