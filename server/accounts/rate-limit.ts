import { RateLimiterMemory, RateLimiterRedis, RLWrapperTimeouts } from 'rate-limiter-flexible'
import { ServiceError } from '../base/errors'
import { WIDER_TIMES } from '../ledger/statements/usage'
import { widerSubject } from './caller'
import type { SharedRedis } from './redis'

/** Counts requests per subject and second; one with several calls counts as so many. Throws `too_many` with the seconds to wait. */
export type RateLimit = (subject: string, perSecond: number, calls?: number) => Promise<void>

// One count per subject: the limiters never refuse, each caller compares its own limit with the count.
const WINDOW = { keyPrefix: 'quittance:rate', points: Number.MAX_SAFE_INTEGER, duration: 1 }
const REDIS_MS = 250

/**
 * A rate limit for all processes that share the Redis; each process counts in its memory while Redis fails or takes over 250 ms.
 * A subject is forgotten a second after its window opened. An IPv6 /48 may send eight times the limit of its /64.
 */
export function createRateLimit(redis?: SharedRedis): RateLimit {
  const limiter = redis ? overRedis(redis) : new RateLimiterMemory(WINDOW)
  const count = async (subject: string, perSecond: number, calls: number, where: string) => {
    const { consumedPoints, msBeforeNext } = await limiter.consume(subject, calls)
    if (consumedPoints <= perSecond) return
    const retryAfterSeconds = Math.max(1, Math.ceil(msBeforeNext / 1_000))
    const message = `more than ${perSecond} requests per second${where}; wait ${retryAfterSeconds} s and try again`
    throw new ServiceError('too_many', message, { reason: 'rate_limit_exceeded', retryAfterSeconds })
  }
  return async (subject, perSecond, calls = 1) => {
    await count(subject, perSecond, calls, '')
    // Counts only what its /64 let through: one flood must not block the neighbours.
    const wider = widerSubject(subject)
    if (wider) await count(wider, perSecond * WIDER_TIMES, calls, ' from this IPv6 /48')
  }
}

/** The refusal of calls beyond the rate of this process. */
export const tooManyCalls = (seconds: number) =>
  new ServiceError('too_many', `too many calls in a short time; wait ${seconds} s and try again`, {
    reason: 'rate_limit_exceeded',
    retryAfterSeconds: seconds,
  })

function overRedis({ client }: SharedRedis) {
  const limiter = new RateLimiterRedis({ ...WINDOW, storeClient: client, rejectIfRedisNotReady: true })
  // The outer limiter alone has the insurance: with one inside too, a late failure would count a request twice.
  return new RLWrapperTimeouts({ limiter, insuranceLimiter: new RateLimiterMemory(WINDOW), timeoutMs: REDIS_MS })
}
