import { ServiceError } from '../errors'
import type { CreditKey } from '../ledger/statements/credits'
import type { Meter } from '../ledger/statements/usage'

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
