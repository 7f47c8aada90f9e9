import type { Db } from '../../db/database'
import { type Sql, sql } from '../../db/sql'
import { PREPAID } from './credits'
import { PERIODS, widerOf } from './usage'

/** The kind of the daily count of a caller's payments that were not paid: judged unpayable, or failed on the chain. */
const UNPAID = 'unpaid settlements'

/** Unpaid payments per day before unknown payers are slowed: a tenth of the month's limit, and at least this many. */
export const UNPAID_LEAST = 10

/**
 * The common table expressions that give back the units of payments that failed on the chain, in the statement that ends them. They count
 * like payments that the chain calls unpayable (`recordFailure`): a sandbox address gets back the day's allowance only. A credit stays
 * spent: its payment was sent. They read from `moved`, whole "Settlement" rows. Rows are locked in one order.
 */
export const unitsOfMoved: Sql = sql`, unpaid AS MATERIALIZED (
    SELECT m."caller", m."subject", m."period", count(*)::int AS "count", GREATEST(${UNPAID_LEAST}::int, max(m."returnCap")) AS "free"
    FROM moved m WHERE m."state" <> 'REVERSED' AND m."period" <> 'none' GROUP BY 1, 2, 3
  ), tallied AS (
    INSERT INTO "Tally" AS t ("subject", "kind", "period", "count", "until")
    SELECT "caller", ${UNPAID}, ${PERIODS.day.name}, sum("count"), (${PERIODS.day.end}) AT TIME ZONE 'UTC' FROM unpaid GROUP BY 1 ORDER BY 1
    ON CONFLICT ("subject", "kind", "period") DO UPDATE SET "count" = t."count" + EXCLUDED."count"
    RETURNING "subject", "count"
  ), back AS MATERIALIZED (
    SELECT u."subject", u."period", sum(CASE WHEN u."subject" LIKE 'ip:%'
      THEN LEAST(u."count", GREATEST(0, u."free" + u."count" - t."count")) ELSE u."count" END)::int AS "count"
    FROM unpaid u JOIN tallied t ON t."subject" = u."caller" WHERE u."period" <> ${PREPAID} GROUP BY 1, 2
  ), held AS MATERIALIZED (
    SELECT u."subject", u."period", back."count" FROM "Usage" u JOIN back USING ("subject", "period")
    WHERE u."meter" = 'settlement' AND back."count" > 0 ORDER BY 1, 2 FOR UPDATE OF u
  ), given AS (
    UPDATE "Usage" u SET "used" = GREATEST(0, u."used" - held."count") FROM held
    WHERE u."subject" = held."subject" AND u."period" = held."period" AND u."meter" = 'settlement'
    RETURNING u."subject", u."period", held."count"
  ), widely AS MATERIALIZED (
    SELECT ${widerOf(sql`given."subject"`)} AS "subject", "period", sum("count")::int AS "count" FROM given GROUP BY 1, 2 ORDER BY 1, 2
  ), wider AS (
    UPDATE "Usage" u SET "used" = GREATEST(0, u."used" - widely."count") FROM widely
    WHERE u."subject" = widely."subject" AND u."period" = widely."period" AND u."meter" = 'settlement'
  )`

/** A caller's unpaid settlements of today, and the day's end. */
export async function readUnpaid(db: Db, caller: string): Promise<{ count: number; until: Date } | null> {
  const [row] = await db.query<{ count: number; until: Date }>`
    SELECT "count", "until" FROM "Tally" WHERE "subject" = ${caller} AND "kind" = ${UNPAID} AND "period" = ${PERIODS.day.name}`
  return row ?? null
}
