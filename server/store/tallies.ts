import { Prisma } from '../../generated/prisma/client'
import { type CreditKey, returningVerification } from './credits'
import type { Db } from './database'
import type { Meter } from './usage'

const UTC_NOW = Prisma.sql`(now() AT TIME ZONE 'UTC')`

/** The periods that are counted, as the database's clock has them. */
const PERIODS = {
  day: { name: Prisma.sql`to_char(${UTC_NOW}, 'YYYY-MM-DD')`, end: Prisma.sql`date_trunc('day', ${UTC_NOW}) + interval '1 day'` },
  month: {
    name: Prisma.sql`to_char(${UTC_NOW}, 'YYYY-MM')`,
    end: Prisma.sql`date_trunc('month', ${UTC_NOW}) + interval '1 month'`,
  },
} as const

type Counting = { subject: string; kind: string; period: keyof typeof PERIODS; cap?: number; where?: Prisma.Sql }

/**
 * The statement that adds 1 to a count of this period, as long as `cap` is not reached. It returns the new `count` and the
 * period's end, `until`; at the cap, or where `where` does not hold, it returns no row. Without a cap it counts on.
 */
export function counting({ subject, kind, period, cap, where = Prisma.sql`true` }: Counting): Prisma.Sql {
  const { name, end } = PERIODS[period]
  const below = cap === undefined ? Prisma.empty : Prisma.sql`WHERE t."count" < ${cap}::int`
  return Prisma.sql`
    INSERT INTO "Tally" AS t ("subject", "kind", "period", "count", "until")
    SELECT ${subject}, ${kind}, ${name}, 1, (${end}) AT TIME ZONE 'UTC' WHERE ${where}
    ON CONFLICT ("subject", "kind", "period") DO UPDATE SET "count" = t."count" + 1 ${below}
    RETURNING "count", "until"`
}

/** Whose unit comes back: that of a month, a verification that came with credits, or none where none was taken. */
export type UnitBack =
  | { by: 'month'; subject: string; meter: Meter; period: string }
  | { by: 'verification'; account: CreditKey }
  | null

/** How many payments of a caller the chain refused today, when that day ends, and whether the unit came back. */
export type Unpaid = { count: number; until: Date; given: boolean }

/**
 * Counts a payment of this caller that the chain would not let pass, and gives its unit back, in one statement. With `givesUpTo`
 * no unit comes back once the day's count is above it.
 */
export async function returnUnpaid(
  db: Db,
  { caller, meter, unit, givesUpTo }: { caller: string; meter: Meter; unit: UnitBack; givesUpTo: number | null },
): Promise<Unpaid> {
  const within = givesUpTo === null ? Prisma.sql`true` : Prisma.sql`(SELECT "count" FROM counted) <= ${givesUpTo}::int`
  const [row] = await db.$queryRaw<Unpaid[]>`
    WITH counted AS (${counting({ subject: caller, kind: `unpaid ${meter}s`, period: 'day' })}), given AS (${giving(unit, within)})
    SELECT "count", "until", EXISTS (SELECT 1 FROM given) AS "given" FROM counted`
  if (!row) throw new Error('a count without a cap did not count')
  return row
}

function giving(unit: UnitBack, within: Prisma.Sql): Prisma.Sql {
  if (!unit) return Prisma.sql`SELECT 1 WHERE false`
  if (unit.by === 'verification') return Prisma.sql`${returningVerification(unit.account)} AND ${within} RETURNING 1`
  const { subject, meter, period } = unit
  return Prisma.sql`
    UPDATE "Usage" SET "used" = "used" - 1
    WHERE "subject" = ${subject} AND "meter" = ${meter} AND "period" = ${period} AND "used" > 0 AND ${within} RETURNING 1`
}

/** Deletes some counts whose period is over. Returns how many. */
export async function pruneTallies(db: Db, limit: number): Promise<number> {
  return db.$executeRaw`
    DELETE FROM "Tally" WHERE ("subject", "kind", "period") IN (
      SELECT "subject", "kind", "period" FROM "Tally" WHERE "until" < now() ORDER BY "until" LIMIT ${limit} FOR UPDATE SKIP LOCKED
    )`
}
