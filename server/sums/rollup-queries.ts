import type { Db } from '../db/database'
import { type Sql, sql } from '../db/sql'
import type { Statements } from '../db/statements'
import { readSafeWatermark } from '../history/queries'
import type { ListedPlace } from './listed-places'
import { forgetPayers, numberPayers, storePayers } from './payer-set-queries'
import { forgetResourceDay, listedPlaces, storeResourceDay } from './resource-queries'
import { forgetTimes, reasonColumn, storeTimes, type TenantDay } from './time-queries'

/** The instant at which a UTC day (a date expression) begins. */
export const beginOf = (day: Sql) => sql`((${day})::timestamp AT TIME ZONE 'UTC')`

/** The first day that is not registered yet. */
export const CURSOR = sql`(SELECT "day" FROM "RollupCursor")`

/**
 * Registers the tenants of the next completed day for a rollup; false when there is none. A day is complete when no transaction that
 * began in it still writes; later rows mark it themselves.
 */
export async function noteDay(db: Db): Promise<boolean> {
  const watermark = await readSafeWatermark(db)
  const rows = await db.queryUnprepared<unknown>`
    WITH due AS MATERIALIZED (
      SELECT "day" FROM "RollupCursor" WHERE ${beginOf(sql`"day" + 1`)} <= ${watermark.toISOString()}::timestamptz FOR UPDATE
    ), noted AS (
      INSERT INTO "RollupDay" ("tenantId", "day", "state")
      SELECT t."id", due."day", 'dirty' FROM due, "Tenant" t
      WHERE EXISTS (SELECT 1 FROM "History" h WHERE h."tenantId" = t."id"
        AND h."createdAt" >= ${beginOf(sql`due."day"`)} AND h."createdAt" < ${beginOf(sql`due."day" + 1`)})
      ON CONFLICT DO NOTHING
    )
    UPDATE "RollupCursor" c SET "day" = due."day" + 1 FROM due RETURNING 1`
  return rows.length > 0
}

/** Some registered days to roll up, newest first; those after one of them. Days of earlier versions are among them. */
export function dirtyDays(db: Db, limit: number, after: TenantDay | null = null): Promise<TenantDay[]> {
  const further = after
    ? sql`("day" < ${after.day}::date OR ("day" = ${after.day}::date AND "tenantId" > ${after.tenantId}::uuid))`
    : sql`true`
  return db.queryUnprepared<TenantDay>`
    SELECT "tenantId", "day"::text AS "day" FROM "RollupDay" WHERE "state" <> 'rolled' AND "day" < ${CURSOR} AND ${further}
    ORDER BY "day" DESC, "tenantId" LIMIT ${limit}`
}

/** The rough number of rows per rollup statement, so that none takes seconds. */
const ROWS_PER_PART = 50_000
/** The timeout of a rollup: enough for the largest day, and the longest that a writer waits for its lock. */
const DAY_MS = 120_000

/** A UTC day. `1 day` would be 23 or 25 hours at a clock change of the connection's time zone. */
const DAY = sql`interval '24 hours'`

/**
 * Recomputes the rollup of a tenant's day under a row lock: it counts what was committed before, and later writers wait and mark the
 * day again. Running it twice is safe. A large day is computed in parts, which readers add up.
 */
export async function rollDay(db: Db, { tenantId, day }: TenantDay, rowsPerPart = ROWS_PER_PART): Promise<void> {
  const its = sql`"tenantId" = ${tenantId}::uuid AND "day" = ${day}::date`
  const between = (from: Sql, until: Sql) => sql`"History" h WHERE h."tenantId" = ${tenantId}::uuid
    AND h."createdAt" >= ${beginOf(sql`${day}::date`)} + ${from} AND h."createdAt" < ${beginOf(sql`${day}::date`)} + ${until}`
  const [counted] = await db.queryUnprepared<{ count: number }>`
    SELECT count(*)::int AS "count" FROM ${between(sql`interval '0'`, DAY)}`
  const parts = Math.max(1, Math.ceil((counted?.count ?? 0) / rowsPerPart))
  const edge = (at: number) => sql`${DAY} * ${at}::int / ${parts}::int`
  const rowsOf = Array.from({ length: parts }, (_, part) => between(edge(part), edge(part + 1)))
  // Before the transaction, so that two rollups with the same new payers do not wait for each other.
  for (const rows of rowsOf) await numberPayers(db, rows)
  const placesIn: ListedPlace[][] = []
  for (const rows of rowsOf) placesIn.push(await listedPlaces(db, rows, { tenantId }))

  const sumUp = async (tx: Statements) => {
    const [held] = await tx.query<{ pruned: boolean }>`
      UPDATE "RollupDay" SET "state" = 'rolled' WHERE ${its} RETURNING "pruned"`
    // Some of its rows were deleted, so its sums must stay.
    if (held?.pruned) return
    await tx.execute`DELETE FROM "RollupFact" WHERE ${its}`
    await forgetPayers(tx, { tenantId, day })
    await forgetResourceDay(tx, { tenantId, day })
    await forgetTimes(tx, { tenantId, day })
    for (const [part, rows] of rowsOf.entries()) {
      await tx.execute`
        INSERT INTO "RollupFact" ("tenantId", "day", "no", "network", "symbol", "resource", "payTo", "errorReason", "count", "volume")
        SELECT ${tenantId}::uuid, ${day}::date, (SELECT COALESCE(max("no"), 0) FROM "RollupFact" WHERE ${its}) + row_number() OVER (), f.* FROM (
          SELECT h."network", h."symbol", h."resource", h."payTo", ${reasonColumn}, count(*), COALESCE(sum(h."amount") FILTER (WHERE h."success"), 0)
          FROM ${rows} GROUP BY 1, 2, 3, 4, 5
        ) f`
      await storeTimes(tx, rows, { tenantId, day })
      // Those of rows that came meanwhile.
      await numberPayers(tx, rows)
      await storePayers(tx, rows, { tenantId, day, part })
      await storeResourceDay(tx, rows, placesIn[part] ?? [], { tenantId, day, part })
    }
  }
  await db.transaction(sumUp, { timeoutMs: DAY_MS })
}
