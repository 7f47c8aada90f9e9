import { type Meter, readUsage, returnUnit, takeUnit, type UsageCount, untakeUnit } from '../store/usage'
import type { App } from './app'
import type { Caller } from './caller'
import { type MonthlyUnit, type Quota, spent } from './quota'

type Limits = Pick<Caller['limits'], 'settlements' | 'verifications'>

/** Takes one unit of the month's quota. Throws `too_many` when it is spent. */
export async function meterMonth(app: App, { limits }: Caller, subject: string, meter: Meter): Promise<Quota> {
  const { taken, used } = await takeUnit(app.db, { subject, meter }, limitOf(limits, meter))
  const quota = quotaOf(limits, subject, meter, used)
  if (taken) return quota
  const resetAt = endOf(used.period)
  const until = new Date(resetAt * 1_000).toISOString()
  const retryAfterSeconds = Math.max(1, resetAt - Math.floor(app.now().getTime() / 1_000))
  throw spent(quota, `the monthly quota of ${quota.limit} ${meter}s is spent; it starts again at ${until}`, retryAfterSeconds)
}

/** What is left of the month's quota. */
export async function peekMonth(app: App, limits: Limits, subject: string, meter: Meter): Promise<Quota> {
  return quotaOf(limits, subject, meter, await readUsage(app.db, subject))
}

/** Gives a unit back, as often as its month allows. */
export async function giveBackMonthly(app: App, quota: Quota, unit: MonthlyUnit): Promise<Quota> {
  const returned = await returnUnit(app.db, unit, unit.period, returnCap(quota))
  if (!returned) return quota
  const field = unit.meter === 'settlement' ? 'settlementsLeft' : 'verificationsLeft'
  return { ...quota, [field]: quota[field] + 1 }
}

/** Takes back that a unit was taken. */
export async function undoMonthly(app: App, unit: MonthlyUnit): Promise<void> {
  await untakeUnit(app.db, unit, unit.period)
}

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
