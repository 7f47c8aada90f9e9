import { sql } from '../../db/sql'
import { inDecimals } from '../../x402/networks/amounts'
import { guard, RECENT } from './guard'

/** A caller's maximum unconfirmed exposure on a network in each token: 10,000 of it, here with six decimals. */
const UNCONFIRMED_MAX = 10_000_000_000n

/** What a caller holds of one token as preconfirmations without a block, or may hold soon. */
export const unconfirmed = guard({
  rejection: 'unconfirmed',
  limit: ({ preconfirmed, decimals }) => ({ unconfirmed: preconfirmed ? inDecimals(UNCONFIRMED_MAX, decimals, 'down') : null }),
  columns: sql`"unconfirmed" numeric`,
  ahead: sql`COALESCE(sum(c."amount") FILTER (WHERE c."tier" = 'flash')
    OVER (PARTITION BY c."caller", c."network", c."asset" ORDER BY c."at" ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0) AS "unconfirmedAhead"`,
  table: sql`"preconfirmations" AS MATERIALIZED (
    SELECT q."caller", q."network", q."asset", (SELECT COALESCE(sum(s."amount"), 0) FROM "Settlement" s
      WHERE s."caller" = q."caller" AND s."network" = q."network" AND s."asset" = q."asset" AND s."tier" = 'flash'
        AND s."state" IN ('CLAIMED', 'PREPARED', 'BROADCAST', 'PRECONFIRMED') AND ${RECENT}) AS "unconfirmedHeld"
    FROM (SELECT "caller", "network", "asset", max("horizonMs") AS "horizonMs" FROM asked WHERE "unconfirmed" IS NOT NULL
      GROUP BY "caller", "network", "asset") q)`,
  join: sql`LEFT JOIN "preconfirmations" USING ("caller", "network", "asset")`,
  holds: sql`a."unconfirmed" IS NULL OR a."amount" + a."unconfirmedAhead" + COALESCE(a."unconfirmedHeld", 0) <= a."unconfirmed"`,
  reason: 'flash_volume_exceeded',
  text: () => 'too much of your flash volume waits for its blocks; send it again in a moment, or without /flash',
  retryAfter: 2,
})
