import { Prisma } from '../../generated/prisma/client'
import type { Db } from './database'

export type Meter = 'settlement' | 'verification'

/** Whose unit, of what. */
export type UsageKey = { subject: string; meter: Meter }

/** Units used of both meters in a period, the UTC calendar month (`YYYY-MM`) by the database's clock. */
export type UsageCount = { period: string; settlement: number; verification: number }

type CountRow = { period: string; taken: number | null; settlement: number | null; verification: number | null }

const THIS_MONTH = Prisma.sql`to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM')`

const counts = (subject: string) => Prisma.sql`
  ${THIS_MONTH} AS period,
  (SELECT "used" FROM "Usage" WHERE "subject" = ${subject} AND "meter" = 'settlement' AND "period" = ${THIS_MONTH}) AS settlement,
  (SELECT "used" FROM "Usage" WHERE "subject" = ${subject} AND "meter" = 'verification' AND "period" = ${THIS_MONTH}) AS verification`

/**
 * Takes one unit if the limit allows, in one statement, so that no number of parallel requests is ever over-granted
 * (I10). `taken` is false when the quota is spent.
 */
export async function takeUnit(db: Db, key: UsageKey, limit: number): Promise<{ taken: boolean; used: UsageCount }> {
  const [row] = await db.$queryRaw<CountRow[]>`
    WITH taken AS (
      INSERT INTO "Usage" ("subject", "meter", "period", "used")
      SELECT ${key.subject}, ${key.meter}, ${THIS_MONTH}, 1 WHERE ${limit}::int > 0
      ON CONFLICT ("subject", "meter", "period") DO UPDATE SET "used" = "Usage"."used" + 1 WHERE "Usage"."used" < ${limit}
      RETURNING "used"
    )
    SELECT (SELECT "used" FROM taken) AS taken, ${counts(key.subject)}`
  const taken = row?.taken ?? null
  // The other columns are from before this statement: a unit just taken, or taken by others meanwhile, shows only here.
  return { taken: taken !== null, used: { ...countsOf(row), [key.meter]: taken ?? limit } }
}

/** Gives one unit back, at most `cap` times in a period and never below zero. Whether it did. */
export async function returnUnit(db: Db, key: UsageKey, period: string, cap: number): Promise<boolean> {
  const returned = await db.$executeRaw`
    UPDATE "Usage" SET "used" = "used" - 1, "returned" = "returned" + 1
    WHERE "subject" = ${key.subject} AND "meter" = ${key.meter} AND "period" = ${period} AND "used" > 0 AND "returned" < ${cap}`
  return returned > 0
}

/** Undoes one `takeUnit`, as if it had never been. */
export async function untakeUnit(db: Db, key: UsageKey, period: string): Promise<void> {
  await db.$executeRaw`
    UPDATE "Usage" SET "used" = "used" - 1
    WHERE "subject" = ${key.subject} AND "meter" = ${key.meter} AND "period" = ${period} AND "used" > 0`
}

/** What a subject has used this month. */
export async function readUsage(db: Db, subject: string): Promise<UsageCount> {
  const [row] = await db.$queryRaw<CountRow[]>`SELECT NULL::int AS taken, ${counts(subject)}`
  return countsOf(row)
}

function countsOf(row: CountRow | undefined): UsageCount {
  return { period: row?.period ?? '', settlement: row?.settlement ?? 0, verification: row?.verification ?? 0 }
}

/**
 * Gives the unit of a settle request back whose claim never came to be: for a request that does not know whether its claim was
 * written. Nothing happens when the settlement exists: its own end says what becomes of the unit.
 */
export async function returnUnclaimed(db: Db, settlementId: string, subject: string, period: string, cap: number): Promise<void> {
  await db.$executeRaw`
    UPDATE "Usage" SET "used" = "used" - 1, "returned" = "returned" + 1
    WHERE "subject" = ${subject} AND "meter" = 'settlement' AND "period" = ${period} AND "used" > 0 AND "returned" < ${cap}
      AND NOT EXISTS (SELECT 1 FROM "Settlement" WHERE "id" = ${settlementId}::uuid)`
}
