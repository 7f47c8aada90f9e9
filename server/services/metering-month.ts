import type { ServiceError } from '../errors'
import { type Meter, readUsage, returnUnit, takeUnit, type UsageCount, untakeUnit } from '../store/usage'
import type { App } from './app'
import { type Caller, WIDER_TIMES, widerSubject } from './caller'
import { type MonthlyUnit, type Quota, spent } from './quota'

type Limits = Pick<Caller['limits'], 'settlements' | 'verifications'>

/** Takes one unit of the month's quota, and of its /48's where the subject is a /64. Throws `too_many` when either is spent. */
export async function meterMonth(app: App, { limits }: Caller, subject: string, meter: Meter): Promise<Quota> {
  const { taken, used } = await takeUnit(app.db, { subject, meter }, limitOf(limits, meter))
  const quota = quotaOf(limits, subject, meter, used)
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
  return quotaOf(limits, subject, meter, await readUsage(app.db, subject))
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

function quotaOf(limits: Limits, subject: string, meter: Meter, used: UsageCount): Quota {
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
