import { v7 as uuidv7 } from 'uuid'
import { getAddress } from 'viem'
import { createEvmChain, type EvmChain } from './chains/evm/chain'
import { createRpc } from './chains/evm/rpc'
import { createSigner, type Signer } from './chains/evm/signer'
import { openDatabases } from './databases'
import type { Env } from './env'
import type { Log } from './log'
import { type App, type ConfiguredNetwork, unixNow } from './services/app'
import { returnCap } from './services/plans'
import { createRateLimit } from './services/rate-limit'
import { type Engine, startEngine } from './settlement/engine'
import type { Failpoint } from './settlement/failpoints'
import { type Lane, startLane } from './settlement/lane'
import type { Watched } from './settlement/recovery'
import { createWaiters } from './settlement/waiters'
import { startWatcher } from './settlement/watcher'
import type { Db } from './store/database'
import { connectRedis } from './upstream/redis'
import type { EvmNetworkId, NetworkId } from './x402/networks'

/** The App with what its process has to close. */
export type RunningApp = App & { close(): Promise<void> }

/** What only tests change. */
export type Seams = { now?: () => Date; failpoint?: Failpoint }

const HEAD_POLL_MS = 100
const QUEUE_MAX = 1_000

/** Builds everything the process runs on: database, migrations, chains, engine. Throws when a part cannot be had. */
export async function createApp(env: Env, log: Log, seams: Seams = {}): Promise<RunningApp> {
  const chains = configuredChains(env)
  if (chains.length === 0) log.warn('no network is configured: set BASE_SEPOLIA_RPC_URL and EVM_SANDBOX_SIGNER_KEYS')
  const databases = await openDatabases(env, log)
  const now = seams.now ?? (() => new Date())
  const failpoint = seams.failpoint ?? (() => {})
  const engine = await buildEngine({
    env,
    log,
    chains,
    now,
    failpoint,
    db: databases.engine,
    exclusive: databases.exclusive,
  }).catch(async (error: unknown) => {
    await databases.close()
    throw error
  })
  const redis = env.REDIS_URL === undefined ? undefined : await connectRedis(env.REDIS_URL, log)
  const networks = new Map<NetworkId, ConfiguredNetwork>()
  for (const { chain, signers } of chains) {
    networks.set(chain.network, { chain, signers: signers.map(({ address }) => getAddress(address)) })
  }
  return {
    config: {
      baseUrl: env.BASE_URL ?? `http://localhost:${env.PORT}`,
      operatorUrl: env.OPERATOR_URL,
      minPayment: BigInt(env.MIN_PAYMENT),
    },
    db: databases.requests,
    engine,
    networks,
    rateLimit: createRateLimit(redis),
    now,
    log,
    async close() {
      try {
        await engine.stop()
      } finally {
        await databases.close().finally(() => redis?.close())
      }
    },
  }
}

type SendingChain = { chain: EvmChain; signers: Signer[] }

// A network exists when it has both a node and a key to pay with.
function configuredChains(env: Env): SendingChain[] {
  const rows: { network: EvmNetworkId; urls: string[]; keys: `0x${string}`[] }[] = [
    { network: 'eip155:84532', urls: env.BASE_SEPOLIA_RPC_URL, keys: env.EVM_SANDBOX_SIGNER_KEYS },
  ]
  return rows
    .filter(({ urls, keys }) => urls.length > 0 && keys.length > 0)
    .map(({ network, urls, keys }) => ({ chain: createEvmChain(network, createRpc(urls)), signers: distinctSigners(keys) }))
}

// Two lanes over one key would allocate the same nonces.
function distinctSigners(keys: `0x${string}`[]): Signer[] {
  const signers = keys.map(createSigner)
  const twice = signers.find(({ address }, at) => signers.findIndex((other) => other.address === address) !== at)
  if (twice) throw new Error(`EVM_SANDBOX_SIGNER_KEYS holds the key of ${twice.address} twice`)
  return signers
}

type EngineParts = {
  env: Env
  log: Log
  db: Db
  chains: SendingChain[]
  exclusive: boolean
  now: () => Date
  failpoint: Failpoint
}

async function buildEngine({ env, log, db, chains, exclusive, now, failpoint }: EngineParts): Promise<Engine> {
  const waiters = createWaiters()
  const holder = uuidv7()
  const networks = new Map<string, Watched>()
  const lanes = new Map<string, Lane[]>()
  const timing = { recheckMs: env.RECHECK_MS, finalityDepth: env.FINALITY_DEPTH }
  for (const { chain, signers } of chains) {
    const watcher = startWatcher({
      db,
      chain,
      ...timing,
      pollMs: HEAD_POLL_MS,
      wake: waiters.wake,
      failpoint,
      log,
    })
    networks.set(chain.network, { chain, watcher })
    lanes.set(
      chain.network,
      signers.map((signer) =>
        startLane({
          ...{
            db,
            chain,
            signer,
            watcher,
            holder,
            exclusive,
            failpoint,
            log,
            now: () => unixNow({ now }),
            release: waiters.wake,
            class: 'sandbox',
          },
          ...{ leaseMs: env.LEASE_MS, recheckMs: env.RECHECK_MS, inFlightMax: env.LANE_IN_FLIGHT, queueMax: QUEUE_MAX },
        }),
      ),
    )
  }
  const recovery = { ...timing, returnCap, wake: waiters.wake }
  const deadlineMs = env.SETTLE_DEADLINE_MS
  return startEngine({ db, instance: holder, lanes, networks, waiters, recovery, deadlineMs, exclusive, failpoint, log })
}
