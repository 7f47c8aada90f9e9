import { RateLimiterMemory, RateLimiterRedis } from 'rate-limiter-flexible'
import { ServiceError } from '../errors'
import type { SharedRedis } from '../upstream/redis'

/** Counts requests per subject and second. Throws `too_many` with the seconds to wait. */
export type RateLimit = (subject: string, perSecond: number) => Promise<void>

// One count per subject, whatever its limit: the limiters never refuse, the caller's limit is compared with what they counted.
const WINDOW = { keyPrefix: 'quittance:rate', points: Number.MAX_SAFE_INTEGER, duration: 1 }

/**
 * A rate limit for all processes that share the Redis; in this process's memory without one and while it is away.
 * A subject is forgotten a second after its window opened.
 */
export function createRateLimit(redis?: SharedRedis): RateLimit {
  const memory = new RateLimiterMemory(WINDOW)
  const shared = redis ? countIn(redis) : async () => undefined
  return async (subject, perSecond) => {
    const { consumedPoints, msBeforeNext } = (await shared(subject)) ?? (await memory.consume(subject))
    if (consumedPoints <= perSecond) return
    const retryAfterSeconds = Math.max(1, Math.ceil(msBeforeNext / 1_000))
    throw new ServiceError('too_many', `more than ${perSecond} requests per second; wait ${retryAfterSeconds} s and try again`, {
      reason: 'rate_limit_exceeded',
      retryAfterSeconds,
    })
  }
}

function countIn(redis: SharedRedis) {
  const limiter = new RateLimiterRedis({ ...WINDOW, storeClient: redis.client })
  return (subject: string) => redis.ask(() => limiter.consume(subject))
}
