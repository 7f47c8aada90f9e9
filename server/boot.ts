import { hkdfSync, randomBytes } from 'node:crypto'
import { getAddress } from 'viem'
import { openDatabases } from './databases'
import { startAllEffects } from './effects'
import { buildEngine } from './engine'
import type { Env } from './env'
import { startHousekeeping } from './housekeeping'
import { VERSION } from './http/openapi/document'
import { createIssuerKeys } from './identity/issuer-keys'
import { createMerchantTokens, type ProveMerchant } from './identity/merchant-token'
import { createWallets } from './identity/wallets'
import type { Log } from './log'
import { configuredChains, configuredClusters, configuredWalletCode, type SendingChain, type SendingCluster } from './networks'
import { configuredRemotes, listed } from './remotes'
import { startRollups } from './rollups'
import type { App, AppConfig, ConfiguredNetwork } from './services/app'
import { createCatalog } from './services/discovery'
import { createExportPlaces } from './services/export-places'
import { createHoldings } from './services/holdings'
import { createKeyring, sha256 } from './services/keys'
import { createRateLimit } from './services/rate-limit'
import { createReadiness } from './services/readiness'
import { createScreening, noScreening, type Screening } from './services/screening'
import { createSumming } from './services/summing'
import type { Failpoint } from './settlement/failpoints'
import type { LaneClass } from './store/lanes'
import { migrationNames } from './store/migrate'
import { startTelemetry, type Telemetry } from './telemetry/telemetry'
import type { Timing } from './timing'
import { type AgentRegistry, agentRegistry } from './upstream/agent-registry'
import { chainalysis } from './upstream/chainalysis'
import { issuerKeys } from './upstream/oidc'
import { connectRedis } from './upstream/redis'
import { isLocalHost } from './x402/listing-url'
import type { NetworkId } from './x402/networks'

/** The App with what its process has to close, and what its door tells. */
export type RunningApp = App & {
  telemetry: Telemetry
  /** From now on nothing new begins, and readiness says so. */
  beginStop(): void
  close(): Promise<void>
}

/** What only tests change. */
export type Seams = { now?: () => Date; failpoint?: Failpoint }

/** Builds everything the process runs on: database, migrations, chains, engine. Throws when a part cannot be had. */
export async function createApp(env: Env, log: Log, seams: Seams = {}): Promise<RunningApp> {
  const telemetry = await startTelemetry(env, log, VERSION)
  const { timing } = telemetry
  const chains = configuredChains(env, log, timing)
  const clusters = configuredClusters(env, log, timing)
  if (chains.length + clusters.length === 0) log.warn('no network is configured: set an RPC URL and signer keys')
  const screening = { sandbox: screeningOf(env, log, timing, 'sandbox'), production: screeningOf(env, log, timing, 'production') }
  const facilitators = configuredRemotes(env)
  const registry = registryOf(env)
  const baseUrl = env.BASE_URL ?? `http://localhost:${env.PORT}`
  const privateHosts = env.DISCOVERY_ALLOW_PRIVATE_HOSTS || isLocal(baseUrl)
  const databases = await openDatabases(env, log, telemetry)
  const now = seams.now ?? (() => new Date())
  const failpoint = seams.failpoint ?? (() => {})
  const remotes = listed(facilitators, log)
  const parts = { env, log, chains, clusters, remotes, now, failpoint, timing, databases }
  const engine = await buildEngine(parts).catch(async (error: unknown) => {
    await Promise.all([...remotes.values()].map(({ listing }) => listing.stop()))
    await databases.close()
    throw error
  })
  const redis = env.REDIS_URL === undefined ? undefined : await connectRedis(env.REDIS_URL, log)
  const rateLimit = createRateLimit(redis)
  const housekeeping = startHousekeeping({ db: databases.requests, log })
  const place = { baseUrl, maxAgeHours: env.SIWE_MAX_AGE_HOURS }
  const summing = createSumming()
  const rollups = startRollups({ db: databases.sums, summing, log })
  const catalog = createCatalog(databases.requests)
  const { requests: db, exclusive } = databases
  const networks = new Map([...chains.map(configured), ...clusters.map(configuredCluster)])
  const webhookKey = derived(env, 'quittance webhooks')
  const effects = startAllEffects({ db, exclusive, registry, catalog, privateHosts, webhookKey, failpoint, log })
  const holdings = createHoldings(networks, log)
  telemetry.readFrom({ db, engine, holdings, screening, networks, log })
  let accepting = true
  const isAccepting = () => accepting
  const listings = new Map([...remotes].map(([tier, { listing }]) => [tier, listing]))
  const migrations = await migrationNames()
  const needs = { db, engine, networks, remotes: listings, accepting: isAccepting, migrations, log }
  return {
    config: {
      baseUrl,
      operatorUrl: env.OPERATOR_URL,
      playgroundUrl: env.PLAYGROUND_URL ?? null,
      purchase: {
        networks: env.PURCHASE_NETWORKS,
        payTo: { evm: env.PURCHASE_PAY_TO_EVM ?? null, svm: env.PURCHASE_PAY_TO_SOLANA ?? null },
      },
      minPayment: BigInt(env.MIN_PAYMENT),
      gasBudgetDay: env.GAS_BUDGET_DAY,
      horizonMs: env.SETTLE_HORIZON_MS,
      svm: { maxComputeUnits: BigInt(env.SVM_MAX_COMPUTE_UNITS), maxFeeLamports: BigInt(env.SVM_MAX_FEE_LAMPORTS) },
      cursorKey: derived(env, 'quittance cursors'),
      webhookKey,
      sessionSecret: Buffer.from(derived(env, 'quittance sessions')).toString('base64url'),
      oidc: oidcOf(env),
      merchantTokens: merchantTokensOf(env),
      adminSubjects: env.ADMIN_SUBJECTS,
      privateHosts,
      linksAgents: registry !== null,
      metricsPublic: env.METRICS_PUBLIC,
      adminKeyHash: env.ADMIN_KEY === undefined ? null : sha256(env.ADMIN_KEY),
    },
    db: databases.requests,
    engine,
    networks,
    remotes: listings,
    keyring: createKeyring(databases.requests, rateLimit, log),
    rateLimit,
    screening,
    proveMerchant: merchantsOf(env, log, now),
    proveWallet: createWallets({ place, askCode: configuredWalletCode(env, log, timing), now }),
    catalog,
    holdings,
    sums: databases.sums,
    summing,
    counting: createSumming(),
    exports: createExportPlaces(),
    timing,
    metrics: telemetry.metrics,
    readiness: createReadiness(needs),
    accepting: isAccepting,
    now,
    log,
    telemetry,
    beginStop() {
      accepting = false
    },
    async close() {
      try {
        await Promise.all([engine.stop(), housekeeping.stop(), rollups.stop(), effects.stop()])
      } finally {
        await databases.close().finally(() => Promise.all([redis?.close(), telemetry.stop()]))
      }
    },
  }
}

function configured({ chain, flash, signers }: SendingChain): [NetworkId, ConfiguredNetwork] {
  const shown = {
    sandbox: signers.sandbox.map(({ address }) => getAddress(address)),
    production: signers.production.map(({ address }) => getAddress(address)),
  }
  return [chain.network, { family: 'evm', chain, flash, signers: shown }]
}

function configuredCluster({ chain, signers }: SendingCluster): [NetworkId, ConfiguredNetwork] {
  const shown = {
    sandbox: signers.sandbox.map(({ address }) => address),
    production: signers.production.map(({ address }) => address),
  }
  return [chain.network, { family: 'svm', chain, signers: shown }]
}

// Derived, so that no use of the secret can be confused with another; without one cursors and sessions end with the process.
function derived({ AUTH_SECRET }: Env, use: string): Uint8Array {
  if (AUTH_SECRET === undefined) return randomBytes(32)
  return new Uint8Array(hkdfSync('sha256', AUTH_SECRET, '', use, 32))
}

function oidcOf({ OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret }: Env) {
  return issuer && clientId && clientSecret ? { issuer, clientId, clientSecret } : null
}

function merchantTokensOf({ OIDC_ISSUER: issuer, OIDC_AUDIENCE, OIDC_CLIENT_ID }: Env): AppConfig['merchantTokens'] {
  const audience = OIDC_AUDIENCE ?? OIDC_CLIENT_ID
  return issuer === undefined || audience === undefined ? null : { issuer, audience }
}

// Nothing is asked of the issuer before the first token comes.
function merchantsOf(env: Env, log: Log, now: () => Date): ProveMerchant | null {
  const tokens = merchantTokensOf(env)
  if (tokens === null) return null
  return createMerchantTokens({ ...tokens, keys: createIssuerKeys({ read: issuerKeys(tokens.issuer), now, log }), now })
}

function screeningOf(env: Env, log: Log, timing: Timing, laneClass: LaneClass): Screening {
  if (env.KYT_URL === undefined || env.KYT === 'off') return noScreening
  const ask = chainalysis(env.KYT_URL, env.KYT_API_KEY)
  const piece = { name: 'kyt', facts: { class: laneClass } } as const
  return createScreening((address) => timing.time(piece, () => ask(address)), { log })
}

function registryOf({ AGENT_REGISTRY_URL, AGENT_REGISTRY_WEB_URL }: Env): AgentRegistry | null {
  return AGENT_REGISTRY_URL === undefined ? null : agentRegistry(AGENT_REGISTRY_URL, AGENT_REGISTRY_WEB_URL)
}

// A service that only this machine or network can reach lists what its neighbours sell.
const isLocal = (baseUrl: string) => isLocalHost(new URL(baseUrl).hostname)
