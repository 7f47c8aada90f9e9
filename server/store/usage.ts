import type { Db } from './database'

export type Meter = 'settlement' | 'verification'

/** Whose unit, of what, in which UTC calendar month (`YYYY-MM`). */
export type UsageKey = { subject: string; meter: Meter; period: string }

/** Units used of both meters in a period. */
export type UsageCount = { settlement: number; verification: number }

type CountRow = { taken: number | null; other: number | null; current: number | null }

/**
 * Takes one unit if the limit allows, in one statement, so that no number of parallel requests is ever over-granted
 * (I10). `taken` is false when the quota is spent.
 */
export async function takeUnit(db: Db, key: UsageKey, limit: number): Promise<{ taken: boolean; used: UsageCount }> {
  const other: Meter = key.meter === 'settlement' ? 'verification' : 'settlement'
  const [row] = await db.$queryRaw<CountRow[]>`
    WITH taken AS (
      INSERT INTO "Usage" ("subject", "meter", "period", "used")
      SELECT ${key.subject}, ${key.meter}, ${key.period}, 1 WHERE ${limit}::int > 0
      ON CONFLICT ("subject", "meter", "period") DO UPDATE SET "used" = "Usage"."used" + 1 WHERE "Usage"."used" < ${limit}
      RETURNING "used"
    )
    SELECT (SELECT "used" FROM taken) AS taken,
      (SELECT "used" FROM "Usage" WHERE "subject" = ${key.subject} AND "meter" = ${key.meter} AND "period" = ${key.period}) AS current,
      (SELECT "used" FROM "Usage" WHERE "subject" = ${key.subject} AND "meter" = ${other} AND "period" = ${key.period}) AS other`
  const taken = row?.taken ?? null
  const mine = taken ?? row?.current ?? limit
  const theirs = row?.other ?? 0
  const used = key.meter === 'settlement' ? { settlement: mine, verification: theirs } : { settlement: theirs, verification: mine }
  return { taken: taken !== null, used }
}

/** Gives one unit back, at most `cap` times in a period and never below zero. */
export async function returnUnit(db: Db, key: UsageKey, cap: number): Promise<void> {
  await db.$executeRaw`
    UPDATE "Usage" SET "used" = "used" - 1, "returned" = "returned" + 1
    WHERE "subject" = ${key.subject} AND "meter" = ${key.meter} AND "period" = ${key.period} AND "used" > 0 AND "returned" < ${cap}`
}

/** What a subject has used in a period. */
export async function readUsage(db: Db, subject: string, period: string): Promise<UsageCount> {
  const rows = await db.usage.findMany({ where: { subject, period }, select: { meter: true, used: true } })
  const of = (meter: Meter) => rows.find((row) => row.meter === meter)?.used ?? 0
  return { settlement: of('settlement'), verification: of('verification') }
}
