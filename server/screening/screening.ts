import { LRUCache } from 'lru-cache'
import { createTokenBuckets } from '../accounts/token-buckets'
import { ServiceError } from '../errors'
import type { Log } from '../log'
import { createLine, createTurns, type Turn } from './budgets'
import type { Screener, Verdict } from './chainalysis'

/** The two sides of a payment. EVM addresses are given in lower case, base58 as it is: a verdict is kept under that spelling. */
export type Parties = Record<'payer' | 'payTo', string>

/** Whether screening works: nobody is screened; addresses are asked about; the service is known not to answer, and payments are refused. */
export type ScreeningHealth = 'off' | 'answers' | 'silent'

/** On whose behalf addresses are asked about, and how many new ones that may be in a minute. */
export type Requester = { id: string; perMinute: number }

/** KYT screening. It never lets an address pass whose verdict is not known. */
export type Screening = {
  /**
   * Unless both addresses were found clear a moment ago: throws `unavailable` while the service cannot be asked, `too_many` when
   * the asker has asked about too many new addresses.
   */
  requireAvailable(parties: Parties, requester: Requester): void
  /**
   * Throws `forbidden` when a party is flagged, else `unavailable` when a verdict is not known, or `too_many` before anything is
   * asked when the asker has asked about too many new addresses. Resolves when both are clear.
   */
  screen(parties: Parties, requester: Requester): Promise<void>
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
const RETRY_AFTER_SECONDS = 2

const NAMES = { payer: "the payer's address", payTo: 'the payTo address' } as const satisfies Parties

type Clear = Extract<Verdict, 'clear'>

/** `now` counts steady milliseconds, from more than 0. `callsPerMinute` is the budget of all askers together; null: none. */
export type ScreeningOptions = { log: Log; now?: () => number; turn?: Turn; callsPerMinute?: number | null }

/**
 * Screening by this screener, asked once per address at a time and 100 times at a time, with 100 calls waiting; what is more is
 * refused. Only clear verdicts are kept, for a minute. After 5 failures in a row nothing is asked for 5 s, then one call tries.
 */
export function createScreening(
  screener: Screener,
  { log, now = () => performance.now(), turn = createTurns(now).production, callsPerMinute = null }: ScreeningOptions,
): Screening {
  const line = createLine(screener, { log, now, turn })
  const allowances = createTokenBuckets({ now })
  const together = callsPerMinute === null ? null : createTokenBuckets({ subjectsMax: 1, now })
  const allRate = minutely(callsPerMinute ?? 0)
  /** Addresses that are being asked about. Later requests for them wait for the same answer. */
  const inFlight = new Set<string>()
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

  /** Takes from the asker's budget what these parties need, or only looks whether it is there. */
  function demand(how: 'take' | 'wait', parties: Parties, { id, perMinute }: Requester): void {
    const fresh = unknown(parties).filter((one) => !inFlight.has(one)).length
    const seconds = allowances[how](id, fresh, minutely(perMinute))
    if (seconds > 0) throw tooManyNew(perMinute, seconds)
  }

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
  const message = `more than ${perMinute} new wallets in a minute are to be screened for you; wait ${retryAfterSeconds} s and try again`
  return new ServiceError('too_many', message, { reason: 'rate_limit_exceeded', retryAfterSeconds })
}

function unavailable(closedForMs: number, cause: unknown): ServiceError {
  return new ServiceError('unavailable', 'KYT screening is unavailable; nothing was sent, try again shortly', {
    reason: 'kyt_unavailable',
    retryAfterSeconds: closedForMs > 0 ? Math.ceil(closedForMs / 1_000) : RETRY_AFTER_SECONDS,
    ...(cause === undefined ? {} : { cause }),
  })
}
