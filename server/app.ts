import type { Keyring } from './accounts/keyring'
import type { Tier } from './accounts/plans'
import type { RateLimit } from './accounts/rate-limit'
import type { Coalesce } from './analytics/coalesce'
import type { EvmChain } from './chains/evm/chain'
import type { SvmChain } from './chains/svm/chain'
import type { Db } from './db/database'
import type { Catalog } from './discovery/catalog'
import type { ExportSlots } from './history/export-slots'
import type { PublishedApi } from './http/openapi/document'
import type { Engine } from './ledger/engine'
import type { RemoteListing } from './ledger/remote/listing'
import type { LaneClass } from './ledger/statements/lanes'
import type { Log } from './log'
import type { SignerBalances } from './operations/balances'
import type { Readiness } from './operations/readiness'
import type { IdempotencyKeyCounts } from './payments/idempotency'
import type { UnknownPayers } from './payments/unknown-payers'
import type { Screening } from './screening/screening'
import type { ProveMerchant } from './sign-in/merchant-token'
import type { SignInEndpoints } from './sign-in/oidc'
import type { ProveWallet } from './sign-in/wallets'
import type { Timing } from './timing'
import type { NetworkId } from './x402/networks'

/** What the use cases are given. Built once per process (server/boot/app.ts); tests build their own. */
export type App = {
  config: AppConfig
  db: Db
  engine: Engine
  /** The configured networks, each with the addresses that send for it. */
  networks: ReadonlyMap<NetworkId, ConfiguredNetwork>
  /** What the other facilitators publish, by the tier that they serve. */
  remotes: ReadonlyMap<Tier, Pick<RemoteListing, 'senders' | 'feePayer'>>
  keyring: Keyring
  rateLimit: RateLimit
  /** Callers whose unknown payers are slowed today. */
  unknownPayers: UnknownPayers
  /** How many idempotency keys callers keep. */
  idempotencyKeyCounts: IdempotencyKeyCounts
  /** One each, so that a flood of unknownPayers in the sandbox cannot use up what production waits for. */
  screening: Readonly<Record<LaneClass, Screening>>
  /** Whom the identity provider knows; null where none is configured. */
  proveMerchant: ProveMerchant | null
  /** Where merchants sign in for the dashboard; null where no provider is configured. Throws `upstream` while it is away. */
  signInEndpoints: (() => Promise<SignInEndpoints>) | null
  /** Who signed in as a wallet. */
  proveWallet: ProveWallet
  /** What the catalog's pages are read through. */
  catalog: Catalog
  /** What the nodes say of our signers. */
  signerBalances: SignerBalances
  /** Where analytics wait to be computed, and the database that they are computed from. */
  coalesce: Coalesce
  /** Where counts of today wait, which are short, asked for every few seconds by everybody who looks, and read beside the payments. */
  counting: Coalesce
  sums: Db
  /** Where files of histories are written. */
  exports: ExportSlots
  /** Who hears how long the pieces of a request take. */
  timing: Timing
  /** The API as it is published. */
  api: () => PublishedApi
  /** What `GET /metrics` tells: counts of this process, and figures of the ledger a few seconds old at most. */
  metrics: () => Promise<{ text: string; mediaType: string }>
  /** Whether payments can be sent here now. */
  readiness: () => Promise<Readiness>
  /** False from the moment on in which the process begins to stop. */
  accepting: () => boolean
  now: () => Date
  log: Log
}

/** A chain with its signers: a class without signers does not serve the network, and on an EVM network flash needs its own endpoint. */
export type ConfiguredNetwork = {
  signers: Readonly<Record<LaneClass, readonly string[]>>
} & ({ family: 'evm'; chain: EvmChain; flash: EvmChain | null } | { family: 'svm'; chain: SvmChain })

export type AppConfig = {
  /** The public origin, without a trailing slash. */
  baseUrl: string
  /** Where `GET /` leads. */
  operatorUrl: string
  /** The sample merchant of a local world, which gives visitors of the home page what they pay it; null everywhere else. */
  playgroundUrl: string | null
  /** Where credits are sold: the networks, or none for the ones that suggest themselves, and the addresses to pay to. */
  purchase: { networks: readonly NetworkId[]; payTo: Readonly<Record<'evm' | 'svm', string | null>> }
  /** The least amount worth a transaction, in atomic units. */
  minPayment: bigint
  /** What one tenant's settlements may cost us on one network and UTC day, in coins of the network (digits with a point). */
  gasBudgetDay: string
  /** How long an accepted payment is carried and counts against queues, milliseconds. */
  horizonMs: number
  /** What a transaction on Solana may ask of its fee payer. */
  svm: { maxComputeUnits: bigint; maxFeeLamports: bigint }
  /** The identity provider at which merchants sign in on the dashboard; null where none is configured. */
  oidc: { issuer: string; clientId: string; clientSecret: string } | null
  /** Which tokens open the merchants' routes; null where none do. */
  merchantTokens: { issuer: string; audience: string } | null
  /** Subjects of the identity provider that may see everybody's. */
  adminSubjects: readonly string[]
  /** Encrypts the cookies of dashboard sessions. */
  sessionSecret: string
  /** Seals cursors, so that nobody makes one up. */
  cursorKey: Uint8Array
  /** Seals the secrets that sign webhooks: they are kept, and by this key alone can be read. */
  webhookKey: Uint8Array
  /** Whether the catalog lists hosts that only this machine or network can reach, and webhooks go there. */
  privateHosts: boolean
  /** Whether an agent registry is asked about payers. */
  linksAgents: boolean
  /** Whether anybody may read `/metrics`. */
  metricsPublic: boolean
  /** SHA-256 of the key that opens `/admin`; null when there is none, and then nothing opens it. */
  adminKeyHash: Uint8Array | null
}

/** The time in whole Unix seconds, as chains count it. */
export function unixNow(app: Pick<App, 'now'>): bigint {
  return BigInt(Math.floor(app.now().getTime() / 1_000))
}
