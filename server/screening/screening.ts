import { LRUCache } from 'lru-cache'
import { atMost } from '../base/at-most'
import { ServiceError } from '../base/errors'
import type { Log } from '../base/log'
import { createTokenBuckets } from '../base/token-buckets'
import { createLine, createRateLimitPauses, type RateLimitPause } from './budgets'
import type { Screener, Verdict } from './screener'

/** The two sides of a payment: EVM addresses in lower case, base58 unchanged. Verdicts are stored under these texts. */
export type Parties = Record<'payer' | 'payTo', string>

/** The health of screening: switched off, answering, or silent so that payments are refused. */
export type ScreeningHealth = 'off' | 'answers' | 'silent'

/** The caller on whose behalf addresses are screened, and its limit of new addresses per minute. */
export type Requester = { id: string; perMinute: number }

/** KYT screening. No address passes without a known verdict. */
export type Screening = {
  /**
   * Returns when both addresses were clear a moment ago. Otherwise throws `unavailable` while the service cannot be called, or
   * `too_many` when the requester screened too many new addresses.
   */
  requireAvailable(parties: Parties, requester: Requester): void
  /**
   * Resolves when both are clear. Throws `forbidden` when a party is flagged, `unavailable` when a verdict is unknown, or `too_many`
   * before any call when the requester screened too many new addresses.
   */
  screen(parties: Parties, requester: Requester): Promise<void>
  health(): ScreeningHealth
}

/** No screening, as the operator chose: all addresses pass. */
export const noScreening: Screening = {
  requireAvailable: () => {},
  screen: async () => {},
  health: () => 'off',
}

const CLEAR_FOR_MS = 60_000
const CLEAR_ADDRESSES_MAX = 10_000
const RETRY_AFTER_SECONDS = 2

const NAMES = { payer: "the payer's address", payTo: 'the payTo address' } as const satisfies Parties

type Clear = Extract<Verdict, 'clear'>

/** `now` returns monotonic milliseconds above 0. `callsPerMinute` is the budget of all requesters together; null: no limit. */
export type ScreeningOptions = { log: Log; now?: () => number; rateLimit?: RateLimitPause; callsPerMinute?: number | null }

/**
 * Screening with one call per address at a time, 100 calls in parallel and 100 waiting; more are refused. Only clear verdicts are
 * stored, for a minute. After 5 failures in a row calls stop for 5 s, then one call tries.
 */
export function createScreening(
  screener: Screener,
  {
    log,
    now = () => performance.now(),
    rateLimit = createRateLimitPauses(now).production,
    callsPerMinute = null,
  }: ScreeningOptions,
): Screening {
  const line = createLine(screener, { log, now, rateLimit })
  const allowances = createTokenBuckets({ now })
  const together = callsPerMinute === null ? null : createTokenBuckets({ subjectsMax: 1, now })
  const allRate = minutely(callsPerMinute ?? 0)
  /** Addresses in flight. Later requests for them wait for the same verdict. */
  const inFlight = new Set<string>()
  const flagged = new Error('flagged')
  const clear = new LRUCache<string, Clear>({
    ...atMost(CLEAR_ADDRESSES_MAX),
    ttl: CLEAR_FOR_MS,
    perf: { now },
    // Otherwise the cache reuses a time for a real millisecond.
    ttlResolution: 0,
    // An evicted call still answers its waiters.
    ignoreFetchAbort: true,
    // A thrown error is not cached.
    fetchMethod: async (address): Promise<Clear> => {
      if (together && together.take('all', 1, allRate) > 0) throw new Error('the budget of calls to the KYT service is spent')
      inFlight.add(address)
      try {
        if ((await line.ask(address)) !== 'clear') throw flagged
        return 'clear'
      } finally {
        inFlight.delete(address)
      }
    },
  })

  const budgetWaitMs = () => (together?.wait('all', 1, allRate) ?? 0) * 1_000
  const refusal = (cause?: unknown) => unavailable(Math.max(line.closedForMs(), budgetWaitMs()), cause)
  const unknown = ({ payer, payTo }: Parties) => [...new Set([payer, payTo])].filter((one) => !clear.has(one))

  /** Takes what these parties need from the requester's budget, or only checks it. */
  function demand(how: 'take' | 'wait', parties: Parties, { id, perMinute }: Requester): void {
    const fresh = unknown(parties).filter((one) => !inFlight.has(one)).length
    const seconds = allowances[how](id, fresh, minutely(perMinute))
    if (seconds > 0) throw tooManyNew(perMinute, seconds)
  }

  /** The refusal of this address, or null. */
  async function objection(party: keyof Parties, address: string): Promise<ServiceError | null> {
    try {
      const verdict = await clear.forceFetch(address)
      return verdict === 'clear' ? null : refusal()
    } catch (error) {
      if (error !== flagged) return refusal(error)
      return new ServiceError('forbidden', `${NAMES[party]} was flagged by KYT screening`, { reason: 'kyt_flagged' })
    }
  }

  return {
    requireAvailable(parties, requester) {
      if (unknown(parties).length === 0) return
      if (line.closedForMs() > 0 || budgetWaitMs() > 0) throw refusal()
      demand('wait', parties, requester)
    },
    async screen(parties, requester) {
      demand('take', parties, requester)
      const { payer, payTo } = parties
      const found = await Promise.all([objection('payer', payer), objection('payTo', payTo)])
      const objections = found.filter((one) => one !== null)
      const first = objections.find(({ refusal }) => refusal === 'forbidden') ?? objections[0]
      if (first) throw first
    },
    health: () => (line.isCut() ? 'silent' : 'answers'),
  }
}

const minutely = (perMinute: number) => ({ burst: perMinute, perSecond: perMinute / 60 })

function tooManyNew(perMinute: number, retryAfterSeconds: number): ServiceError {
  const message = `more than ${perMinute} new wallets per minute; wait ${retryAfterSeconds} s and try again`
  return new ServiceError('too_many', message, { reason: 'rate_limit_exceeded', retryAfterSeconds })
}

function unavailable(closedForMs: number, cause: unknown): ServiceError {
  return new ServiceError('unavailable', 'KYT screening is unavailable; nothing was sent, try again shortly', {
    reason: 'kyt_unavailable',
    retryAfterSeconds: closedForMs > 0 ? Math.ceil(closedForMs / 1_000) : RETRY_AFTER_SECONDS,
    ...(cause === undefined ? {} : { cause }),
  })
}
