import type { Hex } from 'viem'
import type { Keyring } from './accounts/keyring'
import type { Tier } from './accounts/plans'
import type { RateLimit } from './accounts/rate-limit'
import type { Log } from './base/log'
import type { Timing } from './base/timing'
import type { EvmChain } from './chains/evm/chain'
import type { FactoryStatus } from './chains/evm/factories'
import type { EndpointCalls } from './chains/rpc'
import type { SvmChain } from './chains/svm/chain'
import type { Db } from './db/database'
import type { Catalog } from './discovery/catalog'
import type { ExplanationSlots } from './explain/explanation-slots'
import type { ExportSlots } from './history/export-slots'
import type { ReadLists } from './history/list-slots'
import type { Params, RouteHandler, Unaddressed } from './http/endpoint'
import type { PublishedApi } from './http/openapi/document'
import type { Engine } from './ledger/engine'
import type { RemoteListing } from './ledger/remote/listing'
import type { LaneClass } from './ledger/statements/lanes'
import type { SignerBalances } from './operations/balances'
import type { Mints } from './operations/mints'
import type { Readiness } from './operations/readiness'
import type { StatusCounts } from './operations/status/counts'
import type { IncidentRow } from './operations/status/incident-queries'
import type { Authorizers } from './payments/channels/authorizers'
import type { IdempotencyKeyCounts } from './payments/idempotency'
import type { Receipts } from './payments/receipts'
import type { UnknownPayers } from './payments/unknown-payers'
import type { SvmAuthorizers } from './payments/upto-svm/authorizers'
import type { Screening } from './screening/screening'
import type { ProveMerchant } from './sign-in/merchant-token'
import type { SignInEndpoints } from './sign-in/oidc'
import type { ProveWallet } from './sign-in/wallets'
import type { Coalesce, Recent } from './sums/coalesce'
import type { CallRate } from './trpc/call-rate'
import type { NetworkId } from './x402/networks/networks'

/** The dependencies of the use cases. Built once per process (server/boot/app.ts); tests build their own. */
export type App = {
  config: AppConfig
  db: Db
  engine: Engine
  /** The configured networks, each with the addresses that send for it. */
  networks: ReadonlyMap<NetworkId, ConfiguredNetwork>
  /** The published kinds of the other facilitators, by the tier that they serve. */
  remotes: ReadonlyMap<Tier, Pick<RemoteListing, 'senders' | 'feePayer'>>
  keyring: Keyring
  rateLimit: RateLimit
  /** The calls of the dashboard. */
  callRate: CallRate
  /** Callers whose new payers are rate limited today. */
  unknownPayers: UnknownPayers
  /** Signs receipts of landed payments. */
  receipts: Receipts
  /** Signs claims and refunds of channels for their tenants. */
  authorizers: Authorizers
  svmAuthorizers: SvmAuthorizers
  /** How many idempotency keys callers keep. */
  idempotencyKeyCounts: IdempotencyKeyCounts
  /** One per class, so that a flood of unknown payers in the sandbox cannot use up production's budget. */
  screening: Readonly<Record<LaneClass, Screening>>
  /** The check of merchants' tokens; null when no identity provider is configured. */
  proveMerchant: ProveMerchant | null
  /** Where merchants sign in for the dashboard; null when no provider is configured. Throws `upstream` while it is down. */
  signInEndpoints: (() => Promise<SignInEndpoints>) | null
  /** The check of wallets' signed messages. */
  proveWallet: ProveWallet
  /** The queue of catalog reads. */
  catalog: Catalog
  /** There may be an effect or a webhook to do now. */
  expectEffects: () => void
  /** Gas balances of our signers, and the health of nodes. */
  signerBalances: SignerBalances
  /** The slots of analytics computations, and the database that they read. */
  coalesce: Coalesce
  /** The slots of today's counts, which are short and frequent. */
  counting: Coalesce
  sums: Db
  /** The slots of lists and searches of settlements, on connections of their own. */
  lists: ReadLists
  /** The counts of the status page, at most a minute old. No other reader's sums delay them. */
  statusCounts: () => Promise<StatusCounts>
  /** The published incidents, at most ten seconds old. */
  incidents: () => Promise<IncidentRow[]>
  /** Sums of this process that were computed lately. */
  recent: Recent
  /** The turns of explanations. */
  explanations: ExplanationSlots
  /** The slots of history exports. */
  exports: ExportSlots
  /** Measures the pieces of a request. */
  timing: Timing
  /** The endpoints and their OpenAPI document. */
  api: () => PublishedApi
  /** The response of `GET /metrics`: counters of this process, and ledger figures at most a few seconds old. */
  metrics: () => Promise<{ text: string; mediaType: string }>
  /** Whether payments can be sent here now. */
  readiness: () => Promise<Readiness>
  /** False once the process begins to stop. */
  accepting: () => boolean
  now: () => Date
  log: Log
}

/** A chain with its signers: a class without signers does not serve the network, and flash on an EVM network needs its own endpoint. */
export type ConfiguredNetwork = {
  signers: Readonly<Record<LaneClass, readonly string[]>>
  /** The RPC endpoints in the order of their variable, which EVM networks name; those that only preconfirm or only send say so. */
  endpoints: () => (EndpointCalls & { use?: 'flash' | 'send'; variable?: string })[]
  /** Why the network is refused: its row contradicts its chain, or all its endpoints, or all that send, are on another one. Null while nothing does. */
  contradiction?: () => string | null
  /** Whether its row was not compared with its chain yet, because no node has answered. */
  isUnchecked?: () => boolean
} & (
  | {
      family: 'evm'
      chain: EvmChain
      flash: EvmChain | null
      /** The contract that a scheme lacks here; null if none is known to be missing. */
      missing?: (scheme: string) => Hex | null
      /** The allowed factories of smart wallets, and whether each has code here. */
      factories?: () => readonly FactoryStatus[]
    }
  | { family: 'svm'; chain: SvmChain; mints: Mints['list'] }
)

/** Why a network is refused; null if it is not. */
export function contradictionIn(network: ConfiguredNetwork): string | null {
  return network.contradiction?.() ?? null
}

export type AppConfig = {
  /** The public origin, without a trailing slash. */
  baseUrl: string
  /** The target of `GET /`. */
  operatorUrl: string
  /** The sample merchant of a local world, which funds wallets on the home page; null elsewhere. */
  playgroundUrl: string | null
  /** The sale of credits: its networks (empty: the defaults) and the addresses to pay. */
  purchase: { networks: readonly NetworkId[]; payTo: Readonly<Record<'evm' | 'svm', string | null>> }
  /** The minimum payment, in atomic units. */
  minPayment: bigint
  /** The most that one payer's approval may cost us, in ether (decimal digits), where a row has no figure; 0: none is sent. */
  sponsoredApprovalMax: string
  /**
   * The maximum gas cost of one owner's settlements per UTC day on a network without a budget of its own, in coins (decimal digits); null:
   * what the plan gives in US dollars.
   */
  gasBudgetDay: string | null
  /** The maximum gas cost per UTC day of all keys that cost nothing, together, on every network, in coins; null: `freeGasUsdDay`. */
  walletGasBudgetDay: string | null
  /** The same in US dollars, by the price of a network's coin. */
  freeGasUsdDay: number
  /** The price of plans in US dollars a month; a plan without one has no public price. */
  planPrices: ReadonlyMap<string, string>
  /** How many free keys all wallets together may make a day; 0 turns them off. */
  walletKeysPerDay: number
  /** Where merchants ask for another plan; null without one. */
  planContact: string | null
  /** Blocks on an EVM network after which a payment is safe. */
  finalityDepth: number
  /** How long an accepted payment counts against queues, in milliseconds. */
  horizonMs: number
  /** The signers that no payment by `upto` is offered any more, in lower case: they still send what names them. */
  retiringSigners: ReadonlySet<string>
  /**
   * The limits of a Solana transaction for its fee payer, the programs of smart wallets that may pay, whether `upto` is on, and how many of its
   * channels may be open on a network.
   */
  svm: { maxComputeUnits: bigint; maxFeeLamports: bigint; smartWallets: ReadonlySet<string>; upto: boolean; uptoChannels: number }
  /** The identity provider for merchants on the dashboard; null when none is configured. */
  oidc: { issuer: string; clientId: string; clientSecret: string } | null
  /** The accepted tokens of the merchants' routes; null when none is configured. */
  merchantTokens: { issuer: string; audience: string } | null
  /** The public project id for WalletConnect in browsers; null when it is not offered. */
  walletConnectProjectId: string | null
  /** Subjects of the identity provider that are administrators. */
  adminSubjects: readonly string[]
  /** Encrypts the cookies of dashboard sessions. */
  sessionSecret: string
  /** Signs cursors. */
  cursorKey: Uint8Array
  /** Encrypts the stored secrets that sign webhooks. */
  webhookKey: Uint8Array
  /** Whether the catalog lists private hosts, and webhooks go there. */
  privateHosts: boolean
  /** Whether an agent registry is queried about payers. */
  linksAgents: boolean
  /** How long a page waits for its first figures, in milliseconds. */
  prefetchWaitMs: number
  /** Whether `/metrics` needs no credential. */
  metricsPublic: boolean
  /** SHA-256 of the admin key; null when there is none, and then `/admin` is closed. */
  adminKeyHash: Uint8Array | null
}

/** The time in whole Unix seconds, as chains count it. */
export function unixNow(app: Pick<App, 'now'>): bigint {
  return BigInt(Math.floor(app.now().getTime() / 1_000))
}

// Next bundles hold their own copies of every module, so the one App is found by a name the whole process shares.
const KEY = Symbol.for('quittance')

/** Makes this the App of the process. */
export function installApp(app: App): void {
  Object.assign(globalThis, { [KEY]: appWith(app, { engine: engineWith(app.engine, {}) }) })
}

/**
 * An App with other parts. The App of the process and that of the warm-up are such copies: V8 compiles for the shape of an object, and
 * copies that one expression makes share theirs.
 */
export function appWith(app: App, parts: Partial<App>): App {
  return { ...app, ...parts }
}

/** An engine with other parts, as `appWith`. */
export function engineWith(engine: Engine, parts: Partial<Engine>): Engine {
  return { ...engine, ...parts }
}

/** The App of the process. Throws before `installApp`: only server/main.ts may serve requests. */
export function currentApp(): App {
  const app: unknown = Reflect.get(globalThis, KEY)
  if (!app) throw new Error('no App is installed; start the service with server/main.ts')
  return app as App
}

/**
 * The handler of an endpoint, for a file `route.ts`, on the App of the process or another one. It carries the endpoint, which the table of
 * addresses reads.
 */
export function route(endpoint: Unaddressed, appNow: () => App = currentApp): RouteHandler & { endpoint: Unaddressed } {
  const handler = async (request: Request, context: { params: Promise<Params> }) =>
    endpoint.handle(appNow(), request, await context.params)
  return Object.assign(handler, { endpoint })
}
