import { type Sql, sql } from '../../db/sql'
import { FREE_PURSE, freePurseOf } from '../statements/usage'
import { fits, shareOf, spentOf } from './gas-budget'
import { guard, IN_FLIGHT } from './guard'

/** How many payments in flight spend a claim's common budget: to count more changes nothing. */
const COUNTED_MAX = sql`CASE WHEN "gasEach" = 0 THEN 0 ELSE LEAST(div("freeBudget", "gasEach") + 1, 2147483647) END`

/** Payments in flight in the blocks of addresses that these are. */
const inFlightIn = (which: Sql) =>
  sql`(SELECT COALESCE(sum(f."queue"), 0) FROM "freeInFlight" f WHERE f."network" = a."network" AND ${which})`

/** One block of addresses has at most a quarter of the common budget. The last half of it is for blocks that spent less than a 25th. */
const BLOCK_SHARE = sql`(a."freeBudget" / 4)`
const FREE_SHARE = sql`(CASE WHEN a."blockSpent" + a."blockQueue" * a."gasEach" <= a."freeBudget" / 25 THEN a."freeBudget" ELSE a."freeBudget" / 2 END)`

const hasRoom = (free: Sql, block: Sql) => sql`a."freeBudget" IS NULL
  OR (${fits(sql`a."freeSpent"`, free, FREE_SHARE)} AND ${fits(sql`a."blockSpent"`, block, BLOCK_SHARE)})`

const withQueue = (queue: Sql) => sql`(${queue} + 1) * a."gasEach"`

/** The day's gas that all keys that cost nothing share: with nothing in flight, it pays for one more transfer. */
export const freeGasBudget = guard({
  rejection: 'free gas budget',
  limit: (of) => ({ freeBudget: of.budgets.free === null ? null : shareOf(of.budgets.free, of) }),
  columns: sql`"freeBudget" numeric`,
  ahead: sql`
    (row_number() OVER (PARTITION BY c."freeBudget" IS NULL, c."network" ORDER BY c."at") - 1)::int AS "freeAhead",
    (row_number() OVER (PARTITION BY c."freeFrom", c."network" ORDER BY c."at") - 1)::int AS "blockAhead"`,
  // By the block of addresses that made the key.
  table: sql`"freeInFlight" AS MATERIALIZED (
    SELECT s."network", s."freeFrom", count(*)::int AS "queue"
    FROM (SELECT "network", max("horizonMs") AS "horizonMs", max(${COUNTED_MAX})::bigint AS "cap" FROM asked WHERE "freeBudget" IS NOT NULL GROUP BY "network") q
      CROSS JOIN LATERAL (SELECT s."network", s."freeFrom" FROM "Settlement" s
        WHERE s."network" = q."network" AND s."freeFrom" IS NOT NULL AND ${IN_FLIGHT} LIMIT q."cap") s
    GROUP BY 1, 2)`,
  // Not read for other keys: without OFFSET the condition would be moved out of the subquery.
  join: sql`LEFT JOIN LATERAL (
    SELECT ${spentOf(sql`${FREE_PURSE}`)} AS "freeSpent", ${spentOf(freePurseOf(sql`a."freeFrom"`))} AS "blockSpent",
      ${inFlightIn(sql`true`)} + a."freeAhead" AS "freeQueue", ${inFlightIn(sql`f."freeFrom" = a."freeFrom"`)} + a."blockAhead" AS "blockQueue"
    WHERE a."freeBudget" IS NOT NULL OFFSET 0) free ON true`,
  holds: hasRoom(sql`a."gasEach"`, sql`a."gasEach"`),
  reason: 'gas_budget_exceeded',
  text: ({ title, paysFree }) =>
    paysFree
      ? `your share of today's gas budget of all free keys on ${title} does not pay for another settlement; it resets at midnight UTC`
      : `this facilitator pays no gas of free keys on ${title}; ask its operator for a plan`,
  retryAfter: 'midnight',
})

/** The same beside the payments in flight of free keys, which are not charged yet. */
export const freeGasInFlight = guard({
  rejection: 'free queue',
  holds: hasRoom(withQueue(sql`a."freeQueue"`), withQueue(sql`a."blockQueue"`)),
  reason: 'queue_full',
  text: ({ title }) =>
    `payments of free keys on their way may spend the rest of your share of today's gas budget on ${title}; send it again when some have landed`,
  retryAfter: 2,
})
