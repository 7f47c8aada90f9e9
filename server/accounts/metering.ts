import type { App } from '../app'
import { isServiceError, ServiceError } from '../base/errors'
import { MONTHLY } from '../ledger/statements/claim-statement'
import {
  type CreditAccount,
  type CreditKey,
  PREPAID,
  readCredits,
  subjectOfCredits,
  takeVerification,
} from '../ledger/statements/credits'
import { type Meter, readUsage, takeUnit, type Unit, type UsageCount, WIDER_TIMES } from '../ledger/statements/usage'
import { environmentOf, type NetworkId } from '../x402/networks/networks'
import { type Caller, widerSubject } from './caller'
import { PURCHASE_PATH, VERIFICATIONS_PER_CREDIT } from './credit-price'

/** Whose quota a request uses: a caller's, of a meter, where the payment's network has its money from. */
export type Metering = { caller: Pick<Caller, 'metered' | 'limits'>; network: NetworkId; meter: Meter }

/** What is left, without taking anything. Null where nothing is counted. */
export async function readQuota(app: Pick<App, 'config' | 'db'>, { caller, network, meter }: Metering): Promise<Quota | null> {
  const { metered, limits } = caller
  if (metered.by === 'nothing') return null
  if (metered.by === 'month') return readMonth(app, limits, metered.subject, meter)
  const account: CreditKey = { wallet: metered.wallet, environment: environmentOf(network) }
  return creditQuota(app, account, meter, await readCredits(app.db, account))
}

type Limits = Pick<Caller['limits'], 'settlements' | 'verifications'>

/** What is left of the month's quota: nothing also when the /48 of a /64 has nothing left. */
export async function readMonth({ db }: Pick<App, 'db'>, limits: Limits, subject: string, meter: Meter): Promise<Quota> {
  const wider = widerSubject(subject)
  const [used, usedWider] = await Promise.all([readUsage(db, subject), wider === null ? null : readUsage(db, wider)])
  const quota = monthlyQuota(limits, meter, used)
  const most = WIDER_TIMES * quota.limit
  if (leftOf(quota) === 0 || usedWider === null || usedWider[meter] < most) return quota
  return { ...withNoneLeft(quota), spentText: monthSpent(`${most} ${meter}s of this IPv6 /48`, endOf(used.period)) }
}

/** What is left of a month of which so much is used. */
export function monthlyQuota(limits: Limits, meter: Meter, used: UsageCount): Quota {
  const limit = limitOf(limits, meter)
  const resetAt = endOf(used.period)
  return {
    by: 'month',
    meter,
    limit,
    resetAt,
    settlementsLeft: Math.max(0, limits.settlements - used.settlement),
    verificationsLeft: Math.max(0, limits.verifications - used.verification),
    spentText: monthSpent(`${limit} ${meter}s`, resetAt),
  }
}

function monthSpent(units: string, resetAt: number): string {
  return `the monthly quota of ${units} is spent; it resets at ${new Date(resetAt * 1_000).toISOString()}`
}

// `YYYY-MM` of the UTC calendar: the next month begins where this one ends.
function endOf(period: string): number {
  const [year = 1970, month = 1] = period.split('-').map(Number)
  return Date.UTC(year, month, 1) / 1_000
}

const limitOf = (limits: Limits, meter: Meter) => (meter === 'settlement' ? limits.settlements : limits.verifications)

/** The unit of a month that a request costs. Null where none is counted. */
export function unitOf({ metered, limits }: Metering['caller'], meter: Meter): Unit | null {
  return metered.by === 'month' ? { subject: metered.subject, meter, limit: limitOf(limits, meter) } : null
}

/** What the claim takes: a unit of the month, a credit, or nothing. Up to a tenth of a month's units may come back. */
export function chargeOf({ metered, limits }: Caller, network: NetworkId) {
  if (metered.by === 'nothing') return { subject: 'service', period: 'none', unitsMax: 0, returnCap: 0 }
  if (metered.by === 'month') {
    const unitsMax = limits.settlements
    return { subject: metered.subject, period: MONTHLY, unitsMax, returnCap: Math.ceil(unitsMax / 10) }
  }
  const subject = subjectOfCredits({ wallet: metered.wallet, environment: environmentOf(network) })
  return { subject, period: PREPAID, unitsMax: 0, returnCap: 0 }
}

/** Throws `too_many` when nothing is left, before any work is done for the request; what takes the unit decides. */
export function requireUnit(app: Pick<App, 'now'>, quota: Quota | null): void {
  if (quota && leftOf(quota) === 0) throw spent(app, quota)
}

/** The refusal of a request for which nothing was left when its unit should have been taken; `before` is what it read at first. */
export async function spentNow(app: App, metering: Metering, before: Quota | null): Promise<ServiceError> {
  const quota = await readQuota(app, metering)
  if (!quota) throw new Error('nothing is counted here')
  // The month may have ended since the refusal; then the earlier one was spent.
  const isNextMonth = before?.resetAt != null && quota.resetAt !== null && before.resetAt < quota.resetAt
  return spent(app, withNoneLeft(isNextMonth ? before : quota))
}

/** Takes the verification that a verdict costs, and returns what is left. Throws `too_many` when none is left. */
export async function takeForVerdict(app: App, metering: Metering, before: Quota | null): Promise<Quota | null> {
  const { caller, network, meter } = metering
  const { metered, limits } = caller
  if (metered.by === 'nothing') return null
  if (metered.by === 'month') {
    const used = await takeUnit(app.db, { subject: metered.subject, meter, limit: limitOf(limits, meter) })
    if (used) return monthlyQuota(limits, meter, used)
  } else {
    const account: CreditKey = { wallet: metered.wallet, environment: environmentOf(network) }
    const taken = await takeVerification(app.db, account, VERIFICATIONS_PER_CREDIT)
    if (taken) return creditQuota(app, account, meter, taken)
  }
  throw await spentNow(app, metering, before)
}

/** A metered request from when its response has quota headers: whose quota it uses, and what was left when it was read. */
export type Counted = { metering: Metering & { caller: Caller }; quota: Quota | null }

/** The quota headers of a request that failed: after a refusal what is left by now, after any other error what was left before. */
export async function headersOfFailure(app: App, error: unknown, counted: Counted | null): Promise<Record<string, string>> {
  if (!counted) return {}
  const { metering, quota } = counted
  // Any other error may be of the database, so that is not asked again.
  const left = isServiceError(error) ? await leftNow(app, metering, quota) : quota
  return left ? quotaHeaders(left) : {}
}

/** What is left by now; what was left before if that cannot be read: an answer is true without the count. */
export function leftNow(app: App, metering: Metering, before: Quota | null): Promise<Quota | null> {
  return readQuota(app, metering).catch((error: unknown) => {
    app.log.error({ err: error }, 'what is left of a quota could not be read')
    return before
  })
}

function withNoneLeft(quota: Quota): Quota {
  return { ...quota, [quota.meter === 'settlement' ? 'settlementsLeft' : 'verificationsLeft']: 0 }
}

function spent({ now }: Pick<App, 'now'>, quota: Quota): ServiceError {
  const { by, resetAt, spentText } = quota
  return new ServiceError('too_many', spentText, {
    reason: by === 'month' ? 'quota_exceeded' : 'credits_exhausted',
    ...(resetAt === null ? {} : { retryAfterSeconds: Math.max(1, resetAt - Math.floor(now().getTime() / 1_000)) }),
    headers: quotaHeaders(quota),
  })
}

function creditQuota({ config }: Pick<App, 'config'>, { environment }: CreditKey, meter: Meter, has: CreditAccount): Quota {
  const none =
    meter === 'settlement'
      ? 'no credits are left'
      : `no verifications are left (${VERIFICATIONS_PER_CREDIT} come with each credit)`
  const where = environment === 'testnet' ? 'testnets' : 'mainnets'
  return {
    by: 'credits',
    meter,
    settlementsLeft: creditsLeft(has),
    verificationsLeft: verificationsLeft(has),
    limit: meter === 'settlement' ? has.purchased : has.purchased * VERIFICATIONS_PER_CREDIT,
    resetAt: null,
    spentText: `${none} for ${where}; buy more with POST ${config.baseUrl}${PURCHASE_PATH}`,
  }
}

/** Verifications left of those that came with the credits bought. */
export function verificationsLeft({ purchased, verifications }: CreditAccount): number {
  return Math.max(0, purchased * VERIFICATIONS_PER_CREDIT - verifications)
}

/** Credits left; a purchase that was undone may have taken away some that were used already. */
export function creditsLeft({ purchased, used }: CreditAccount): number {
  return Math.max(0, purchased - used)
}

/** A caller's remaining units, for the quota headers. `limit` belongs to `meter`; `resetAt` (Unix seconds) is null for prepaid credits. */
export type Quota = {
  by: 'month' | 'credits'
  meter: Meter
  settlementsLeft: number
  verificationsLeft: number
  limit: number
  resetAt: number | null
  /** The text of the refusal when no unit is left. */
  spentText: string
}

/** The headers of every metered response. */
export function quotaHeaders({ settlementsLeft, verificationsLeft, limit, resetAt }: Quota): Record<string, string> {
  return {
    'x-settlement-remaining': String(settlementsLeft),
    'x-verification-remaining': String(verificationsLeft),
    'x-quota-limit': String(limit),
    ...(resetAt === null ? {} : { 'x-quota-reset': String(resetAt) }),
  }
}

/** The remaining units of `meter`. */
export function leftOf({ meter, settlementsLeft, verificationsLeft }: Quota): number {
  return meter === 'settlement' ? settlementsLeft : verificationsLeft
}
