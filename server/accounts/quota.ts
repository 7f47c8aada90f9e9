import type { App } from '../app'
import { isServiceError, ServiceError } from '../errors'
import type { CreditKey } from '../ledger/statements/credits'
import { type Meter, returnUnclaimed } from '../ledger/statements/usage'
import { giveBack, returnCap } from './metering'

/** A unit of the month's quota of a subject. */
export type MonthlyUnit = { by: 'month'; meter: Meter; subject: string; period: string }

/** A credit of a wallet, or a verification that came with one. */
export type CreditUnit = { by: 'credits'; meter: Meter; account: CreditKey }

/** What a caller has left, for the quota headers. `limit` is of the meter in use; `resetAt` (Unix seconds) is null where nothing starts again. */
export type Quota = {
  unit: MonthlyUnit | CreditUnit
  settlementsLeft: number
  verificationsLeft: number
  limit: number
  resetAt: number | null
}

/** The headers of every metered answer. */
export function quotaHeaders({ settlementsLeft, verificationsLeft, limit, resetAt }: Quota): Record<string, string> {
  return {
    'x-settlement-remaining': String(settlementsLeft),
    'x-verification-remaining': String(verificationsLeft),
    'x-quota-limit': String(limit),
    ...(resetAt === null ? {} : { 'x-quota-reset': String(resetAt) }),
  }
}

/** The refusal of a request for which nothing is left. */
export function spent(quota: Quota, message: string, retryAfterSeconds?: number): ServiceError {
  return new ServiceError('too_many', message, {
    reason: quota.unit.by === 'month' ? 'quota_exceeded' : 'credits_exhausted',
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
    headers: quotaHeaders(quota),
  })
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

/** No statement of ours runs longer: what is not in the database by then never will be. */
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
