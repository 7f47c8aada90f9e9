import { LRUCache } from 'lru-cache'
import type { Caller } from '../accounts/caller'
import type { App } from '../app'
import { atMost } from '../base/at-most'
import { ServiceError } from '../base/errors'
import { createTokenBuckets } from '../base/token-buckets'
import type { Db } from '../db/database'
import { hasPaid } from '../ledger/statements/settlements'
import type { Meter } from '../ledger/statements/usage'
import { payerIn, type SignedPayment } from '../x402/payment'

/** Callers that had too many unpayable payments today, and the token buckets of their unknown payers. */
export type UnknownPayers = {
  /** Slows the unknown payers of this caller and meter until then. */
  slow(caller: string, meter: Meter, until: Date): void
  isSlow(caller: string, meter: Meter): boolean
  /** Whether a payer has paid this caller before and does not count as unknown now. */
  isKnown(db: Db, caller: string, payer: string): Promise<boolean>
  /** Treats a known payer whose payment the chain rejected as unknown until then. */
  treatAsUnknown(caller: string, payer: string, until: Date): void
  /** Lets an unknown payer through and returns 0, or returns the seconds to wait. */
  take(caller: string, meter: Meter): number
}

/** Unknown payers of a slowed caller: a burst, then a rate. */
const UNKNOWN_RATE = { burst: 5, perSecond: 1 }
const CALLERS_MAX = 10_000
const PAYERS_MAX = 100_000
/** The unknown payers of one process. The database has the count, and every unpayable payment returns it. */
export function createUnknownPayers(now: () => Date): UnknownPayers {
  const slowUntil = new LRUCache<string, number>(atMost(CALLERS_MAX))
  /** Payers that have paid, and until when they count as unknown. */
  const paid = new LRUCache<string, number>(atMost(PAYERS_MAX))
  const allowances = createTokenBuckets({ subjectsMax: CALLERS_MAX })
  const isOver = (time: number) => time <= now().getTime()
  const name = (caller: string, meter: Meter) => `${meter} ${caller}`
  const pair = (caller: string, payer: string) => `${payer} ${caller}`

  return {
    slow: (caller, meter, until) => void slowUntil.set(name(caller, meter), until.getTime()),
    isSlow: (caller, meter) => !isOver(slowUntil.get(name(caller, meter)) ?? 0),
    async isKnown(db, caller, payer) {
      const key = pair(caller, payer)
      // Only payers that have paid are remembered: others may pay at any time. The second check sees one that was marked meanwhile.
      if (!paid.has(key) && (await hasPaid(db, caller, payer)) && !paid.has(key)) paid.set(key, 0)
      const unknownUntil = paid.get(key)
      return unknownUntil !== undefined && isOver(unknownUntil)
    },
    treatAsUnknown(caller, payer, until) {
      if (paid.has(pair(caller, payer))) paid.set(pair(caller, payer), until.getTime())
    },
    take: (caller, meter) => allowances.take(name(caller, meter), 1, UNKNOWN_RATE),
  }
}

/**
 * Slows payers that never paid this caller, once it had too many unpayable payments today. Throws `too_many` with the seconds to wait.
 */
export async function admitPayer(app: App, caller: Caller, payment: SignedPayment, meter: Meter): Promise<void> {
  const { unknownPayers, db } = app
  if (!unknownPayers.isSlow(caller.id, meter) || (await unknownPayers.isKnown(db, caller.id, payerIn(payment)))) return
  const retryAfterSeconds = unknownPayers.take(caller.id, meter)
  if (retryAfterSeconds === 0) return
  const message =
    'too many payments could not be paid today, so payers who never paid here before pass one per second until midnight UTC; ' +
    `nothing was counted, try again in ${retryAfterSeconds} s`
  throw new ServiceError('too_many', message, { reason: 'rate_limit_exceeded', retryAfterSeconds })
}
