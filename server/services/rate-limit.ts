import { RateLimiterMemory } from 'rate-limiter-flexible'
import { ServiceError } from '../errors'

/** Counts requests per subject and second. Throws `too_many` with the seconds to wait. */
export type RateLimit = (subject: string, perSecond: number) => Promise<void>

/** A rate limit in this process's memory. A subject is forgotten a second after its window opened. */
export function createRateLimit(): RateLimit {
  const limiters = new Map<number, RateLimiterMemory>()
  return async (subject, perSecond) => {
    const limiter = limiters.get(perSecond) ?? new RateLimiterMemory({ points: perSecond, duration: 1 })
    limiters.set(perSecond, limiter)
    const spent = await limiter.consume(subject).then(
      () => null,
      (spent: { msBeforeNext: number }) => spent,
    )
    if (!spent) return
    const retryAfterSeconds = Math.max(1, Math.ceil(spent.msBeforeNext / 1_000))
    throw new ServiceError('too_many', `more than ${perSecond} requests per second; wait ${retryAfterSeconds} s and try again`, {
      reason: 'rate_limit_exceeded',
      retryAfterSeconds,
    })
  }
}
