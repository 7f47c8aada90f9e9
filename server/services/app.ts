import type { EvmChain } from '../chains/evm/chain'
import type { Log } from '../log'
import type { Engine } from '../settlement/engine'
import type { Db } from '../store/database'
import type { NetworkId } from '../x402/networks'
import type { RateLimit } from './rate-limit'

/** What the use cases are given. Built once per process (server/boot.ts); tests build their own. */
export type App = {
  config: AppConfig
  db: Db
  engine: Engine
  /** The configured networks, each with the addresses that send for it. */
  networks: ReadonlyMap<NetworkId, ConfiguredNetwork>
  rateLimit: RateLimit
  now: () => Date
  log: Log
}

export type ConfiguredNetwork = { chain: EvmChain; signers: readonly string[] }

export type AppConfig = {
  /** The public origin, without a trailing slash. */
  baseUrl: string
  /** Where `GET /` leads. */
  operatorUrl: string
  /** The least amount worth a transaction, in atomic units. */
  minPayment: bigint
}

/** The time in whole Unix seconds, as chains count it. */
export function unixNow(app: Pick<App, 'now'>): bigint {
  return BigInt(Math.floor(app.now().getTime() / 1_000))
}
