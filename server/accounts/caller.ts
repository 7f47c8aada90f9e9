import { isIPv6 } from 'node:net'
import type { App } from '../app'
import { ServiceError } from '../base/errors'
import type { Credentials, EndpointRate } from '../http/endpoint'
import { clientIp } from '../http/request'
import { atomic } from '../x402/atomic'
import { type Finality, finalities } from '../x402/networks/finality'
import { isNetworkId, type NetworkId, type Prefix, prefixNetworks } from '../x402/networks/networks'
import type { KeyRecord } from './key-queries'
import { isPlan, type PlanName, plans, type Tier } from './plans'

/** The caller of a payment route: an API key or, in the sandbox, an IP address. */
export type Caller = {
  tenantId: string
  /** The API key and the version of its tenant's settings; null in the sandbox. */
  key: { id: string; version: number } | null
  /** Tenants of its owner that ended: what their authorizers hold can still be claimed and refunded. Unset: not read. */
  ended?: readonly string[]
  /** The owner of settlements and idempotency keys, and the subject of the rate limit. */
  id: string
  /** What pays for its requests. */
  metered: Metered
  /** Of a key that cost nothing: whose share of the common gas budget it spends, a block of addresses; null for any other. */
  freeFrom: string | null
  plan: PlanName
  tier: Tier
  limits: { settlements: number; verifications: number; requestsPerSecond: number }
  prefix: Prefix
  guardrails: Guardrails
  /** Whether its payments may share transactions, and the finality for which settle waits; null: the usual one of the tier. */
  shares: boolean
  waitUntil: Finality | null
  /** Whether each of its receipts has a public page. */
  publicReceipts: boolean
  /** For how long a payment whose answer may be lost holds back the same one of its payer, in seconds; null: never. */
  secondChargeSeconds: number | null
  /** Whether history was on when the key was last read; the claim reads it again. */
  logged: boolean
}

/** What a tenant allows with its key; null allows everything. */
type Guardrails = {
  networks: readonly NetworkId[] | null
  /** Addresses as `Payment` writes them. */
  payTo: readonly string[] | null
  maxAmount: bigint | null
}

/** The tenant of everyone without a key. */
export const SANDBOX_TENANT = '00000000-0000-0000-0000-000000000000'

/** The tenant through which the service sells credits. */
export const OPERATOR_TENANT = '00000000-0000-0000-0000-000000000001'

/** A sandbox caller, identified by its IP address. */
export function sandboxCaller(ip: string): Caller {
  const id = `ip:${ipSubject(ip)}`
  return {
    tenantId: SANDBOX_TENANT,
    key: null,
    id,
    metered: { by: 'month', subject: id },
    freeFrom: null,
    plan: 'sandbox',
    tier: plans.sandbox.tier,
    limits: plans.sandbox,
    prefix: 'sandbox',
    guardrails: { networks: null, payTo: null, maxAmount: null },
    shares: true,
    waitUntil: null,
    publicReceipts: false,
    secondChargeSeconds: null,
    logged: true,
  }
}

/** The caller of this API key. Throws `invalidApiKey` for any invalid key, `forbidden` if its plan has no flash. */
export async function keyHolder(app: App, prefix: 'v1' | 'flash', key: string, ip: string): Promise<Caller> {
  return callerOf(prefix, await app.keyring.find(key, ipSubject(ip)))
}

/** As `keyHolder`, read from the database instead of the cache. */
export async function keyHolderNow(app: App, prefix: 'v1' | 'flash', key: string): Promise<Caller> {
  return callerOf(prefix, await app.keyring.findAgain(key))
}

/** More units than a month has: what is taken of them is counted, and never refused. */
const UNBOUNDED_UNITS = 2_000_000_000

/**
 * The caller of what the service does for a tenant by itself, whatever its keys may do. A month's units are counted and never run out; prepaid
 * credits are not touched.
 */
export function serviceFor(record: KeyRecord): Caller {
  const caller = callerOf('v1', { ...record, waitUntil: null })
  return {
    ...caller,
    metered: caller.metered.by === 'month' ? caller.metered : { by: 'nothing' },
    limits: { ...caller.limits, settlements: UNBOUNDED_UNITS },
    guardrails: { networks: null, payTo: null, maxAmount: null },
  }
}

/** The refusal for any invalid key. It is always the same, so that it does not say which keys exist. */
export function invalidApiKey(facts: { network?: string } = {}): ServiceError {
  return new ServiceError(
    'unauthorized',
    'the API key in the path is missing or not valid; the base URL is /v1/<API_KEY> with a live key',
    { ...facts, reason: 'invalid_api_key' },
  )
}

function callerOf(prefix: 'v1' | 'flash', record: KeyRecord | null): Caller {
  if (!record) throw invalidApiKey()
  const name = planOf(record)
  const plan = plans[name]
  if (prefix === 'flash' && !plan.flash) {
    throw new ServiceError('forbidden', `flash settlement needs the plan growth or higher; this key has the plan ${name}`, {
      reason: 'flash_not_in_plan',
    })
  }
  const waitUntil = waitUntilOf(record, plan)
  const metered = meteredOf(record, name)
  return {
    tenantId: record.tenantId,
    key: { id: record.keyId, version: record.version },
    id: `tenant:${record.tenantId}`,
    metered,
    freeFrom: freeFromOf(record, metered),
    plan: name,
    tier: prefix === 'flash' || waitUntil === 'preconfirmed' ? 'flash' : plan.tier,
    limits: {
      settlements: record.settlementQuota ?? plan.settlements,
      verifications: record.verificationQuota ?? plan.verifications,
      requestsPerSecond: record.rps ?? plan.requestsPerSecond,
    },
    prefix,
    guardrails: guardrailsOf(record),
    shares: record.shareTransactions,
    waitUntil,
    publicReceipts: record.publicReceipts,
    secondChargeSeconds: record.secondChargeSeconds,
    logged: record.historyEnabled,
  }
}

// A plan that lost flash answers as its prefix does.
function waitUntilOf({ waitUntil }: KeyRecord, { flash }: { flash: boolean }): Finality | null {
  const written = finalities.find((one) => one === waitUntil) ?? null
  return written === 'preconfirmed' && !flash ? null : written
}

function meteredOf({ tenantId, ownerKind, ownerId, ownQuota }: KeyRecord, plan: PlanName): Metered {
  if (plan === 'agent') return { by: 'credits', wallet: ownerId }
  return { by: 'month', subject: ownQuota ? `tenant:${tenantId}` : `owner:${ownerKind}:${ownerId}:${plan}` }
}

// A key from before blocks were noted, and an agent's, is a block of its own.
function freeFromOf({ madeFrom, plan, ownQuota }: KeyRecord, metered: Metered): string | null {
  if (metered.by === 'credits') return madeFrom ?? `wallet:${metered.wallet}`
  return metered.by === 'month' && plan === 'free' && !ownQuota ? (madeFrom ?? metered.subject) : null
}

function planOf({ tenantId, plan }: KeyRecord): PlanName {
  if (isPlan(plan)) return plan
  throw new Error(`tenant ${tenantId} has the plan "${plan}", which is in no table`)
}

function guardrailsOf({ allowedNetworks, payToAllow, maxAmount }: KeyRecord): Guardrails {
  return {
    networks: allowedNetworks.length > 0 ? allowedNetworks.filter(isNetworkId) : null,
    payTo: payToAllow.length > 0 ? payToAllow : null,
    maxAmount: maxAmount === null ? null : atomic.parse(maxAmount),
  }
}

/** The networks that this caller may use: those of the prefix that its tenant allows. */
export function allowedNetworks({ prefix, guardrails }: Caller): NetworkId[] {
  return prefixNetworks[prefix].filter((id) => guardrails.networks?.includes(id) ?? true)
}

/** The part of an IP address that identifies one subscriber: all of IPv4, the /64 of IPv6. */
export function ipSubject(ip: string): string {
  if (!isIPv6(ip)) return ip
  const [head = '', tail] = (ip.toLowerCase().split('%')[0] ?? '').split('::')
  const left = head ? head.split(':') : []
  const right = tail ? tail.split(':') : []
  const zeros = tail === undefined ? 0 : 8 - left.length - right.length
  const groups = [...left, ...Array<string>(Math.max(zeros, 0)).fill('0'), ...right]
  return `${groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`
}

/** The /48 of a subject that ends with an IPv6 /64; null for any other subject. */
export function widerSubject(subject: string): string | null {
  const [, head] = /^(.*[0-9a-f]{1,4}(?::[0-9a-f]{1,4}){2}):[0-9a-f]{1,4}::\/64$/.exec(subject) ?? []
  return head === undefined ? null : `${head}::/48`
}

/** What pays for a caller's requests: monthly units, a wallet's prepaid credits, or nothing for the operator's own sales. */
type Metered = { by: 'month'; subject: string } | { by: 'credits'; wallet: string } | { by: 'nothing' }

/** Cheap read requests per second, counted separately from payments. */
const READS_PER_SECOND = 50
/** Requests per second of one address on routes that need a sign-in. */
const SIGNED_IN_PER_SECOND = 20

/** Counts a read request of this caller in its own bucket. Throws `too_many`. */
export function limitReading(app: App, { id, limits }: Pick<Caller, 'id' | 'limits'>): Promise<void> {
  return app.rateLimit(`read:${id}`, Math.max(READS_PER_SECOND, limits.requestsPerSecond))
}

/** The rate of cheap read endpoints. */
export const readRate = { per: 'caller', take: limitReading } as const satisfies EndpointRate<Caller>

/** The rate of history, analytics and settings: counted before the credential is checked. */
export const signedInRate = {
  per: 'address',
  take: (app, request) => app.rateLimit(`signed-in:${ipSubject(clientIp(request))}`, SIGNED_IN_PER_SECOND),
} as const satisfies EndpointRate<unknown>

/** The credentials of public endpoints: the client's address. */
export const publicAccess: Credentials<Caller> = { names: [], prove: (_app, request) => sandboxCaller(clientIp(request)) }
