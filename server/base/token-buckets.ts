import { LRUCache } from 'lru-cache'
import { atMost } from './at-most'

// Ours, because rate-limiter-flexible counts fixed windows, needs a promise per call and charges a refused request too.

/** The size of a bucket and its refill per second. */
export type Rate = { burst: number; perSecond: number }

/** Token buckets of this process, one per subject. */
type TokenBuckets = {
  /** Takes `count` tokens and returns 0, or takes none and returns the seconds until the bucket has them. */
  take(subject: string, count: number, rate: Rate): number
  /** The seconds until the bucket has `count` tokens, 0 if it has them now. Takes none. */
  wait(subject: string, count: number, rate: Rate): number
}

const SUBJECTS_MAX = 10_000

/**
 * Keeps buckets for at most `subjectsMax` subjects; the least recently used one is dropped first and restarts full.
 * `now` returns monotonic milliseconds.
 */
export function createTokenBuckets({ subjectsMax = SUBJECTS_MAX, now = () => performance.now() } = {}): TokenBuckets {
  const buckets = new LRUCache<string, { left: number; at: number }>(atMost(subjectsMax))

  function leftOf(subject: string, { burst, perSecond }: Rate): number {
    const bucket = buckets.get(subject)
    return bucket ? Math.min(burst, bucket.left + ((now() - bucket.at) / 1_000) * perSecond) : burst
  }

  // A request for more than a full bucket passes when the bucket is full.
  const missing = (subject: string, count: number, rate: Rate) => Math.max(0, Math.min(count, rate.burst) - leftOf(subject, rate))

  return {
    take(subject, count, rate) {
      const lacking = missing(subject, count, rate)
      if (lacking > 0) return Math.max(1, Math.ceil(lacking / rate.perSecond))
      buckets.set(subject, { left: Math.max(0, leftOf(subject, rate) - count), at: now() })
      return 0
    },
    wait(subject, count, rate) {
      const lacking = missing(subject, count, rate)
      return lacking > 0 ? Math.max(1, Math.ceil(lacking / rate.perSecond)) : 0
    },
  }
}
