import type { Db } from '../../db/database'
import { batchPerTick } from '../../db/database'
import { isOutOfCredits, isOutOfUnits, wasRefused } from '../../db/errors'
import { sql } from '../../db/sql'
import { type Broken, type Claim, type ClaimFacts, writeClaims } from './claim-statement'
import { PREPAID } from './credits'
import { type UsageCount, widerOf } from './usage'

/** How a claim ended, and its subject's used units where it took one. */
export type ClaimResult = { end: Claimed; used: UsageCount | null }

/**
 * How a claim ended: ours; ours and to share its transaction with no other payment; held by another request; its credits used up; or a
 * condition that it does not meet.
 */
export type Claimed = 'claimed' | 'claimed alone' | 'taken' | 'credits' | Broken

/**
 * Claims an intent: one winner per signed transfer. The same statement takes its unit and reads the tenant's plan, flag, settings and
 * revocation, its key, the queues and the day's gas. Concurrent claims share a statement; one that cannot be decided with the others is
 * decided alone, and no other waits for it.
 */
export async function claimIntent(db: Db, claim: Claim): Promise<ClaimResult> {
  // A claim that takes a credit locks its account, a guarded one its terms, one that opens a channel all of these: batching can deadlock.
  const locks = claim.period === PREPAID || claim.limits.secondChargeSeconds !== null || claim.limits.channelsMax !== null
  if (locks) return claimAlone(db, claim)
  return (await decidedBesideOthers(db, claim)) ?? claimAlone(db, claim)
}

const decidedBesideOthers: (db: Db, claim: Claim) => Promise<ClaimResult | null> = batchPerTick(
  async (db: Db, claims: readonly Claim[]) => {
    const decided = await decide(db, claims)
    return claims.map(({ id }) => decided.get(id) ?? null)
  },
)

/** The results of several claims; none when one of them made the database reject the statement, which wrote nothing. */
async function decide(db: Db, claims: readonly Claim[]): Promise<Map<string, ClaimResult>> {
  if (claims.length === 1) return new Map()
  const facts = await writeClaims(db, claims).catch((error: unknown) => {
    if (wasRefused(error)) return []
    throw error
  })
  const results = facts.map((one): [string, ClaimResult | null] => [one.id, decidedBy(one)])
  return new Map(results.flatMap(([id, result]) => (result ? [[id, result]] : [])))
}

/** Null when lost claims of the same statement may have counted against it. */
function decidedBy(facts: ClaimFacts): ClaimResult | null {
  if (facts.won) return wonAs(facts)
  const end = facts.broken ?? 'taken'
  const certain = end === 'quota' ? facts.spentQuota : end === 'revoked' || end === 'changed' || end === 'taken'
  return certain ? { end, used: null } : null
}

function claimAlone(db: Db, claim: Claim): Promise<ClaimResult> {
  return writeClaims(db, [claim]).then(
    ([facts]) => {
      if (!facts) return { end: 'revoked', used: null }
      return facts.won ? wonAs(facts) : { end: facts.broken ?? 'taken', used: null }
    },
    (error: unknown) => {
      if (isOutOfCredits(error)) return { end: 'credits', used: null }
      if (isOutOfUnits(error)) return { end: 'quota', used: null }
      throw error
    },
  )
}

function wonAs({ alone, month, settlements, verifications }: ClaimFacts): ClaimResult {
  const used = settlements === null ? null : { period: month, settlement: settlements, verification: verifications }
  return { end: alone ? 'claimed alone' : 'claimed', used }
}

/**
 * Frees an intent for which nothing was signed and gives its unit back, as often as the period allows; always for a payment that would
 * have failed. Only for the request that waits for it, or with null when none waits. False when the settlement has moved on.
 */
export async function rejectClaim(
  db: Db,
  id: string,
  waiter: string | null,
  why: 'not sent' | 'underfunded' = 'not sent',
): Promise<boolean> {
  const counted = why === 'not sent' ? 1 : 0
  const rows = await db.query<unknown>`
    WITH moved AS (
      UPDATE "Settlement" SET "state" = 'REJECTED', "reason" = ${why === 'underfunded' ? 'insufficient_funds' : null}, "waiter" = NULL, "waiterUntil" = NULL
      WHERE "id" = ${id}::uuid AND "state" = 'CLAIMED' AND "returns" = 0
        AND ("waiter" = ${waiter} OR "waiter" IS NULL OR "waiterUntil" < now())
      RETURNING "subject", "period", "returnCap"
    ), given AS (
      UPDATE "Usage" u SET "used" = u."used" - 1, "returned" = u."returned" + ${counted}::int FROM moved
      WHERE u."subject" = moved."subject" AND u."meter" = 'settlement' AND u."period" = moved."period" AND u."used" > 0
        AND (u."returned" < moved."returnCap" OR ${counted}::int = 0)
      RETURNING u."subject", u."period"
    ), wider AS (
      UPDATE "Usage" u SET "used" = u."used" - 1 FROM given
      WHERE u."subject" = ${widerOf(sql`given."subject"`)} AND u."meter" = 'settlement' AND u."period" = given."period" AND u."used" > 0
    )
    SELECT 1 FROM moved`
  return rows.length === 1
}
