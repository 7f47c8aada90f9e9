import path from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Address, Hex } from 'viem'
import type { Profile } from './profile'
import type { RpcCount } from './rpc-count'

/** What the bench gives an adapter to start its facilitator with. */
export type AdapterContext = {
  /** The chain's JSON-RPC endpoint, behind a proxy that counts calls. */
  rpcUrl: string
  /** The chain without the proxy, for an adapter with its own `rpcCount`. */
  directRpcUrl: string
  /** The network's CAIP-2 id. */
  network: string
  /** The token that payers pay with. */
  asset: Address
  /** Private keys of funded accounts, one per lane; no other facilitator uses them. */
  signerKeys: readonly Hex[]
  /** The number of API keys that merchants use; ignore it if the facilitator has none. */
  apiKeys: number
  /** A free port to listen on. */
  port: number
  /** An empty folder for configuration and data. The bench deletes it. */
  folder: string
}

/** A facilitator that takes payments. */
export type Facilitator = {
  /** Its name in tables and in the picture. */
  name: string
  /** Below it are `POST /verify` and `POST /settle`. Requests use several URLs in turn, for example one per API key. */
  url: string | readonly string[]
  /** The x402 protocol version of the requests; 2 if unset. */
  version?: 1 | 2
  /** The process whose CPU and memory count. */
  pid: number
  /** Requests to the node since the start; the bench's proxy counts if unset. */
  rpcCount?: () => Promise<RpcCount>
  /** Starts a CPU profile; the returned function ends it. */
  startProfile?: () => () => Promise<Profile>
  stop: () => Promise<void>
}

/** Why an adapter cannot start its facilitator here. */
export type Skipped = { skipped: string }

/** The export `start` of an adapter. Resolves when the facilitator takes payments. */
export type Start = (context: AdapterContext) => Promise<Facilitator | Skipped>

/** Loads adapters from paths, relative to the working directory. Throws when one has no `start`. */
export function loadAdapters(files: readonly string[]): Promise<Start[]> {
  return Promise.all(files.map(loadAdapter))
}

async function loadAdapter(file: string): Promise<Start> {
  const adapter: { start?: unknown } = await import(pathToFileURL(path.resolve(file)).href)
  if (!isStart(adapter.start)) throw new Error(`${file} is not an adapter: it exports no function named start`)
  return adapter.start
}

function isStart(value: unknown): value is Start {
  return typeof value === 'function'
}
