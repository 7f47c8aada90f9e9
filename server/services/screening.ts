import { bulkhead, ConsecutiveBreaker, circuitBreaker, handleAll, type IBackoff } from 'cockatiel'
import { LRUCache } from 'lru-cache'
import { ServiceError } from '../errors'
import type { Log } from '../log'
import type { Screener, Verdict } from '../upstream/chainalysis'

/** The two sides of a payment. EVM addresses are given in lower case, base58 as it is: a verdict is kept under that spelling. */
export type Parties = Record<'payer' | 'payTo', string>

/** Whether screening works: nobody is screened; addresses are asked about; the service is known not to answer, and payments are refused. */
export type ScreeningHealth = 'off' | 'answers' | 'silent'

/** KYT screening. It never lets an address pass whose verdict is not known. */
export type Screening = {
  /** Throws `unavailable` while the service is known not to answer, unless both addresses were found clear a moment ago. */
  requireAvailable(parties: Parties): void
  /** Throws `forbidden` when a party is flagged, else `unavailable` when a verdict is not known; resolves when both are clear. */
  screen(parties: Parties): Promise<void>
  health(): ScreeningHealth
}

/** No screening, as the operator chose: everything passes. */
export const noScreening: Screening = {
  requireAvailable: () => {},
  screen: async () => {},
  health: () => 'off',
}

const CLEAR_FOR_MS = 60_000
const CLEAR_ADDRESSES_MAX = 10_000
const FAILURES_TO_OPEN = 5
const OPEN_FOR_MS = 5_000
const CALLS_MAX = 100
const WAITING_MAX = 100
const RETRY_AFTER_SECONDS = 2

const NAMES = { payer: "the payer's address", payTo: 'the payTo address' } as const satisfies Parties

type Clear = Extract<Verdict, 'clear'>

/** `now` counts steady milliseconds, from more than 0. */
export type ScreeningOptions = { log: Log; now?: () => number }

/**
 * Screening by this screener, asked once per address at a time and 100 times at a time, with 100 calls waiting; what is more is
 * refused. Only clear verdicts are kept, for a minute. After 5 failures in a row nothing is asked for 5 s, then one call tries.
 */
export function createScreening(screener: Screener, { log, now = () => performance.now() }: ScreeningOptions): Screening {
  const line = createLine(screener, log, now)
  const flagged = new Error('flagged')
  const clear = new LRUCache<string, Clear>({
    max: CLEAR_ADDRESSES_MAX,
    ttl: CLEAR_FOR_MS,
    perf: { now },
    // Otherwise it remembers the time for a real millisecond.
    ttlResolution: 0,
    // An evicted call still answers those who wait for it.
    ignoreFetchAbort: true,
    // What is thrown is not kept.
    fetchMethod: async (address): Promise<Clear> => {
      if ((await line.ask(address)) !== 'clear') throw flagged
      return 'clear'
    },
  })

  const refusal = (cause?: unknown) => unavailable(line.closedForMs(), cause)

  /** Why this address must not pass, or null. */
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
    requireAvailable({ payer, payTo }) {
      if (line.closedForMs() > 0 && !(clear.has(payer) && clear.has(payTo))) throw refusal()
    },
    async screen({ payer, payTo }) {
      const found = await Promise.all([objection('payer', payer), objection('payTo', payTo)])
      const objections = found.filter((one) => one !== null)
      const first = objections.find(({ refusal }) => refusal === 'forbidden') ?? objections[0]
      if (first) throw first
    },
    health: () => (line.isCut() ? 'silent' : 'answers'),
  }
}

function unavailable(closedForMs: number, cause: unknown): ServiceError {
  return new ServiceError('unavailable', 'KYT screening is unavailable; nothing was sent, try again shortly', {
    reason: 'kyt_unavailable',
    retryAfterSeconds: closedForMs > 0 ? Math.ceil(closedForMs / 1_000) : RETRY_AFTER_SECONDS,
    ...(cause === undefined ? {} : { cause }),
  })
}

/** The line to the KYT service. It is cut after some failures in a row, and comes back when a single call gets through. */
type Line = {
  ask(address: string): Promise<Verdict>
  /** Milliseconds until a call may try again; 0 while calls may be made. */
  closedForMs(): number
  /** Whether the last that was heard of it is that it does not answer. */
  isCut(): boolean
}

function createLine(screener: Screener, log: Log, now: () => number): Line {
  const pause = createPause(OPEN_FOR_MS, now)
  const breaker = circuitBreaker(handleAll, { breaker: new ConsecutiveBreaker(FAILURES_TO_OPEN), halfOpenAfter: pause.backoff })
  const calls = bulkhead(CALLS_MAX, WAITING_MAX)

  /** That it does not answer. */
  let told = false
  breaker.onBreak((reason) => {
    const err = 'error' in reason ? reason.error : undefined
    // A probe that fails is no news.
    if (!told) log.warn({ err }, 'KYT screening does not answer; payments are refused')
    told = true
  })
  breaker.onReset(() => {
    log.info('KYT screening answers again')
    told = false
  })

  return {
    // A refused or waiting call is no failure of the service, so the breaker is inside.
    ask: (address) => calls.execute(() => breaker.execute(() => screener(address))),
    closedForMs: pause.remainingMs,
    isCut: () => told,
  }
}

/** The breaker measures its pause with the wall clock, which jumps; asked for the pause's length, this says only "over" or "not over". */
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
