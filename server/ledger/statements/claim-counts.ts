import { type Sql, sql } from '../../db/sql'
import { APPROVALS_PURSE, FREE_PURSE, freePurseOf, purseOf, TODAY, usedOf, WIDER_TIMES } from './usage'

/** Bounds of a claim. Queues hold the payments of a network that are not mined yet and were claimed within the horizon. */
export type ClaimLimits = {
  payerQueue: number
  partyQueue: number
  /** Failures on the chain within an hour that pause a payer at one party. */
  payerFailures: number
  /** This many, at this many parties, pause a payer at all of them. */
  failuresEverywhere: number
  failuresParties: number
  /** Failures on the chain within an hour, of any payers, that put a party under guard. */
  guardAt: number
  /** Under guard: concurrent payments of one payer, and concurrent payments that are sent alone. */
  guardedPayerQueue: number
  aloneQueue: number
  /** A payment of at least this much (atomic units), a day ago, makes a payer known at every party. */
  knownFrom: bigint
  /** How long a payment counts, milliseconds. */
  horizonMs: number
  /**
   * The daily gas budget of its budget and the maximum gas of one transfer (smallest unit of the network), because transfers in flight are
   * not charged yet.
   */
  gasBudget: bigint
  gasEach: bigint
  /** The daily gas budget that all keys that cost nothing share (smallest unit of the network); null for a key that does not spend it. */
  freeBudget: bigint | null
  /** For a payer's own approval that we pay for: what all approvals of the day may have cost before it; null for any other payment. */
  approvalsBefore: bigint | null
  /** Atomic units that a caller may hold as preconfirmations without a block; null for other tiers. */
  unconfirmed: bigint | null
}

const QUEUED = sql`('CLAIMED', 'PREPARED', 'BROADCAST')`

/** A payment at another facilitator is in no queue of ours: it counts this long. */
const REMOTE_COUNTS_MS = 60_000

/** A payment stops counting after the horizon, so that old ones do not block new ones. */
const RECENT = sql`s."createdAt" > now() - CASE WHEN s."laneClass" = 'remote' THEN LEAST(q."horizonMs", ${REMOTE_COUNTS_MS}::int) ELSE q."horizonMs" END * interval '1 ms'`
const COUNTED = sql`s."state" IN ${QUEUED} AND ${RECENT}`

// Each count stops at its cap: a larger number changes nothing.
export const OF_PAYER = sql`(SELECT count(*)::int FROM (
  SELECT 1 FROM "Settlement" s WHERE s."payer" = q."payer" AND s."network" = q."network" AND ${COUNTED} LIMIT q."cap") counted)`

// A payment that came back from a batch waits for its payer's money: it counts for the payer, not for the merchant.
export const OF_PARTY = sql`(SELECT count(*)::int FROM (
  SELECT 1 FROM "Settlement" s WHERE s."party" = q."party" AND s."network" = q."network" AND s."returns" = 0 AND ${COUNTED} LIMIT q."cap") counted)`

// A place is free as soon as a block has the transaction without the payment: its failure is certain many seconds later.
export const ALONE_OF_PARTY = sql`(SELECT count(*)::int FROM (
  SELECT 1 FROM "Settlement" s WHERE s."party" = q."party" AND s."network" = q."network" AND s."newcomer" AND s."missedAt" IS NULL AND ${COUNTED} LIMIT q."aloneMax") counted)`

export const LATELY = sql`f."at" > now() - interval '1 hour'`

const CERTAIN = sql`f."kind" <> 'unclear'`

export const PARTY_FAILURES = sql`(SELECT count(*)::int FROM (
  SELECT 1 FROM "PayerFailure" f WHERE f."network" = q."network" AND f."party" = q."party" AND ${LATELY} LIMIT q."guardAt") counted)`

export const FAILURES_HERE = sql`(SELECT count(*)::int FROM (
  SELECT 1 FROM "PayerFailure" f WHERE f."network" = a."network" AND f."payer" = a."payer" AND f."party" = a."party" AND ${LATELY} LIMIT a."failuresMax") counted)`

/** Keys that wallets made cost nothing: all of them are one party here. What may be a merchant's doing counts at that merchant alone. */
export const FAILURES_EVERYWHERE = sql`
  SELECT count(*) > 0 AS "failing", (count(*) FILTER (WHERE ${CERTAIN}))::int AS "failures",
    (count(DISTINCT CASE WHEN f."party" LIKE 'owner:wallet:%:free' THEN 'wallets' ELSE f."party" END) FILTER (WHERE ${CERTAIN}))::int AS "parties"
  FROM "PayerFailure" f WHERE f."network" = q."network" AND f."payer" = q."payer" AND ${LATELY}`

/** A payment to this party counts at once, one to another party only when it was not made for this: it is old and large enough. */
export const HAS_PAID = sql`
  EXISTS (SELECT 1 FROM "Settlement" s WHERE s."payer" = a."payer" AND s."network" = a."network" AND s."state" = 'FINAL' AND (s."party" = a."party"
    OR (s."asset" = a."asset" AND s."amount" >= a."knownFrom" AND s."createdAt" < now() - interval '1 day')))`

export const PROMISED = sql`(SELECT COALESCE(sum(s."amount"), 0) FROM "Settlement" s
  WHERE s."caller" = q."caller" AND s."network" = q."network" AND s."asset" = q."asset" AND s."tier" = 'flash' AND s."state" IN ('CLAIMED', 'PREPARED', 'BROADCAST', 'PRECONFIRMED')
    AND ${RECENT})`

const spentOf = (budget: Sql) => sql`COALESCE((
  SELECT "spent" FROM "GasSpend" g WHERE g."day" = ${TODAY} AND g."budget" = ${budget} AND g."network" = a."network"), 0)`

export const SPENT = spentOf(purseOf(sql`a."tenantId"`, sql`a."party"`))

/** Whether the day's ether for approvals lasts for this one. What sends it counts exactly. */
export const HAS_APPROVALS = sql`(a."approvalsBefore" IS NULL OR ${spentOf(sql`${APPROVALS_PURSE}`)} <= a."approvalsBefore")`

/** The payments in flight of keys that cost nothing, by the block of addresses that made them. */
export const FREE_IN_FLIGHT = sql`
  SELECT s."network", s."freeFrom", count(*)::int AS "queue"
  FROM (SELECT "network", max("horizonMs") AS "horizonMs", max("freeMax") AS "cap" FROM asked WHERE "freeBudget" IS NOT NULL GROUP BY "network") q
    CROSS JOIN LATERAL (SELECT s."network", s."freeFrom" FROM "Settlement" s
      WHERE s."network" = q."network" AND s."freeFrom" IS NOT NULL AND ${COUNTED} LIMIT q."cap") s
  GROUP BY 1, 2`

/** What all free keys, and those of the claim's block, have spent and have in flight. Not read for other keys. */
export const FREE = sql`
  SELECT ${spentOf(sql`${FREE_PURSE}`)} AS "freeSpent", ${spentOf(freePurseOf(sql`a."freeFrom"`))} AS "blockSpent",
    (SELECT COALESCE(sum(f."queue"), 0) FROM "inFlight" f WHERE f."network" = a."network") + a."freeAhead" AS "freeQueue",
    (SELECT COALESCE(sum(f."queue"), 0) FROM "inFlight" f WHERE f."network" = a."network" AND f."freeFrom" = a."freeFrom") + a."blockAhead" AS "blockQueue"
  WHERE a."freeBudget" IS NOT NULL`

/** One block of addresses has at most a quarter of the common budget. The last half of it is for blocks that spent less than a 25th. */
const BLOCK_SHARE = sql`("freeBudget" / 4)`
const FREE_SHARE = sql`(CASE WHEN "blockSpent" + "blockQueue" * "gasEach" <= "freeBudget" / 25 THEN "freeBudget" ELSE "freeBudget" / 2 END)`

/** Whether so much has room in a day's budget beside what is spent. A budget that is spent to the last unit takes nothing more. */
const fits = (spent: Sql, gas: Sql, budget: Sql) => sql`(${spent} < ${budget} AND ${spent} + ${gas} <= ${budget})`

const withQueue = (queue: Sql) => sql`(${queue} + 1) * "gasEach"`

/** The claim's own gas counts, beside what its budget has in flight. */
export const AFFORDABLE = fits(sql`"spent"`, withQueue(sql`"partyQueue"`), sql`"gasBudget"`)
/** Even with nothing in flight the budget does not pay for it. */
export const SPENT_UP = sql`NOT ${fits(sql`"spent"`, sql`"gasEach"`, sql`"gasBudget"`)}`

const inPurse = (free: Sql, block: Sql) =>
  sql`("freeBudget" IS NULL OR (${fits(sql`"freeSpent"`, free, FREE_SHARE)} AND ${fits(sql`"blockSpent"`, block, BLOCK_SHARE)}))`

export const FREE_AFFORDABLE = inPurse(withQueue(sql`"freeQueue"`), withQueue(sql`"blockQueue"`))
export const FREE_SPENT_UP = sql`NOT ${inPurse(sql`"gasEach"`, sql`"gasEach"`)}`

// Read without a lock, so that a claim without a unit does not fail the statement for others. Taking the unit decides.
export const HAS_WIDER = sql`(a."wider" IS NULL OR ${usedOf(sql`a."wider"`, 'settlement')} < ${WIDER_TIMES}::bigint * a."unitsMax")`
