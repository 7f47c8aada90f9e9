import { getAddress } from 'viem'
import { createKeyring } from '../accounts/keyring'
import { createRateLimit } from '../accounts/rate-limit'
import { connectRedis } from '../accounts/redis'
import { type AgentRegistry, agentRegistry } from '../agents/registry'
import { type App, type ConfiguredNetwork, unixNow } from '../app'
import type { Failpoint } from '../base/failpoints'
import type { Log } from '../base/log'
import type { Timing } from '../base/timing'
import { migrationNames } from '../db/migrate'
import { createCatalog } from '../discovery/catalog'
import { endpoints } from '../endpoints'
import type { Env } from '../env/env'
import { createExplanationSlots } from '../explain/explanation-slots'
import { createExportSlots } from '../history/export-slots'
import { createReadLists } from '../history/list-slots'
import { publishedApi, VERSION } from '../http/openapi/document'
import type { LaneClass } from '../ledger/statements/lanes'
import { createSignerBalances } from '../operations/balances'
import { startHousekeeping } from '../operations/housekeeping'
import { type Mints, startMints, wantedMints } from '../operations/mints'
import { createReadiness } from '../operations/readiness'
import { lowSigners } from '../operations/signers'
import { createStatusCounts } from '../operations/status/counts'
import { createIncidents } from '../operations/status/incidents'
import { startTelemetry, type Telemetry } from '../operations/telemetry/telemetry'
import { createAuthorizers } from '../payments/channels/authorizers'
import { startKeeper } from '../payments/channels/managed/keeper'
import { createIdempotencyKeyCounts } from '../payments/idempotency'
import { createReceipts } from '../payments/receipts'
import { createUnknownPayers } from '../payments/unknown-payers'
import { createSvmAuthorizers } from '../payments/upto-svm/authorizers'
import { startUptoKeeper } from '../payments/upto-svm/keeper'
import { createRateLimitPauses } from '../screening/budgets'
import { createScreening, noScreening } from '../screening/screening'
import { configuredScreener } from '../screening/vendors'
import { createIssuerKeys } from '../sign-in/issuer-keys'
import { createMerchantTokens, type ProveMerchant } from '../sign-in/merchant-token'
import { createSignInEndpoints, issuerKeys } from '../sign-in/oidc'
import { createWallets } from '../sign-in/wallets'
import { COUNTS_AT_ONCE, createCoalesce, createRecent, sumSlots } from '../sums/coalesce'
import { startRollups } from '../sums/rollups'
import { createCallRate } from '../trpc/call-rate'
import { startAlerts } from '../webhooks/alerts'
import { documentedMessages } from '../webhooks/example'
import { isLocalHost } from '../x402/listing-url'
import type { NetworkId } from '../x402/networks/networks'
import {
  checkNetworks,
  configuredChains,
  configuredClusters,
  configuredRemotes,
  configuredWalletChain,
  listed,
  requiredNetworks,
  type SendingChain,
  type SendingCluster,
  watchRows,
} from './chains'
import { configOf, derived, merchantTokensOf, oidcOf } from './config'
import { openDatabases } from './databases'
import { type Effects, startAllEffects } from './effects'
import { buildEngine, type Deadlines, deadlinesOf } from './engine'

/** The App with what its process must close, and the telemetry for its HTTP server. */
export type RunningApp = App & {
  telemetry: Telemetry
  /** Refuses new work from now on; readiness reports it. */
  beginStop(): void
  close(): Promise<void>
}

/**
 * Options for tests. A payment waits `blockhashListTimeoutMs` for a cluster's blockhashes, and a request `deadlines`, which may change.
 */
export type Seams = {
  now?: () => Date
  failpoint?: Failpoint
  blockhashListTimeoutMs?: number
  deadlines?: Deadlines
  /** How often channels are looked at. */
  channelsEveryMs?: number
}

/** Builds the parts of the process: database, migrations, chains, engine. Throws when one fails. */
export async function createApp(env: Env, log: Log, seams: Seams = {}): Promise<RunningApp> {
  const telemetry = await startTelemetry(env, log, VERSION)
  const { timing } = telemetry
  const chains = configuredChains(env, log, timing)
  const clusters = configuredClusters(env, log, timing, seams.blockhashListTimeoutMs)
  if (chains.length + clusters.length === 0) log.warn('no network is configured: set an RPC URL and signer keys')
  if (env.SVM_UPTO) log.warn('SVM_UPTO is on: the scheme was proven only against an emulation of its program')
  const screening = screeningOf(env, log, timing)
  const facilitators = configuredRemotes(env)
  const registry = registryOf(env)
  const baseUrl = env.BASE_URL ?? `http://localhost:${env.PORT}`
  if (env.BASE_URL === undefined && env.NODE_ENV === 'production')
    log.warn(`BASE_URL is not set: wallets sign for ${baseUrl}, and browsers must show it`)
  const privateHosts = env.DISCOVERY_ALLOW_PRIVATE_HOSTS || isLocal(baseUrl)
  const databases = await openDatabases(env, log, telemetry)
  await checkNetworks(chains, clusters, log)
  const now = seams.now ?? (() => new Date())
  const failpoint = seams.failpoint ?? (() => {})
  const remotes = listed(facilitators, log)
  const redis = env.REDIS_URL === undefined ? undefined : await connectRedis(env.REDIS_URL, log)
  const rateLimit = createRateLimit(redis)
  const keyring = createKeyring(databases.requests, rateLimit, log)
  let effects: Effects | undefined
  const notified = { forget: keyring.forget, ended: () => effects?.expect() }
  const deadlines = seams.deadlines ?? deadlinesOf(env)
  const parts = { env, log, chains, clusters, remotes, now, failpoint, timing, databases, deadlines, ...notified }
  const engine = await buildEngine(parts).catch(async (error: unknown) => {
    await Promise.all([...remotes.values()].map(({ listing }) => listing.stop()))
    redis?.close()
    await databases.close()
    throw error
  })
  const rows = watchRows(chains, log)
  const housekeeping = startHousekeeping({ db: databases.requests, log, failedHistoryDays: env.FAILED_HISTORY_DAYS })
  const signInOrigin = { baseUrl, maxAgeHours: env.SIWE_MAX_AGE_HOURS }
  const oidc = oidcOf(env)
  const coalesce = createCoalesce(sumSlots())
  const rollups = startRollups({ db: databases.sums, log })
  const catalog = createCatalog(databases.catalog)
  const { requests: db, exclusive } = databases
  const mints = await Promise.all(clusters.map(({ chain }) => startMints(chain, wantedMints(env, chain.network), log)))
  const networks = new Map([...chains.map(configured), ...clusters.map((one, at) => configuredCluster(one, mints[at]))])
  const webhookKey = derived(env, 'quittance webhooks')
  const followUps = startAllEffects({ db, exclusive, registry, catalog, baseUrl, privateHosts, webhookKey, failpoint, log })
  const signerBalances = createSignerBalances(networks, log)
  const alerts = startAlerts({
    db,
    key: webhookKey,
    operator: operatorOf(env),
    lowSigners: () => lowSigners({ db, engine, networks, signerBalances }),
    log,
  })
  effects = followUps
  telemetry.readFrom({ db, engine, signerBalances, screening, networks, log })
  const [newest = derived(env, 'quittance receipts'), ...earlier] = env.RECEIPT_SECRETS
  const receipts = await createReceipts([newest, ...earlier], baseUrl, () => unixNow({ now }))
  const authorizers = createAuthorizers(env.CHANNEL_SECRETS)
  const svmAuthorizers = createSvmAuthorizers(env.CHANNEL_SECRETS)
  let accepting = true
  const isAccepting = () => accepting
  const listings = new Map([...remotes].map(([tier, { listing }]) => [tier, listing]))
  const migrations = await migrationNames()
  const required = requiredNetworks(env)
  const needs = { db, engine, networks, required, remotes: listings, accepting: isAccepting, now, migrations, log }
  const app: App = {
    config: configOf(env, { baseUrl, privateHosts, oidc, linksAgents: registry !== null, webhookKey }),
    db: databases.requests,
    engine,
    networks,
    remotes: listings,
    keyring,
    rateLimit,
    callRate: createCallRate(),
    unknownPayers: createUnknownPayers(now),
    idempotencyKeyCounts: createIdempotencyKeyCounts(databases.requests),
    receipts,
    authorizers,
    svmAuthorizers,
    screening,
    proveMerchant: merchantsOf(env, log, now),
    signInEndpoints: oidc && createSignInEndpoints(oidc.issuer, { now, log }),
    proveWallet: createWallets({ origin: signInOrigin, chain: configuredWalletChain(env, log, timing), now }),
    catalog,
    expectEffects: followUps.expect,
    signerBalances,
    sums: databases.sums,
    coalesce,
    counting: createCoalesce(sumSlots(COUNTS_AT_ONCE)),
    lists: createReadLists(databases.lists),
    statusCounts: createStatusCounts(databases.sums),
    incidents: createIncidents(databases.requests, now),
    recent: createRecent(),
    explanations: createExplanationSlots(),
    exports: createExportSlots(),
    timing,
    api: publishedApi(baseUrl, endpoints, documentedMessages()),
    metrics: telemetry.metrics,
    readiness: createReadiness(needs),
    accepting: isAccepting,
    now,
    log,
  }
  const keeper = startKeeper(app, seams.channelsEveryMs)
  const uptoKeeper = startUptoKeeper(app, seams.channelsEveryMs)
  return {
    ...app,
    telemetry,
    beginStop() {
      accepting = false
      keeper.closing()
    },
    async close() {
      try {
        await Promise.all([
          keeper.stop(),
          uptoKeeper.stop(),
          ...mints.map((one) => one.stop()),
          rows.stop(),
          engine.stop(),
          housekeeping.stop(),
          rollups.stop(),
          followUps.stop(),
          alerts.stop(),
        ])
      } finally {
        await databases.close().finally(() => Promise.all([redis?.close(), telemetry.stop()]))
      }
    },
  }
}

function configured({
  chain,
  flash,
  signers,
  endpoints,
  contradiction,
  row,
  schemes,
  factories,
}: SendingChain): [NetworkId, ConfiguredNetwork] {
  const shown = {
    sandbox: signers.sandbox.map(({ address }) => getAddress(address)),
    production: signers.production.map(({ address }) => getAddress(address)),
  }
  return [
    chain.network,
    {
      family: 'evm',
      chain,
      flash,
      endpoints,
      signers: shown,
      contradiction,
      ...(row ? { isUnchecked: row.isUnchecked } : {}),
      ...(schemes ? { missing: schemes.missing } : {}),
      ...(factories ? { factories } : {}),
    },
  ]
}

function configuredCluster({ chain, signers, ...observed }: SendingCluster, mints?: Mints): [NetworkId, ConfiguredNetwork] {
  const of = (laneClass: LaneClass) => signers[laneClass].map(({ address }) => address)
  const shown = { sandbox: of('sandbox'), production: of('production') }
  return [chain.network, { family: 'svm', chain, ...observed, signers: shown, mints: () => mints?.list() ?? [] }]
}

function operatorOf({ ALERT_WEBHOOK_URL: url, ALERT_WEBHOOK_SECRET: secret }: Env) {
  return url && secret ? { url, secret } : null
}

// Nothing is requested from the issuer before the first token.
function merchantsOf(env: Env, log: Log, now: () => Date): ProveMerchant | null {
  const tokens = merchantTokensOf(env)
  if (tokens === null) return null
  return createMerchantTokens({ ...tokens, keys: createIssuerKeys({ read: issuerKeys(tokens.issuer), now, log }), now })
}

function screeningOf(env: Env, log: Log, timing: Timing): App['screening'] {
  const screen = configuredScreener(env)
  if (!screen) return { sandbox: noScreening, production: noScreening }
  const pauses = createRateLimitPauses()
  const of = (laneClass: LaneClass, callsPerMinute: number | null) => {
    const piece = { name: 'kyt', facts: { class: laneClass } } as const
    const screener = (address: string) => timing.time(piece, () => screen(address))
    return createScreening(screener, { log, rateLimit: pauses[laneClass], callsPerMinute })
  }
  return { sandbox: of('sandbox', env.KYT_SANDBOX_PER_MINUTE), production: of('production', null) }
}

function registryOf({ AGENT_REGISTRY_URL, AGENT_REGISTRY_WEB_URL }: Env): AgentRegistry | null {
  return AGENT_REGISTRY_URL === undefined ? null : agentRegistry(AGENT_REGISTRY_URL, AGENT_REGISTRY_WEB_URL)
}

// A service that only this machine or network can reach lists private hosts.
const isLocal = (baseUrl: string) => isLocalHost(new URL(baseUrl).hostname)
