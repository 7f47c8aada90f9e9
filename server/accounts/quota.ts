import { isServiceError, ServiceError } from '../errors'
import type { Meter } from '../ledger/statements/usage'

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

/** Adds the quota headers to a refusal that has none; returns any other error unchanged. */
export function withQuota(error: unknown, quota: Quota | null): unknown {
  if (!quota || !isServiceError(error)) return error
  return new ServiceError(error.refusal, error.message, {
    ...error.facts,
    headers: { ...quotaHeaders(quota), ...error.facts.headers },
    cause: error.cause ?? error,
  })
}
