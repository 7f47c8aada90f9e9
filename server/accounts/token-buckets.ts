import { LRUCache } from 'lru-cache'

/** What a subject may take: so many at once, and so many more each second. */
export type Rate = { burst: number; perSecond: number }

/** Token buckets of this process, one for each subject. */
export type TokenBuckets = {
  /** Takes so many if they are there and returns 0. Otherwise it takes none and returns the seconds until they are there. */
  take(subject: string, count: number, rate: Rate): number
  /** The seconds until so many are there, 0 when they are. Takes nothing. */
  wait(subject: string, count: number, rate: Rate): number
}

const SUBJECTS_MAX = 10_000

/**
 * Buckets for at most `subjectsMax` subjects. The least used one is forgotten first and begins anew with a full bucket.
 * `now` counts steady milliseconds.
 */
export function createTokenBuckets({ subjectsMax = SUBJECTS_MAX, now = () => performance.now() } = {}): TokenBuckets {
  const buckets = new LRUCache<string, { left: number; at: number }>({ max: subjectsMax })

  function leftOf(subject: string, { burst, perSecond }: Rate): number {
    const bucket = buckets.get(subject)
    return bucket ? Math.min(burst, bucket.left + ((now() - bucket.at) / 1_000) * perSecond) : burst
  }

  // More than a full bucket never fits: it is then enough that the bucket is full.
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
