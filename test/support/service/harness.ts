import type { LocalAccount } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { type Chain, startChain } from '../../../devnet/chain'
import type { Log } from '../../../server/base/log'
import { createApp, type RunningApp, type Seams } from '../../../server/boot/app'
import { deadlinesOf } from '../../../server/boot/engine'
import { readEnv } from '../../../server/env/env'
import { fundedKey } from '../chain/funded-key'
import { type FreshDatabase, freshDatabase } from '../database/database'
import { keepSecrets, testLog } from '../logs'
import { inParts, type Keep } from '../parts'
import { until } from '../until'

export const ADMIN_KEY = 'the-admin-key-of-the-tests-0123456789'

export type HarnessOptions = {
  blockTimeSeconds?: number
  /** Sandbox signers, each with its lane; 1 if unset. */
  lanes?: number
  /** Also starts signers of the keyed prefixes. */
  production?: boolean
  /** The networks whose lanes must be ready; all if unset. */
  networks?: readonly string[]
  /** Also starts Base, where the signers of the keyed prefixes hold ether. */
  base?: boolean
  env?: Record<string, string>
  seams?: Seams
  /** `testLog()` if unset. */
  log?: Log
  /** The RPC URL of a proxy in front of the chain. */
  rpcUrl?: (chain: Chain) => string | Promise<string>
}

/** A whole service on its own database and chain, without the HTTP server. */
export type Harness = {
  app: RunningApp
  chain: Chain
  /** The second chain. Throws if the harness has none. */
  base: () => Chain
  database: FreshDatabase
  env: Record<string, string>
  /** Settles wait this long for their outcome from now on; as the environment says without `ms`. */
  waitAtMost: (ms?: number) => void
  /** A new wallet that holds this much USDC (atomic units). */
  payer: (balance?: bigint) => Promise<LocalAccount>
  close: () => Promise<void>
}

/** Starts a service for tests. Its signers have ether. */
export function startHarness(options: HarnessOptions = {}): Promise<Harness> {
  return inParts((keep) => startOf(options, keep))
}

async function startOf(options: HarnessOptions, keep: Keep): Promise<Omit<Harness, 'close'>> {
  const blockTimeSeconds = options.blockTimeSeconds ?? 0.2
  const start = (chainId: number) => keep(startChain({ chainId, blockTimeSeconds }), (one) => one.stop())
  const [database, chain, base] = await Promise.all([
    keep(freshDatabase(), (one) => one.close()),
    start(84532),
    options.base ? start(8453) : null,
  ])
  const env = {
    NODE_ENV: 'test',
    DATABASE_URL: database.url,
    BASE_SEPOLIA_RPC_URL: (await options.rpcUrl?.(chain)) ?? chain.url,
    EVM_SANDBOX_SIGNER_KEYS: (await Promise.all(Array.from({ length: options.lanes ?? 1 }, () => fundedKey(chain)))).join(','),
    ...(options.production ? { EVM_SIGNER_KEYS: await fundedKey(chain, base) } : {}),
    ...(base ? { BASE_RPC_URL: base.url } : {}),
    ADMIN_KEY,
    FINALITY_DEPTH: '2',
    RECHECK_MS: '500',
    ...options.env,
  }
  keepSecrets(env)
  const configured = readEnv(env)
  const deadlines = { ...deadlinesOf(configured) }
  const seams = { deadlines, ...options.seams }
  const app = await keep(createApp(configured, options.log ?? testLog(), seams), (one) => one.close())
  await ready(app, options.networks)
  return {
    app,
    chain,
    base() {
      if (!base) throw new Error('the harness was started without Base')
      return base
    },
    database,
    env,
    waitAtMost: (usual) => void Object.assign(deadlines, usual === undefined ? deadlinesOf(configured) : { usual }),
    async payer(balance = 1_000_000n) {
      const account = privateKeyToAccount(generatePrivateKey())
      if (balance > 0n) await chain.mint(account.address, balance)
      return account
    },
  }
}

/** Resolves when all lanes can take work, or all of these networks. */
export async function ready(app: Pick<RunningApp, 'engine'>, networks?: readonly string[]): Promise<void> {
  const lanes = () => app.engine.laneStatus().filter(({ network }) => networks?.includes(network) ?? true)
  await until(() => lanes().every(({ status }) => status === 'ready'), 'lanes to be ready')
}
