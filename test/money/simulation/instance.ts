import { getAddress, type Hex } from 'viem'
import { createKeyring } from '../../../server/accounts/keyring'
import { createRateLimit } from '../../../server/accounts/rate-limit'
import type { App } from '../../../server/app'
import type { Failpoint } from '../../../server/base/failpoints'
import type { Log } from '../../../server/base/log'
import { untimed } from '../../../server/base/timing'
import { buildEngine, deadlinesOf } from '../../../server/boot/engine'
import { createEvmChain } from '../../../server/chains/evm/chain'
import { createSigner } from '../../../server/chains/evm/signer'
import type { Rpc } from '../../../server/chains/rpc'
import type { Db } from '../../../server/db/database'
import type { Announcement, Listening } from '../../../server/db/notices'
import { createCatalog } from '../../../server/discovery/catalog'
import { type Env, readEnv } from '../../../server/env/env'
import { createExplanationSlots } from '../../../server/explain/explanation-slots'
import { createExportSlots } from '../../../server/history/export-slots'
import { createReadLists } from '../../../server/history/list-slots'
import { publishedApi } from '../../../server/http/openapi/document'
import { createSignerBalances } from '../../../server/operations/balances'
import { createAuthorizers } from '../../../server/payments/channels/authorizers'
import { deleteChannel, getChannel, putChannel } from '../../../server/payments/channels/endpoints'
import { startKeeper } from '../../../server/payments/channels/managed/keeper'
import { settle, verify } from '../../../server/payments/endpoints'
import { approvalMaxOf } from '../../../server/payments/gas-budgets'
import { createIdempotencyKeyCounts } from '../../../server/payments/idempotency'
import type { ReceiptFacts } from '../../../server/payments/receipts'
import { createUnknownPayers } from '../../../server/payments/unknown-payers'
import { createSvmAuthorizers } from '../../../server/payments/upto-svm/authorizers'
import { noScreening } from '../../../server/screening/screening'
import { createCoalesce, createRecent } from '../../../server/sums/coalesce'
import { createCallRate } from '../../../server/trpc/call-rate'
import type { Merchant } from './merchants'
import type { Owner } from './schedule'

/** The service's configuration in a run. */
export type Setting = {
  exclusive: boolean
  flash: boolean
  env: Record<string, string>
  /** How often the service looks at the channels that it claims; null: it claims for nobody. */
  channelsEveryMs: number | null
}

type InstanceParts = {
  owner: Owner
  setting: Setting
  db: Db
  node: Rpc
  flashNode: Rpc
  log: Log
  failpoint: Failpoint
  /** Subscribes to the notices of other instances. */
  listen: (hear: (what: Announcement) => void) => void
}

type Asked = (merchant: Merchant, body: object, headers: Record<string, string>, hangUp: AbortSignal) => Promise<Response>

/** A request of a merchant's server about a channel that is kept here: its method, its headers, and the row that it writes. */
export type StorageRequest = { method: 'GET' | 'PUT' | 'DELETE'; id: Hex; headers: Record<string, string>; row?: object }

/** One instance of the service, without sockets. */
export type Instance = {
  owner: Owner
  /** Answers a settle request, with the headers that the HTTP server adds. */
  settle: Asked
  /** The same of a verify request. */
  verify: Asked
  /** Answers a request about a channel that a merchant's server keeps here. */
  storage: (merchant: Merchant, request: StorageRequest) => Promise<Response>
  /** Stops as a process that is asked to. */
  stop: () => Promise<void>
}

export const NETWORK = 'eip155:84532'
/** The keys that consent to claims and refunds, the same in every run. */
export const AUTHORIZERS = createAuthorizers(['a secret of the simulation'])
const keyOf = (number: number): Hex => `0x${number.toString(16).padStart(64, '0')}`
/** The signers of the sandbox and of production, the same in every run. */
const SIGNERS = { sandbox: [createSigner(keyOf(901))], production: [createSigner(keyOf(902)), createSigner(keyOf(903))] }

/** The addresses of a class of them, in lower case. */
export const sendersOf = (laneClass: keyof typeof SIGNERS): Hex[] =>
  SIGNERS[laneClass].map(({ address }): Hex => `0x${address.slice(2).toLowerCase()}`)

/** Starts the real engine and the other parts that the settle route needs. */
export async function startInstance({
  owner,
  setting,
  db,
  node,
  flashNode,
  log,
  listen,
  failpoint,
}: InstanceParts): Promise<Instance> {
  const env = readEnv({ NODE_ENV: 'test', BASE_SEPOLIA_RPC_URL: 'http://node.invalid', ...setting.env })
  const now = () => new Date()
  const beside = { approvalMax: approvalMaxOf({ sponsoredApprovalMax: env.SPONSORED_APPROVAL_MAX }, NETWORK) }
  const chain = createEvmChain(NETWORK, node, [node], beside)
  const flash = setting.flash ? createEvmChain(NETWORK, flashNode, [flashNode], beside) : null
  const { exclusive } = setting
  const observed = { endpoints: () => [], contradiction: () => null }
  const databases = {
    requests: db,
    engine: db,
    sums: db,
    lists: db,
    catalog: db,
    exclusive,
    locksNames: false,
    async listen({ onNotice }: Listening) {
      listen(onNotice)
      return { close: async () => {} }
    },
    close: async () => {},
  }
  const rateLimit = createRateLimit()
  const keyring = createKeyring(db, rateLimit, log)
  const engine = await buildEngine({
    env,
    deadlines: deadlinesOf(env),
    log,
    databases,
    now,
    timing: untimed,
    forget: keyring.forget,
    ended: () => {},
    chains: [{ chain, flash, signers: SIGNERS, ...observed }],
    clusters: [],
    remotes: new Map(),
    failpoint,
  })
  const signers = { sandbox: addressesOf('sandbox'), production: addressesOf('production') }
  const networks: App['networks'] = new Map([[NETWORK, { family: 'evm', chain, flash, signers, ...observed }]])
  const app: App = {
    config: configOf(env),
    db,
    engine,
    networks,
    rateLimit,
    callRate: createCallRate(),
    now,
    log,
    sums: db,
    remotes: new Map(),
    unknownPayers: createUnknownPayers(now),
    keyring: createKeyring(db, rateLimit, log),
    idempotencyKeyCounts: createIdempotencyKeyCounts(db),
    screening: { sandbox: noScreening, production: noScreening },
    // A signature differs each time, and a run must not.
    authorizers: AUTHORIZERS,
    svmAuthorizers: createSvmAuthorizers([]),
    receipts: { keys: [], sign: nameReceipt, signAsOf: nameReceipt, signClaims: () => '' },
    proveMerchant: null,
    signInEndpoints: null,
    proveWallet: () => Promise.reject(new Error('the simulation has no sign-in')),
    catalog: createCatalog(db),
    expectEffects: () => {},
    signerBalances: createSignerBalances(networks, log),
    coalesce: createCoalesce(),
    counting: createCoalesce(),
    recent: createRecent(),
    lists: createReadLists(db),
    statusCounts: () => Promise.reject(new Error('the simulation has no status page')),
    incidents: () => Promise.resolve([]),
    explanations: createExplanationSlots(),
    exports: createExportSlots(),
    timing: untimed,
    api: publishedApi('http://localhost', []),
    metrics: () => Promise.reject(new Error('the simulation has no metrics')),
    readiness: () => Promise.reject(new Error('the simulation has no readiness check')),
    accepting: () => true,
  }
  // Each round reads the chain: delays pass a hundred times as fast here.
  const keeper = setting.channelsEveryMs === null ? null : startKeeper(app, setting.channelsEveryMs, 1)
  return {
    owner,
    async stop() {
      keeper?.closing()
      await Promise.all([keeper?.stop(), engine.stop()])
    },
    storage(merchant, { method, id, headers, row }) {
      const asked = { key: merchant.key, network: NETWORK, id }
      return STORAGE[method].handle(app, requestOf(merchant, row ?? null, headers, NEVER, method), asked)
    },
    settle: (merchant, body, headers, signal) =>
      settle[merchant.prefix].handle(app, requestOf(merchant, body, headers, signal), { key: merchant.key }),
    verify: (merchant, body, headers, signal) =>
      verify[merchant.prefix].handle(app, requestOf(merchant, body, headers, signal), { key: merchant.key }),
  }
}

const STORAGE = { GET: getChannel, PUT: putChannel, DELETE: deleteChannel } as const
/** Of requests that no client gives up. */
const NEVER = new AbortController().signal

function requestOf(
  { ip }: Merchant,
  body: object | null,
  headers: Record<string, string>,
  signal: AbortSignal,
  method = 'POST',
): Request {
  return new Request('http://localhost/', {
    method,
    ...(body && { body: JSON.stringify(body) }),
    headers: { 'content-type': 'application/json', 'x-quittance-client-ip': ip, 'x-request-id': 'sim', ...headers },
    signal,
  })
}

const addressesOf = (laneClass: keyof typeof SIGNERS) => SIGNERS[laneClass].map(({ address }) => getAddress(address))

function configOf({ SETTLE_HORIZON_MS: horizonMs, SPONSORED_APPROVAL_MAX: sponsoredApprovalMax }: Env): App['config'] {
  return {
    baseUrl: 'http://localhost',
    operatorUrl: '/home',
    minPayment: 100n,
    gasBudgetDay: '1',
    walletGasBudgetDay: '1',
    freeGasUsdDay: 25,
    horizonMs,
    sponsoredApprovalMax,
    finalityDepth: 5,
    privateHosts: true,
    linksAgents: false,
    purchase: { networks: [], payTo: { evm: null, svm: null } },
    retiringSigners: new Set(),
    svm: { maxComputeUnits: 60_000n, maxFeeLamports: 20_000n, smartWallets: new Set(), upto: false, uptoChannels: 1 },
    playgroundUrl: null,
    planPrices: new Map(),
    planContact: null,
    walletKeysPerDay: 0,
    oidc: null,
    merchantTokens: null,
    walletConnectProjectId: null,
    prefetchWaitMs: 0,
    adminSubjects: [],
    sessionSecret: '',
    cursorKey: new Uint8Array(32),
    webhookKey: new Uint8Array(32),
    adminKeyHash: null,
    metricsPublic: false,
  }
}

const nameReceipt = ({ id, finality }: Pick<ReceiptFacts, 'id' | 'finality'>) => `${id} ${finality}`
