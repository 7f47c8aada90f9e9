import type { Db } from '../../db/database'
import { batchPerTick } from '../../db/database'
import { isOutOfCredits, wasRefused } from '../../db/errors'

import { type Claim, type ClaimFacts, type ClaimLimits, writeClaims } from './claim-statement'
import { PREPAID } from './credits'

/**
 * How a claim ended: ours, or ours and to travel alone; held by another request; the key or tenant is revoked; the tenant's settings changed since
 * the payment was admitted; too much of the payer or party is on its way; too much of the payer failed on the chain lately; too many new
 * payers of a guarded party are on their way; the day's gas budget of the tenant is spent; the credits that pay for it are used up.
 */
export type Claimed =
  | 'claimed'
  | 'claimed alone'
  | 'taken'
  | 'revoked'
  | 'changed'
  | 'payer queue'
  | 'party queue'
  | 'payer failures'
  | 'new payers'
  | 'gas budget'
  | 'unconfirmed'
  | 'credits'

/**
 * Claims an intent: one winner per signed transfer, whoever else tries. The tenant's plan, flag, settings and revocation, its key,
 * the queues and the day's gas are read in the same statement, so that nothing leaks through a cache. The claims of a moment are made
 * together; one that cannot be made beside the others is decided alone, and no other waits for that.
 */
export async function claimIntent(db: Db, claim: Claim): Promise<Claimed> {
  // A claim that takes a credit locks its account: several of them in one statement would wait crosswise for those in another one.
  if (claim.period === PREPAID) return claimAlone(db, claim)
  return (await wonBesideOthers(db, claim)) ?? claimAlone(db, claim)
}

const wonBesideOthers: (db: Db, claim: Claim) => Promise<Claimed | null> = batchPerTick(
  async (db: Db, claims: readonly Claim[]) => {
    const won = await wonBy(db, claims)
    return claims.map(({ id }) => won.get(id) ?? null)
  },
)

/** Those of several claims that were won at once: none where one of them made the database refuse them all, which wrote nothing. */
async function wonBy(db: Db, claims: readonly Claim[]): Promise<Map<string, Claimed>> {
  if (claims.length === 1) return new Map()
  const facts = await writeClaims(db, claims).catch((error: unknown) => {
    if (wasRefused(error)) return []
    throw error
  })
  return new Map(facts.filter(({ won }) => won).map(({ id, alone }) => [id, alone ? 'claimed alone' : 'claimed']))
}

function claimAlone(db: Db, claim: Claim): Promise<Claimed> {
  return writeClaims(db, [claim]).then(
    ([facts]) => endOf(claim.limits, facts),
    (error: unknown) => {
      if (isOutOfCredits(error)) return 'credits'
      throw error
    },
  )
}

function endOf({ partyQueue, aloneQueue }: ClaimLimits, facts: ClaimFacts | undefined): Claimed {
  if (facts?.won) return facts.alone ? 'claimed alone' : 'claimed'
  if (!facts?.live) return 'revoked'
  if (!facts.current) return 'changed'
  // Before the queues: what a pause says holds longer than what a full queue says.
  if (facts.payerPaused) return 'payer failures'
  if (facts.payerQueue >= facts.payerMax) return 'payer queue'
  if (facts.partyQueue >= partyQueue) return 'party queue'
  if (facts.aloneQueue >= aloneQueue) return 'new payers'
  if (!facts.withinUnconfirmed) return 'unconfirmed'
  if (facts.spentUp) return 'gas budget'
  // What is on its way may cost the rest of the day's gas: some of it has to land first.
  return facts.affordable ? 'taken' : 'party queue'
}

/**
 * Frees an intent for which nothing was ever signed. Its unit comes back as often as its period allows; `kept` leaves it to the request, which
 * judges the payment. Only for the request that waits for it, or with null for none. False when the settlement has moved on.
 */
export async function rejectClaim(db: Db, id: string, waiter: string | null, unit: 'back' | 'kept' = 'back'): Promise<boolean> {
  const rows = await db.query<unknown>`
    WITH moved AS (
      UPDATE "Settlement" SET "state" = 'REJECTED', "waiter" = NULL, "waiterUntil" = NULL
      WHERE "id" = ${id}::uuid AND "state" = 'CLAIMED' AND "returns" = 0
        AND ("waiter" = ${waiter} OR "waiter" IS NULL OR "waiterUntil" < now())
      RETURNING "subject", "period", "returnCap"
    ), given AS (
      UPDATE "Usage" u SET "used" = u."used" - 1, "returned" = u."returned" + 1 FROM moved
      WHERE u."subject" = moved."subject" AND u."meter" = 'settlement' AND u."period" = moved."period" AND u."used" > 0
        AND u."returned" < moved."returnCap" AND ${unit} = 'back'
    )
    SELECT 1 FROM moved`
  return rows.length === 1
}
