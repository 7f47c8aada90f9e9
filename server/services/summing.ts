import { bulkhead, isBulkheadRejectedError } from 'cockatiel'
import { ServiceError } from '../errors'
import type { Analytics } from './analytics'

/** Computes analytics that nobody remembers. `key` says what is asked and of which moment: who asks the same meanwhile gets the same answer. */
export type Summing = (key: string, sum: () => Promise<Analytics>) => Promise<Analytics>

// Sums take long, and payments need the other connections.
const AT_ONCE = 2
const WAITING = 64

/** The line in which sums wait. Throws `unavailable` when it is full. */
export function createSumming(atOnce = AT_ONCE, waiting = WAITING): Summing {
  const line = bulkhead(atOnce, waiting)
  const underWay = new Map<string, Promise<Analytics>>()
  return (key, sum) => {
    const joined = underWay.get(key)
    if (joined) return joined
    const begun = line
      .execute(sum)
      .catch((error: unknown) => {
        throw isBulkheadRejectedError(error) ? tooMany(error) : error
      })
      .finally(() => underWay.delete(key))
    underWay.set(key, begun)
    return begun
  }
}

function tooMany(cause: unknown): ServiceError {
  const message = 'too many analytics are being computed at the moment; try again shortly'
  return new ServiceError('unavailable', message, { retryAfterSeconds: 5, cause })
}
