import { RateLimiterMemory, RateLimiterRedis } from 'rate-limiter-flexible'
import { ServiceError } from '../errors'
import { WIDER_TIMES } from '../ledger/statements/usage'
import { widerSubject } from './caller'
import type { SharedRedis } from './redis'

/** Counts requests per subject and second. Throws `too_many` with the seconds to wait. */
export type RateLimit = (subject: string, perSecond: number) => Promise<void>

// One count per subject, whatever its limit: the limiters never refuse, the caller's limit is compared with what they counted.
const WINDOW = { keyPrefix: 'quittance:rate', points: Number.MAX_SAFE_INTEGER, duration: 1 }

/**
 * A rate limit for all processes that share the Redis; in this process's memory without one and while it is away.
 * A subject is forgotten a second after its window opened. What a /64 of IPv6 may have is counted for its /48 too, eight times as much.
 */
export function createRateLimit(redis?: SharedRedis): RateLimit {
  const memory = new RateLimiterMemory(WINDOW)
  const shared = redis ? countIn(redis) : async () => undefined
  const count = async (subject: string, perSecond: number, whose: string) => {
    const { consumedPoints, msBeforeNext } = (await shared(subject)) ?? (await memory.consume(subject))
    if (consumedPoints <= perSecond) return
    const retryAfterSeconds = Math.max(1, Math.ceil(msBeforeNext / 1_000))
    const message = `more than ${perSecond} requests per second${whose}; wait ${retryAfterSeconds} s and try again`
    throw new ServiceError('too_many', message, { reason: 'rate_limit_exceeded', retryAfterSeconds })
  }
  return async (subject, perSecond) => {
    await count(subject, perSecond, '')
    // Only what its /64 let through: one neighbour's flood is not the others'.
    const wider = widerSubject(subject)
    if (wider) await count(wider, perSecond * WIDER_TIMES, ' from this IPv6 /48')
  }
}

function countIn(redis: SharedRedis) {
  const limiter = new RateLimiterRedis({ ...WINDOW, storeClient: redis.client })
  return (subject: string) => redis.ask(() => limiter.consume(subject))
}
