import { LRUCache } from 'lru-cache'
import type { Caller } from '../accounts/caller'
import { createTokenBuckets } from '../accounts/token-buckets'
import type { App } from '../app'
import type { Db } from '../db/database'
import { ServiceError } from '../errors'
import { hasPaid } from '../ledger/statements/settlements'
import type { Meter } from '../ledger/statements/usage'
import { payerIn, type SignedPayment } from '../x402/payment'

/** Which callers had so many unpayable payments today that their unknown payers are slowed; and the buckets of those. */
export type UnknownPayers = {
  /** Slows the unknown payers of this caller and meter until the end of that day. */
  slow(caller: string, meter: Meter, until: Date): void
  isSlow(caller: string, meter: Meter): boolean
  /** Whether a payer has paid this caller before and is not in doubt now. */
  isKnown(db: Db, caller: string, payer: string): Promise<boolean>
  /** A known payer whose payment the chain refused counts as unknown until then. */
  doubt(caller: string, payer: string, until: Date): void
  /** Lets an unknown payer through and returns 0, or returns the seconds to wait. */
  take(caller: string, meter: Meter): number
}

/** Unknown payers of a slowed caller: so many at once, and one more each second. */
const UNKNOWN_RATE = { burst: 5, perSecond: 1 }
const CALLERS_MAX = 10_000
const PAYERS_MAX = 100_000
/** What this process knows of unknown payers. The count itself is in the database, and every unpayable payment brings it along. */
export function createUnknownPayers(now: () => Date): UnknownPayers {
  const slowUntil = new LRUCache<string, number>({ max: CALLERS_MAX })
  /** Payers who have paid, with the time until which they are in doubt. */
  const paid = new LRUCache<string, number>({ max: PAYERS_MAX })
  const allowances = createTokenBuckets({ subjectsMax: CALLERS_MAX })
  const isOver = (time: number) => time <= now().getTime()
  const name = (caller: string, meter: Meter) => `${meter} ${caller}`
  const pair = (caller: string, payer: string) => `${payer} ${caller}`

  return {
    slow: (caller, meter, until) => void slowUntil.set(name(caller, meter), until.getTime()),
    isSlow: (caller, meter) => !isOver(slowUntil.get(name(caller, meter)) ?? 0),
    async isKnown(db, caller, payer) {
      const key = pair(caller, payer)
      // Who has not paid yet may do so any time, so only payers who have are remembered. The second look sees a doubt of meanwhile.
      if (!paid.has(key) && (await hasPaid(db, caller, payer)) && !paid.has(key)) paid.set(key, 0)
      const doubtedUntil = paid.get(key)
      return doubtedUntil !== undefined && isOver(doubtedUntil)
    },
    doubt(caller, payer, until) {
      if (paid.has(pair(caller, payer))) paid.set(pair(caller, payer), until.getTime())
    },
    take: (caller, meter) => allowances.take(name(caller, meter), 1, UNKNOWN_RATE),
  }
}

/**
 * Slows payers who never paid this caller once its payments of this day were too often unpayable. Throws
 * `too_many` with the seconds to wait.
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
