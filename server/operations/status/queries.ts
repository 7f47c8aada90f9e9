import type { Db } from '../../db/database'
import { type Sql, sql } from '../../db/sql'
import { beginOf, CURSOR } from '../../sums/rollup-queries'
import { acceptedOf, binOf, reasonColumn, tierColumn } from '../../sums/time-queries'

/** How many payments a network and tier have with an outcome (`reason` empty: settled) and a bin of settle times (-1: unknown). */
export type OutcomeRow = { network: string; tier: string; accepted: boolean; reason: string; bin: number; count: number }

/** The sums of a window. `from` is the instant since which payments are counted. */
export type WindowRows = { from: Date; until: Date; outcomes: OutcomeRow[] }

// Nothing of tenants, payers or resources leaves these statements.
const LISTED = (rows: Sql) => sql`
  (SELECT COALESCE(json_agg(o), '[]') FROM (
    SELECT "network", "tier", "accepted", "reason", "bin", sum("count")::float8 AS "count" FROM ${rows} GROUP BY 1, 2, 3, 4, 5
  ) o)`

/** Sums the last 24 hours over at most `most` of the newest rows; then `from` is the oldest of them. */
export async function readLastDay(db: Db, most: number): Promise<WindowRows> {
  const [row] = await db.queryUnprepared<WindowRows>`
    WITH newest AS MATERIALIZED (
      SELECT * FROM "History" WHERE "createdAt" >= now() - interval '24 hours' ORDER BY "createdAt" DESC, "id" DESC LIMIT ${most}::int
    ), counted AS (
      SELECT h."network", ${tierColumn} AS "tier", ${acceptedOf} AS "accepted", ${reasonColumn} AS "reason", ${binOf} AS "bin", 1 AS "count"
      FROM newest h JOIN "Tenant" t ON t."id" = h."tenantId" AND t."historyEnabled"
    )
    SELECT now() AS "until", ${LISTED(sql`counted`)} AS "outcomes",
      CASE WHEN count(*) < ${most}::int THEN now() - interval '24 hours' ELSE min("createdAt") END AS "from"
    FROM newest`
  return required(row)
}

/** Sums the last completed UTC days from their stored sums. Rows are never read. Days whose sums are not stored yet are missing. */
export async function readLastDays(db: Db, days: number): Promise<WindowRows> {
  const [from, until] = [sql`(${TODAY} - ${days}::int)`, sql`GREATEST(LEAST(${TODAY}, ${CURSOR}), ${TODAY} - ${days}::int)`]
  // OFFSET 0 makes it one index range per tenant.
  const [row] = await db.queryUnprepared<WindowRows>`
    WITH counted AS (
      SELECT p.* FROM "Tenant" t CROSS JOIN LATERAL (
        SELECT r."network", COALESCE(NULLIF(r."tier", ''), CASE WHEN t."plan" = 'sandbox' THEN 'sandbox' ELSE 'standard' END) AS "tier",
          r."accepted", r."errorReason" AS "reason", r."bin", r."counts"[cardinality(r."counts")] AS "count"
        FROM "RollupTime" r WHERE r."tenantId" = t."id" AND r."day" >= ${from} AND r."day" < ${until} OFFSET 0
      ) p WHERE t."historyEnabled"
    )
    SELECT ${beginOf(from)} AS "from", ${beginOf(until)} AS "until", ${LISTED(sql`counted`)} AS "outcomes"`
  return required(row)
}

/** What the sums of completed days depend on, and whether all of the last days have theirs. */
export async function readDaysState(db: Db, days: number): Promise<{ today: string; epoch: string; isSummed: boolean }> {
  const [row] = await db.queryUnprepared<{ today: string; epoch: string; isSummed: boolean }>`
    SELECT ${TODAY}::text AS "today", COALESCE((SELECT "epoch" FROM "AnalyticsEpoch" WHERE "scope" = 'all'), 0)::text AS "epoch",
      ${CURSOR} >= ${TODAY} AND NOT EXISTS (
        SELECT FROM "RollupDay" WHERE "state" <> 'rolled' AND "day" >= ${TODAY} - ${days}::int AND "day" < ${TODAY}
      ) AS "isSummed"`
  return required(row)
}

const TODAY = sql`(now() AT TIME ZONE 'UTC')::date`

/** Payments on their way on a network and tier, and how long the oldest has been. */
export type PendingRow = { network: string; tier: string; count: number; oldestMs: number }

/** The payments on their way, of keys that keep a history. The queues bound them. */
export function countPending(db: Db): Promise<PendingRow[]> {
  return db.queryUnprepared<PendingRow>`
    SELECT "network", "tier", count(*)::int AS "count", GREATEST(0, extract(epoch FROM now() - min("createdAt")) * 1000)::float8 AS "oldestMs"
    FROM "Settlement" WHERE "state" IN ('CLAIMED', 'PREPARED', 'BROADCAST') AND "logged" GROUP BY 1, 2`
}

/** How many accepted payments were given up before anything was signed, in each window. */
export type NotSentRow = { network: string; tier: string; day: number; days: number }

const NOT_SENT_MAX = 100_000

/** Counts the payments that were given up unsigned, at most the newest 100,000. */
export function readNotSent(db: Db, { day, days }: { day: Span; days: Span }): Promise<NotSentRow[]> {
  const within = ({ from, until }: Span) =>
    sql`count(*) FILTER (WHERE "createdAt" >= ${from}::timestamptz AND "createdAt" < ${until}::timestamptz)::int`
  // As the partial index has it.
  return db.queryUnprepared<NotSentRow>`
    SELECT "network", "tier", ${within(day)} AS "day", ${within(days)} AS "days" FROM (
      SELECT "network", "tier", "createdAt" FROM "Settlement" WHERE "state" = 'REJECTED' AND "logged" AND "reason" IS NULL
        AND "createdAt" >= LEAST(${day.from}::timestamptz, ${days.from}::timestamptz) ORDER BY "createdAt" DESC LIMIT ${NOT_SENT_MAX}::int
    ) given GROUP BY 1, 2`
}

type Span = Pick<WindowRows, 'from' | 'until'>

function required<Row>(row: Row | undefined): Row {
  if (!row) throw new Error('the database did not answer')
  return row
}
