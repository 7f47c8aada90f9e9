import { bulkhead, isBulkheadRejectedError } from 'cockatiel'
import { LRUCache } from 'lru-cache'
import { ServiceError } from '../errors'

/** Computes sums. Concurrent callers with the same `key` share one computation, so the key must identify the query and its time. */
export type Coalesce = <Sum>(key: string, sum: () => Promise<Sum>) => Promise<Sum>

// Sums are slow, and payments need the other connections.
const AT_ONCE = 2
const WAITING = 64

/** A queue of computations. Throws `unavailable` when it is full. */
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

// The key guarantees the type, here and below.
const sameKind = <Sum>(joined: Promise<unknown>) => joined as Promise<Sum>

function tooMany(cause: unknown): ServiceError {
  const message = 'too many sums are being computed at the moment; try again shortly'
  return new ServiceError('unavailable', message, { retryAfterSeconds: 5, cause })
}

/** Returns the sums of a key for so many milliseconds after they were computed. The key must identify the query and its time. */
export type Recent = <Sums extends object>(key: string, keepMs: number, compute: () => Promise<Sums>) => Promise<Sums>

/** The sums of a year are up to a megabyte. */
const KEPT = 64

/** The recent sums of a process. */
export function createRecent(): Recent {
  const kept = new LRUCache<string, object>({ max: KEPT })
  return async <Sums extends object>(key: string, keepMs: number, compute: () => Promise<Sums>) => {
    const known = kept.get(key)
    if (known) return keptAs<Sums>(known)
    const sums = await compute()
    if (keepMs > 0) kept.set(key, sums, { ttl: keepMs })
    return sums
  }
}

const keptAs = <Sums>(known: object) => known as Sums
