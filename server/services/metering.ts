import { ServiceError } from '../errors'
import { type Meter, readUsage, returnUnit, takeUnit, type UsageCount, untakeUnit } from '../store/usage'
import type { App } from './app'
import type { Caller } from './caller'

/** What a caller has left this month, for the quota headers. `limit` and `resetAt` (Unix seconds) are of the meter in use. */
export type Quota = {
  meter: Meter
  period: string
  settlementsLeft: number
  verificationsLeft: number
  limit: number
  resetAt: number
}

/** Takes one unit of the month's quota. Throws `too_many` with the headers at 0 when it is spent. */
export async function meter(app: App, caller: Caller, meter: Meter): Promise<Quota> {
  const { taken, used } = await takeUnit(app.db, { subject: caller.subject, meter }, limitOf(caller, meter))
  const quota = quotaOf(caller, meter, used)
  if (taken) return quota
  const retryAfterSeconds = Math.max(1, quota.resetAt - Math.floor(app.now().getTime() / 1_000))
  const until = new Date(quota.resetAt * 1_000).toISOString()
  throw new ServiceError('too_many', `the monthly quota of ${quota.limit} ${meter}s is spent; it starts again at ${until}`, {
    reason: 'quota_exceeded',
    retryAfterSeconds,
    headers: quotaHeaders(quota),
  })
}

/** What is left, without taking anything. */
export async function peek(app: App, caller: Caller, meter: Meter): Promise<Quota> {
  return quotaOf(caller, meter, await readUsage(app.db, caller.subject))
}

/** Gives a unit back for a refusal that is ours, and says what is left then. */
export async function giveBack(app: App, caller: Caller, quota: Quota): Promise<Quota> {
  const key = { subject: caller.subject, meter: quota.meter }
  const returned = await returnUnit(app.db, key, quota.period, returnCap(quota))
  if (!returned) return quota
  const field = quota.meter === 'settlement' ? 'settlementsLeft' : 'verificationsLeft'
  return { ...quota, [field]: quota[field] + 1 }
}

/** Takes back that a unit was taken, for a request that begins anew: not one of those that may be given back. */
export async function undo(app: App, { subject }: Caller, { meter, period }: Quota): Promise<void> {
  await untakeUnit(app.db, { subject, meter }, period)
}

/** How many units may come back in a period: refusals that are ours are rare, floods of them are not. */
export function returnCap({ limit }: Quota): number {
  return Math.ceil(limit / 10)
}

/** The headers of every metered answer (SPEC "Quota headers"). */
export function quotaHeaders(quota: Quota): Record<string, string> {
  return {
    'x-settlement-remaining': String(quota.settlementsLeft),
    'x-verification-remaining': String(quota.verificationsLeft),
    'x-quota-limit': String(quota.limit),
    'x-quota-reset': String(quota.resetAt),
  }
}

function limitOf({ limits }: Caller, meter: Meter): number {
  return meter === 'settlement' ? limits.settlements : limits.verifications
}

function quotaOf(caller: Caller, meter: Meter, used: UsageCount): Quota {
  return {
    meter,
    period: used.period,
    settlementsLeft: Math.max(0, caller.limits.settlements - used.settlement),
    verificationsLeft: Math.max(0, caller.limits.verifications - used.verification),
    limit: limitOf(caller, meter),
    resetAt: endOf(used.period),
  }
}

// `YYYY-MM` of the UTC calendar: the next month begins where this one ends.
function endOf(period: string): number {
  const [year = 1970, month = 1] = period.split('-').map(Number)
  return Date.UTC(year, month, 1) / 1_000
}
