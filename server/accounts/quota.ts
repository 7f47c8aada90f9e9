import { isServiceError, ServiceError } from '../errors'
import type { Meter } from '../ledger/statements/usage'

/** What a caller has left, for the quota headers. `limit` is of the meter in use; `resetAt` (Unix seconds) is null where nothing starts again. */
export type Quota = {
  by: 'month' | 'credits'
  meter: Meter
  settlementsLeft: number
  verificationsLeft: number
  limit: number
  resetAt: number | null
  /** The refusal's text when nothing is left. */
  spentText: string
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

/** What is left of the meter in use. */
export function leftOf({ meter, settlementsLeft, verificationsLeft }: Quota): number {
  return meter === 'settlement' ? settlementsLeft : verificationsLeft
}

/** The refusal with the quota headers of its request, unless it has its own; what is not a refusal stays as it is. */
export function withQuota(error: unknown, quota: Quota | null): unknown {
  if (!quota || !isServiceError(error)) return error
  return new ServiceError(error.refusal, error.message, {
    ...error.facts,
    headers: { ...quotaHeaders(quota), ...error.facts.headers },
    cause: error.cause ?? error,
  })
}
