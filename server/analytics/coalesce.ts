import { bulkhead, isBulkheadRejectedError } from 'cockatiel'
import { ServiceError } from '../errors'

/**
 * Computes sums that nobody remembers. `key` says what is asked and of which moment, and is used for one kind of sum only: who asks the same
 * meanwhile gets the same answer.
 */
export type Coalesce = <Sum>(key: string, sum: () => Promise<Sum>) => Promise<Sum>

// Sums take long, and payments need the other connections.
const AT_ONCE = 2
const WAITING = 64

/** The line in which sums wait. Throws `unavailable` when it is full. */
export function createCoalesce(atOnce = AT_ONCE, waiting = WAITING): Coalesce {
  const line = bulkhead(atOnce, waiting)
  const inFlight = new Map<string, Promise<unknown>>()
  return <Sum>(key: string, sum: () => Promise<Sum>) => {
    const joined = inFlight.get(key)
    if (joined) return sameKind<Sum>(joined)
    const begun = line
      .execute(sum)
      .catch((error: unknown) => {
        throw isBulkheadRejectedError(error) ? tooMany(error) : error
      })
      .finally(() => inFlight.delete(key))
    inFlight.set(key, begun)
    return begun
  }
}

// What its key promises.
const sameKind = <Sum>(joined: Promise<unknown>) => joined as Promise<Sum>

function tooMany(cause: unknown): ServiceError {
  const message = 'too many sums are being computed at the moment; try again shortly'
  return new ServiceError('unavailable', message, { retryAfterSeconds: 5, cause })
}
