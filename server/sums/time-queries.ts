import { slotMs } from '../base/zones'
import { type Sql, sql } from '../db/sql'
import type { Statements } from '../db/statements'
import { acceptedOf } from '../history/queries'
import { payerCodes } from '../x402/reasons/causes'

/** A completed UTC day (`YYYY-MM-DD`) of a tenant. */
export type TenantDay = { tenantId: string; day: string }

/** The error of a history row as analytics group it: empty for a success. */
export const reasonColumn = sql`CASE WHEN h."success" THEN '' ELSE COALESCE(NULLIF(h."errorReason", ''), 'unknown') END`

/** The tier of a history row. Rows of earlier versions have that of their settlement, or else of their plan without flash. */
export const tierColumn = sql`
  COALESCE(h."tier", (SELECT s."tier" FROM "Settlement" s WHERE s."id" = h."settlementId"),
    CASE WHEN h."plan" = 'sandbox' THEN 'sandbox' ELSE 'standard' END)`

/** Whether the payment of a history row was valid: it settled, or failed by the chain or by us, as `causeOf` says. */
export const validOf = sql`
  NOT (${reasonColumn} = ANY(CASE WHEN ${acceptedOf} THEN ${payerCodes(true)}::text[] ELSE ${payerCodes(false)}::text[] END))`

/** The slot of a history row on its UTC day. */
export const slotColumn = sql`(floor(extract(epoch FROM h."createdAt") / ${slotMs / 1_000}::int)::bigint % ${86_400_000 / slotMs}::int)::smallint`

// Rows of earlier versions have no settle time; their settlement has its begin. COALESCE asks for it only then.
const SETTLE_MS = sql`
  COALESCE(h."settleMs"::float8, (
    SELECT extract(epoch FROM h."createdAt" - s."createdAt")::float8 * 1000 FROM "Settlement" s WHERE s."id" = h."settlementId"
  ))`

/** Bins of settle times for each doubling of the time. A percentile is within a tenth of the true time. */
const BINS_PER_OCTAVE = 4

/** The bin of a history row's settle time (BINS_PER_OCTAVE); -1 when unknown, and in failures. */
export const binOf = sql`
  CASE WHEN h."success" THEN COALESCE(floor(${BINS_PER_OCTAVE}::int * ln(abs(${SETTLE_MS}) + 1) / ln(2::float8))::int, -1) ELSE -1 END`

/** Stores the sums by time of some history rows. `rows` is a table with its conditions, named `h`. Readers add the parts of a day. */
export async function storeTimes(db: Statements, rows: Sql, { tenantId, day }: TenantDay): Promise<void> {
  const its = sql`"tenantId" = ${tenantId}::uuid AND "day" = ${day}::date`
  await db.execute`
    INSERT INTO "RollupTime" ("tenantId", "day", "no", "network", "symbol", "tier", "accepted", "errorReason", "bin", "slots", "counts", "volumes")
    SELECT ${tenantId}::uuid, ${day}::date, (SELECT COALESCE(max("no"), 0) FROM "RollupTime" WHERE ${its}) + row_number() OVER (),
      "network", "symbol", "tier", "accepted", "reason", "bin", array_agg("slot" ORDER BY "slot"), array_agg("count" ORDER BY "slot"),
      CASE WHEN "reason" = '' THEN array_agg("volume" ORDER BY "slot") ELSE '{}' END
    FROM (
      SELECT "network", "symbol", "tier", "accepted", "reason", "bin", "slot", (sum("count") OVER running)::int AS "count", sum("volume") OVER running AS "volume"
      FROM (
        SELECT h."network", h."symbol", ${tierColumn} AS "tier", ${acceptedOf} AS "accepted", ${reasonColumn} AS "reason", ${binOf} AS "bin", ${slotColumn} AS "slot", count(*) AS "count",
          COALESCE(sum(h."amount") FILTER (WHERE h."success"), 0) AS "volume"
        FROM ${rows} GROUP BY 1, 2, 3, 4, 5, 6, 7
      ) slot WINDOW running AS (PARTITION BY "network", "symbol", "tier", "accepted", "reason", "bin" ORDER BY "slot")
    ) total GROUP BY "network", "symbol", "tier", "accepted", "reason", "bin"`
}

/** Forgets the sums by time of a day, before they are stored again. */
export async function forgetTimes(db: Statements, { tenantId, day }: TenantDay): Promise<void> {
  await db.execute`DELETE FROM "RollupTime" WHERE "tenantId" = ${tenantId}::uuid AND "day" = ${day}::date`
}

/** How many settlements a bin has: those from 2^(bin/4) - 1 to 2^((bin+1)/4) - 1 milliseconds. */
export type BinCount = { bin: number; count: number }

/** The time in milliseconds below which this share of settlements stayed; null without any. */
export function percentileOf(bins: readonly BinCount[], share: number): number | null {
  const sorted = bins.toSorted((a, b) => a.bin - b.bin)
  const total = sorted.reduce((sum, { count }) => sum + count, 0)
  if (total === 0) return null
  const wanted = share * total
  let below = 0
  for (const { bin, count } of sorted) {
    // Within a bin, times are taken as evenly spread on the logarithmic scale.
    if (below + count >= wanted) return Math.round(2 ** ((bin + (wanted - below) / count) / BINS_PER_OCTAVE) - 1)
    below += count
  }
  return null
}
