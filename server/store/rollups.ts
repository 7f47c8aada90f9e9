import { Prisma } from '../../generated/prisma/client'
import type { Db } from './database'
import { readHorizon } from './horizon'

/** A finished UTC day (`YYYY-MM-DD`) of a tenant. */
export type TenantDay = { tenantId: string; day: string }

/** The instant at which a UTC day (a date expression) begins. */
export const beginOf = (day: Prisma.Sql) => Prisma.sql`((${day})::timestamp AT TIME ZONE 'UTC')`

/** The error of a history row as analytics group it: empty for a success. */
export const reasonOf = Prisma.sql`CASE WHEN h."success" THEN '' ELSE COALESCE(NULLIF(h."errorReason", ''), 'unknown') END`

/** The first day that is not noted yet. */
export const CURSOR = Prisma.sql`(SELECT "day" FROM "RollupCursor")`

/**
 * Notes the tenants of the next day that is over, so that it can be summed up. Over is a day when no transaction that began in it is writing
 * any more: what comes later marks it by itself. False when there is none.
 */
export async function noteDay(db: Db): Promise<boolean> {
  const horizon = await readHorizon(db)
  const rows = await db.$queryRaw<unknown[]>`
    WITH due AS MATERIALIZED (
      SELECT "day" FROM "RollupCursor" WHERE ${beginOf(Prisma.sql`"day" + 1`)} <= ${horizon.toISOString()}::timestamptz FOR UPDATE
    ), noted AS (
      INSERT INTO "RollupDay" ("tenantId", "day", "state")
      SELECT t."id", due."day", 'dirty' FROM due, "Tenant" t
      WHERE EXISTS (SELECT 1 FROM "History" h WHERE h."tenantId" = t."id"
        AND h."createdAt" >= ${beginOf(Prisma.sql`due."day"`)} AND h."createdAt" < ${beginOf(Prisma.sql`due."day" + 1`)})
      ON CONFLICT DO NOTHING
    )
    UPDATE "RollupCursor" c SET "day" = due."day" + 1 FROM due RETURNING 1`
  return rows.length > 0
}

/** Some noted days that have to be summed up, newest first. */
export function dirtyDays(db: Db, limit: number): Promise<TenantDay[]> {
  return db.$queryRaw<TenantDay[]>`
    SELECT "tenantId", "day"::text AS "day" FROM "RollupDay" WHERE "state" = 'dirty' AND "day" < ${CURSOR} ORDER BY "day" DESC, "tenantId" LIMIT ${limit}`
}

/**
 * Sums a tenant's day up anew. Its row is held meanwhile: what was committed before is counted, and what is written meanwhile waits to mark
 * the day again. Two who do so at once do it twice.
 */
export async function rollDay(db: Db, { tenantId, day }: TenantDay): Promise<void> {
  const its = Prisma.sql`"tenantId" = ${tenantId}::uuid AND "day" = ${day}::date`
  const rows = Prisma.sql`"History" h WHERE h."tenantId" = ${tenantId}::uuid
    AND h."createdAt" >= ${beginOf(Prisma.sql`${day}::date`)} AND h."createdAt" < ${beginOf(Prisma.sql`${day}::date + 1`)}`
  await db.$transaction([
    db.$executeRaw`UPDATE "RollupDay" SET "state" = 'rolled' WHERE ${its}`,
    db.$executeRaw`DELETE FROM "RollupFact" WHERE ${its}`,
    db.$executeRaw`DELETE FROM "RollupPayer" WHERE ${its}`,
    db.$executeRaw`
      INSERT INTO "RollupFact" ("tenantId", "day", "no", "network", "resource", "payTo", "errorReason", "count", "volume")
      SELECT ${tenantId}::uuid, ${day}::date, row_number() OVER (), f.* FROM (
        SELECT h."network", h."resource", h."payTo", ${reasonOf}, count(*), COALESCE(sum(h."amount") FILTER (WHERE h."success"), 0)
        FROM ${rows} GROUP BY 1, 2, 3, 4
      ) f`,
    db.$executeRaw`
      INSERT INTO "RollupPayer" ("tenantId", "day", "network", "payer")
      SELECT DISTINCT ${tenantId}::uuid, ${day}::date, h."network", h."payer" FROM ${rows} AND h."payer" <> ''`,
  ])
}
