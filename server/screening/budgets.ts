import { bulkhead, ConsecutiveBreaker, circuitBreaker, handleWhen, type IBackoff } from 'cockatiel'
import type { Log } from '../base/log'
import { askedPauseMs } from '../base/upstream'
import { type Screener, tooOftenIn, type Verdict } from './screener'

const FAILURES_TO_OPEN = 5
const OPEN_FOR_MS = 5_000
const CALLS_MAX = 100
const WAITING_MAX = 100

/** The default pause after a rate limit, and the bounds of the service's `Retry-After`. */
const PAUSE_MS = 2_000
const PAUSE_LEAST_MS = 1_000
const PAUSE_MOST_MS = 60_000
/** How much longer the sandbox waits than production. */
const SANDBOX_LATER_MS = 5_000

/** When one class of callers may call the service again after a rate limit. */
export type RateLimitPause = { remainingMs(): number; wait(forMs: number): void }

/** The pauses of both classes: they share one rate limit, and production goes first. */
export function createRateLimitPauses(
  now: () => number = () => performance.now(),
): Record<'sandbox' | 'production', RateLimitPause> {
  const until = { sandbox: Number.NEGATIVE_INFINITY, production: Number.NEGATIVE_INFINITY }
  const delay = (who: keyof typeof until, forMs: number) => {
    until[who] = Math.max(until[who], now() + forMs)
  }
  return {
    sandbox: { remainingMs: () => Math.max(0, until.sandbox - now()), wait: (forMs) => delay('sandbox', forMs) },
    production: {
      remainingMs: () => Math.max(0, until.production - now()),
      wait(forMs) {
        delay('production', forMs)
        delay('sandbox', forMs + SANDBOX_LATER_MS)
      },
    },
  }
}

/** The connection to the KYT service, with a circuit breaker: it opens after some failures in a row and closes when one call succeeds. */
type Line = {
  ask(address: string): Promise<Verdict>
  /** Milliseconds until the next call: the breaker is closed and the pause of this class is over. */
  closedForMs(): number
  /** Whether the log's last entry says that the service does not answer. */
  isCut(): boolean
}

/**
 * Creates the connection to this service. A rate limit is not an outage: the class pauses, and the breaker does not count
 * it.
 */
export function createLine(
  screener: Screener,
  { log, now, rateLimit }: { log: Log; now: () => number; rateLimit: RateLimitPause },
): Line {
  const pause = createPause(OPEN_FOR_MS, now)
  const outages = handleWhen((error) => tooOftenIn(error) === null)
  const breaker = circuitBreaker(outages, { breaker: new ConsecutiveBreaker(FAILURES_TO_OPEN), halfOpenAfter: pause.backoff })
  const calls = bulkhead(CALLS_MAX, WAITING_MAX)

  /** Whether the log has the outage. */
  let reported = false
  breaker.onBreak((reason) => {
    const err = 'error' in reason ? reason.error : undefined
    // A failed probe is not logged again.
    if (!reported) log.warn({ err }, 'KYT screening does not answer; payments are refused')
    reported = true
  })
  breaker.onReset(() => {
    log.info('KYT screening answers again')
    reported = false
  })

  async function call(address: string): Promise<Verdict> {
    // The service may have reported its limit while this call waited.
    if (rateLimit.remainingMs() > 0) throw new Error('the KYT service is rate limited')
    try {
      return await breaker.execute(() => screener(address))
    } catch (error) {
      const limited = tooOftenIn(error)
      if (limited) wait(askedPauseMs(429, limited.retryAfter, new Date()) || PAUSE_MS)
      throw error
    }
  }

  function wait(forMs: number): void {
    const waitMs = Math.min(Math.max(forMs, PAUSE_LEAST_MS), PAUSE_MOST_MS)
    // Calls in flight get the same response.
    if (rateLimit.remainingMs() === 0) log.warn({ waitMs }, 'the KYT service is rate limited; addresses without a verdict wait')
    rateLimit.wait(waitMs)
  }

  return {
    // A refused or waiting call is not a failure of the service, so the breaker is inside.
    ask: (address) => calls.execute(() => call(address)),
    closedForMs: () => Math.max(pause.remainingMs(), rateLimit.remainingMs()),
    isCut: () => reported,
  }
}

/** The breaker measures its pause with the wall clock, which jumps; this duration only says "over" or "not over". */
function createPause(lengthMs: number, now: () => number): { backoff: IBackoff<unknown>; remainingMs: () => number } {
  let until = Number.NEGATIVE_INFINITY
  const remainingMs = () => Math.max(0, until - now())
  const backoff: IBackoff<unknown> = {
    get duration() {
      return remainingMs() > 0 ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY
    },
    next() {
      until = now() + lengthMs
      return backoff
    },
  }
  return { backoff, remainingMs }
}
