import type { App } from '../app'
import { isServiceError, ServiceError } from '../errors'
import {
  type CreditAccount,
  type CreditKey,
  readCredits,
  returnVerification,
  takeVerification,
} from '../ledger/statements/credits'
import {
  type Meter,
  readUsage,
  returnUnclaimed,
  returnUnit,
  takeUnit,
  type UsageCount,
  untakeUnit,
} from '../ledger/statements/usage'
import { environmentOf, type NetworkId } from '../x402/networks'
import { type Caller, WIDER_TIMES, widerSubject } from './caller'
import { PURCHASE_PATH, VERIFICATIONS_PER_CREDIT } from './plans'
import { type CreditUnit, type MonthlyUnit, type Quota, quotaHeaders, spent } from './quota'

/**
 * Takes one unit of what the caller has left; a settlement's credit is taken with its claim, so here it is only asked for. Null where nothing
 * is counted. Throws `too_many` with the headers at 0 when all is spent.
 */
export async function meter(app: App, caller: Caller, network: NetworkId, meter: Meter): Promise<Quota | null> {
  const { metered } = caller
  if (metered.by === 'nothing') return null
  return metered.by === 'month'
    ? meterMonth(app, caller, metered.subject, meter)
    : meterCredits(app, metered.wallet, network, meter)
}

/** What is left, without taking anything. */
export async function peek(app: App, { metered, limits }: Caller, network: NetworkId, meter: Meter): Promise<Quota | null> {
  if (metered.by === 'nothing') return null
  return metered.by === 'month'
    ? peekMonth(app, limits, metered.subject, meter)
    : peekCredits(app, metered.wallet, network, meter)
}

/** Gives a unit back for a refusal that is ours, and says what is left then. */
export async function giveBack(app: App, quota: Quota): Promise<Quota> {
  const { unit } = quota
  if (unit.by === 'month') return giveBackMonthly(app, quota, unit)
  return unit.meter === 'verification' ? takeBackVerification(app, quota, unit) : quota
}

/** Takes back that a unit was taken, for a request that begins anew: not one of those that may be given back. */
export async function undo(app: App, { unit }: Quota): Promise<void> {
  if (unit.by === 'month') await undoMonthly(app, unit)
}

type Limits = Pick<Caller['limits'], 'settlements' | 'verifications'>

/** Takes one unit of the month's quota, and of its /48's where the subject is a /64. Throws `too_many` when either is spent. */
export async function meterMonth(app: App, { limits }: Caller, subject: string, meter: Meter): Promise<Quota> {
  const { taken, used } = await takeUnit(app.db, { subject, meter }, limitOf(limits, meter))
  const quota = monthlyQuotaOf(limits, subject, meter, used)
  if (!taken) throw spentUntil(app, quota, `quota of ${quota.limit} ${meter}s`)
  const wider = widerSubject(subject)
  if (wider === null) return quota
  const most = WIDER_TIMES * quota.limit
  if ((await takeUnit(app.db, { subject: wider, meter }, most)).taken) return quota
  await untakeUnit(app.db, { subject, meter }, used.period)
  const none = { ...quota, [leftOf(meter)]: 0 }
  throw spentUntil(app, none, `quota of ${most} ${meter}s of this IPv6 /48`)
}

function spentUntil(app: App, quota: Quota, what: string): ServiceError {
  const resetAt = quota.resetAt ?? 0
  const until = new Date(resetAt * 1_000).toISOString()
  const retryAfterSeconds = Math.max(1, resetAt - Math.floor(app.now().getTime() / 1_000))
  return spent(quota, `the monthly ${what} is spent; it starts again at ${until}`, retryAfterSeconds)
}

/** What is left of the month's quota. */
export async function peekMonth(app: App, limits: Limits, subject: string, meter: Meter): Promise<Quota> {
  return monthlyQuotaOf(limits, subject, meter, await readUsage(app.db, subject))
}

/** Gives a unit back, as often as its month allows. */
export async function giveBackMonthly(app: App, quota: Quota, unit: MonthlyUnit): Promise<Quota> {
  const returned = await returnUnit(app.db, unit, unit.period, returnCap(quota))
  if (!returned) return quota
  const wider = widerSubject(unit.subject)
  if (wider) await untakeUnit(app.db, { subject: wider, meter: unit.meter }, unit.period)
  const field = leftOf(unit.meter)
  return { ...quota, [field]: quota[field] + 1 }
}

/** Takes back that a unit was taken. */
export async function undoMonthly(app: App, unit: MonthlyUnit): Promise<void> {
  await untakeUnit(app.db, unit, unit.period)
  const wider = widerSubject(unit.subject)
  if (wider) await untakeUnit(app.db, { subject: wider, meter: unit.meter }, unit.period)
}

const leftOf = (meter: Meter) => (meter === 'settlement' ? 'settlementsLeft' : 'verificationsLeft')

/** How many units may come back in a period: refusals that are ours are rare, floods of them are not. */
export function returnCap({ limit }: Quota): number {
  return Math.ceil(limit / 10)
}

function limitOf(limits: Limits, meter: Meter): number {
  return meter === 'settlement' ? limits.settlements : limits.verifications
}

function monthlyQuotaOf(limits: Limits, subject: string, meter: Meter, used: UsageCount): Quota {
  return {
    unit: { by: 'month', meter, subject, period: used.period },
    settlementsLeft: Math.max(0, limits.settlements - used.settlement),
    verificationsLeft: Math.max(0, limits.verifications - used.verification),
    limit: limitOf(limits, meter),
    resetAt: endOf(used.period),
  }
}

// `YYYY-MM` of the UTC calendar: the next month begins where this one ends.
function endOf(period: string): number {
  const [year = 1970, month = 1] = period.split('-').map(Number)
  return Date.UTC(year, month, 1) / 1_000
}

/** Takes a verification, or sees whether there is a credit for a settlement. Throws `too_many` when there is none. */
export async function meterCredits(app: App, wallet: string, network: NetworkId, meter: Meter): Promise<Quota> {
  const account: CreditKey = { wallet, environment: environmentOf(network) }
  if (meter === 'verification') {
    const taken = await takeVerification(app.db, account, VERIFICATIONS_PER_CREDIT)
    if (taken) return creditQuotaOf(account, meter, taken)
  }
  const quota = creditQuotaOf(account, meter, await readCredits(app.db, account))
  if (meter === 'settlement' && quota.settlementsLeft > 0) return quota
  throw outOfCredits(app, quota)
}

/** What is left of a wallet's credits where this network's money comes from. */
export async function peekCredits(app: App, wallet: string, network: NetworkId, meter: Meter): Promise<Quota> {
  const account = { wallet, environment: environmentOf(network) }
  return creditQuotaOf(account, meter, await readCredits(app.db, account))
}

/** Gives a verification back. */
export async function takeBackVerification(app: App, quota: Quota, { account }: CreditUnit): Promise<Quota> {
  await returnVerification(app.db, account)
  return { ...quota, verificationsLeft: quota.verificationsLeft + 1 }
}

/** The refusal of a wallet that has nothing left, with where to buy more. */
export function outOfCredits(app: Pick<App, 'config'>, quota: Quota): Error {
  const { unit } = quota
  const what =
    unit.meter === 'settlement'
      ? 'no credits are left'
      : `no verifications are left (${VERIFICATIONS_PER_CREDIT} come with each credit)`
  const where = unit.by === 'credits' ? ` for ${unit.account.environment === 'testnet' ? 'testnets' : 'mainnets'}` : ''
  return spent(quota, `${what}${where}; buy more with POST ${app.config.baseUrl}${PURCHASE_PATH}`)
}

/** Verifications left of those that came with the credits bought. */
export function verificationsLeft({ purchased, verifications }: CreditAccount): number {
  return Math.max(0, purchased * VERIFICATIONS_PER_CREDIT - verifications)
}

/** Credits left; a purchase that was undone may have taken away some that were used already. */
export function creditsLeft({ purchased, used }: CreditAccount): number {
  return Math.max(0, purchased - used)
}

function creditQuotaOf(account: CreditKey, meter: Meter, has: CreditAccount): Quota {
  return {
    unit: { by: 'credits', meter, account },
    settlementsLeft: creditsLeft(has),
    verificationsLeft: verificationsLeft(has),
    limit: meter === 'settlement' ? has.purchased : has.purchased * VERIFICATIONS_PER_CREDIT,
    resetAt: null,
  }
}

/** Runs a step after a unit was taken; when the step refuses, the unit is given back, once, and the headers say so. */
export async function returning<T>(app: App, quota: Quota | null, step: () => Promise<T>): Promise<T> {
  try {
    return await step()
  } catch (error) {
    throw withQuota(error, await takeBack(app, quota))
  }
}

/** Gives the unit of a refused request back and says what is left; a database that fails here must not hide the refusal. */
export async function takeBack(app: App, quota: Quota | null): Promise<Quota | null> {
  try {
    return quota && (await giveBack(app, quota))
  } catch (error) {
    app.log.error({ err: error }, 'a unit could not be given back')
    return quota
  }
}
const SURELY_OVER_MS = 10_000

/** Gives the unit of a claim back, some seconds later, if it turns out never to have been written. */
export function takeBackUnclaimed(app: App, quota: Quota | null, settlementId: string): void {
  // Only a month's unit is taken before its claim.
  if (quota?.unit.by !== 'month') return
  const { subject, period } = quota.unit
  const look = () =>
    returnUnclaimed(app.db, settlementId, subject, period, returnCap(quota)).catch((error: unknown) =>
      app.log.error({ err: error, settlementId }, 'a unit could not be given back'),
    )
  setTimeout(look, SURELY_OVER_MS).unref()
}

/** The refusal with the quota headers of its request; what is not a refusal stays as it is. */
export function withQuota(error: unknown, quota: Quota | null): unknown {
  if (!quota || !isServiceError(error)) return error
  return new ServiceError(error.refusal, error.message, {
    ...error.facts,
    headers: { ...error.facts.headers, ...quotaHeaders(quota) },
    cause: error.cause ?? error,
  })
}
