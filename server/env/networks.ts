import type { Hex } from 'viem'
import { z } from 'zod'
import { ALWAYS } from '../x402/networks/always-on-networks'
import type { builtInNetworks } from '../x402/networks/built-in-networks'
import { addNetwork } from '../x402/networks/networks'
import type { EvmRow } from '../x402/networks/rows'
import { knownRows, type ListedNetwork, networkList } from './network-rows'
import { keys, urls } from './values'

type Snake<S extends string> = S extends `${infer First}-${infer Rest}` ? `${First}_${Snake<Rest>}` : S
/** How the variables of a network begin: `ARBITRUM_SEPOLIA`. */
type Prefix = Uppercase<Snake<(typeof builtInNetworks)[number]['name'] | 'base' | 'base-sepolia'>>

type Variables = Record<`${Prefix}_${'' | 'FLASH_' | 'SEND_'}RPC_URL`, typeof urls> &
  Record<`${Prefix}_SIGNER_KEYS`, typeof keys> & { EVM_NETWORKS: typeof networkList }

/** How the variables of a built-in network begin: `ARBITRUM_SEPOLIA` for arbitrum-sepolia. */
export function prefixOf(row: Pick<EvmRow, 'name'>): Prefix {
  // A network that is not built in has no variables, so its prefix is never read.
  return row.name.toUpperCase().replaceAll('-', '_') as Prefix
}

/** The variables that say which EVM networks a process serves. */
export const networkVariables: Variables = variables()

function variables(): Variables {
  const each = knownRows.flatMap((row) => [
    [`${prefixOf(row)}_RPC_URL`, urls],
    [`${prefixOf(row)}_FLASH_RPC_URL`, urls],
    [`${prefixOf(row)}_SEND_RPC_URL`, urls],
    [`${prefixOf(row)}_SIGNER_KEYS`, keys],
  ])
  // The names follow from the same rows as the type.
  return { EVM_NETWORKS: networkList, ...Object.fromEntries(each) } as Variables
}

type NetworksEnv = z.output<z.ZodObject<Variables>>

/** An EVM network of this process: its row, endpoints and signers. */
export type EvmNetwork = {
  row: EvmRow
  urls: string[]
  flashUrls: string[]
  /** Endpoints that alone get its transactions; empty: `urls`. */
  sendUrls: string[]
  /** Signers of its own for the keyed prefixes; empty: EVM_SIGNER_KEYS. */
  signerKeys: Hex[]
  /** Whether its row says that the process is ready only with it. */
  required: boolean
  /** Where the operator wrote endpoints and keys. */
  names: { urls: string; flashUrls: string; sendUrls: string; signerKeys: string }
}

const LISTED = 'EVM_NETWORKS'

/** The EVM networks that the environment names: Base and Base Sepolia always, others with an endpoint. */
export function evmNetworks(env: NetworksEnv): EvmNetwork[] {
  const listed = new Map(env.EVM_NETWORKS.map((entry) => [entry.row.chainId, entry]))
  const known = knownRows.map((row) => builtIn(env, row, listed.get(row.chainId)))
  const ids = new Set(knownRows.map(({ chainId }) => chainId))
  const others = env.EVM_NETWORKS.filter(({ row }) => !ids.has(row.chainId)).map(
    ({ row, rpc, flashRpc, sendRpc, signerKeys, required }): EvmNetwork => ({
      row,
      urls: rpc ?? [],
      flashUrls: flashRpc ?? [],
      sendUrls: sendRpc ?? [],
      signerKeys: signerKeys ?? [],
      required,
      names: { urls: LISTED, flashUrls: LISTED, sendUrls: LISTED, signerKeys: LISTED },
    }),
  )
  const always = new Set(ALWAYS.map(([id]) => id))
  return [...known, ...others].filter(({ row, urls }) => urls.length > 0 || always.has(`eip155:${row.chainId}`))
}

function builtIn(env: NetworksEnv, row: EvmRow, entry: ListedNetwork | undefined): EvmNetwork {
  const prefix = prefixOf(row)
  const names = {
    urls: `${prefix}_RPC_URL`,
    flashUrls: `${prefix}_FLASH_RPC_URL`,
    sendUrls: `${prefix}_SEND_RPC_URL`,
    signerKeys: `${prefix}_SIGNER_KEYS`,
  } as const
  return {
    row: entry?.row ?? row,
    urls: entry?.rpc ?? env[names.urls],
    flashUrls: entry?.flashRpc ?? env[names.flashUrls],
    sendUrls: entry?.sendRpc ?? env[names.sendUrls],
    signerKeys: entry?.signerKeys ?? env[names.signerKeys],
    required: entry?.required ?? false,
    names: {
      urls: entry?.rpc ? LISTED : names.urls,
      flashUrls: entry?.flashRpc ? LISTED : names.flashUrls,
      sendUrls: entry?.sendRpc ? LISTED : names.sendUrls,
      signerKeys: entry?.signerKeys ? LISTED : names.signerKeys,
    },
  }
}

/** Makes the networks of an environment known to this process, if its network variables are valid. */
export function addNetworksOf(source: Record<string, string | undefined>): void {
  const parsed = z.object(networkVariables).safeParse(source)
  if (!parsed.success) return
  for (const { row } of evmNetworks(parsed.data)) if (!isAsBuilt(row)) addNetwork(row)
}

/** Whether a row is one that every process knows, unchanged. */
export function isAsBuilt(row: EvmRow): boolean {
  return ALWAYS.some(([, always]) => always === row)
}
