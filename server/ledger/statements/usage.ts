import { batchPerTick, type Db } from '../../db/database'
import { empty, type Sql, sql } from '../../db/sql'
import { type CreditKey, returningVerification } from './credits'

export type Meter = 'settlement' | 'verification'

/** Whose unit, of what. */
export type UsageKey = { subject: string; meter: Meter }

/** Units used of both meters in a period, the UTC calendar month (`YYYY-MM`) by the database's clock. */
export type UsageCount = { period: string; settlement: number; verification: number }

type CountRow = { period: string; taken: number | null; settlement: number | null; verification: number | null }

const THIS_MONTH = sql`to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM')`

const counts = (subject: string) => sql`
  ${THIS_MONTH} AS period,
  (SELECT "used" FROM "Usage" WHERE "subject" = ${subject} AND "meter" = 'settlement' AND "period" = ${THIS_MONTH}) AS settlement,
  (SELECT "used" FROM "Usage" WHERE "subject" = ${subject} AND "meter" = 'verification' AND "period" = ${THIS_MONTH}) AS verification`

/** What taking a unit came to: `taken` is false when the quota is spent. */
export type Taking = { taken: boolean; used: UsageCount }

/** Takes one unit if the limit allows, so that no number of parallel requests is ever over-granted. */
export async function takeUnit(db: Db, key: UsageKey, limit: number): Promise<Taking> {
  const { taking } = await takeBatched(db, { ...key, limit })
  return taking
}

type Take = UsageKey & { limit: number }

// Requests of one subject would wait for its row one after the other, each for the commit of the one before. No subject waits for another's.
const takeBatched = batchPerTick(async (db: Db, takes: readonly Take[]): Promise<{ taking: Promise<Taking> }[]> => {
  const bySubject = new Map<string, Promise<Taking>[]>()
  return takes.map((take) => {
    const name = JSON.stringify([take.subject, take.meter, take.limit])
    const group = bySubject.get(name) ?? takeAll(db, take, takes.filter((other) => isSame(other, take)).length)
    bySubject.set(name, group)
    return { taking: group.shift() ?? takeOne(db, take) }
  })
})

const isSame = (one: Take, other: Take) => one.subject === other.subject && one.meter === other.meter && one.limit === other.limit

/** So many units at once, or, where they are not all left, each by itself. */
function takeAll(db: Db, take: Take, count: number): Promise<Taking>[] {
  const all = takeUnits(db, take, count)
  return Array.from({ length: count }, async (_, at) => {
    const { taken, used } = await all
    if (!taken) return count === 1 ? { taken, used } : takeOne(db, take)
    return { taken, used: { ...used, [take.meter]: used[take.meter] - (count - 1 - at) } }
  })
}

const takeOne = (db: Db, take: Take) => takeUnits(db, take, 1)

async function takeUnits(db: Db, { subject, meter, limit }: Take, count: number): Promise<Taking> {
  const [row] = await db.query<CountRow>`
    WITH taken AS (
      INSERT INTO "Usage" ("subject", "meter", "period", "used")
      SELECT ${subject}, ${meter}, ${THIS_MONTH}, ${count}::int WHERE ${count}::int <= ${limit}::int
      ON CONFLICT ("subject", "meter", "period") DO UPDATE SET "used" = "Usage"."used" + ${count}::int WHERE "Usage"."used" + ${count}::int <= ${limit}::int
      RETURNING "used"
    )
    SELECT (SELECT "used" FROM taken) AS taken, ${counts(subject)}`
  const taken = row?.taken ?? null
  // The other columns are from before this statement: units just taken, or taken by others meanwhile, show only here.
  return { taken: taken !== null, used: { ...countsOf(row), [meter]: taken ?? limit } }
}

/** Gives one unit back, at most `cap` times in a period and never below zero. Whether it did. */
export async function returnUnit(db: Db, key: UsageKey, period: string, cap: number): Promise<boolean> {
  const returned = await db.execute`
    UPDATE "Usage" SET "used" = "used" - 1, "returned" = "returned" + 1
    WHERE "subject" = ${key.subject} AND "meter" = ${key.meter} AND "period" = ${period} AND "used" > 0 AND "returned" < ${cap}`
  return returned > 0
}

/** Undoes one `takeUnit`, as if it had never been. */
export async function untakeUnit(db: Db, key: UsageKey, period: string): Promise<void> {
  await db.execute`
    UPDATE "Usage" SET "used" = "used" - 1
    WHERE "subject" = ${key.subject} AND "meter" = ${key.meter} AND "period" = ${period} AND "used" > 0`
}

/** What a subject has used this month. */
export async function readUsage(db: Db, subject: string): Promise<UsageCount> {
  const [row] = await db.query<CountRow>`SELECT NULL::int AS taken, ${counts(subject)}`
  return countsOf(row)
}

function countsOf(row: CountRow | undefined): UsageCount {
  return { period: row?.period ?? '', settlement: row?.settlement ?? 0, verification: row?.verification ?? 0 }
}

const MONTH = (ago: Sql) => sql`to_char((now() AT TIME ZONE 'UTC') - ${ago}, 'YYYY-MM')`
// A caller of the sandbox is an address, and nothing is ever asked of its earlier months.
const OF_ADDRESSES = sql`"subject" LIKE 'ip:%' AND "period" < ${MONTH(sql`interval '2 months'`)}`
const OF_ALL = sql`"period" < ${MONTH(sql`interval '13 months'`)}`

/** Deletes some counts: of addresses two months after their own, of everyone else after thirteen. Returns how many. */
export async function pruneUsage(db: Db, limit: number): Promise<number> {
  const addresses = await pruneCounts(db, OF_ADDRESSES, limit)
  return addresses === limit ? limit : addresses + (await pruneCounts(db, OF_ALL, limit - addresses))
}

function pruneCounts(db: Db, which: Sql, limit: number): Promise<number> {
  return db.execute`
    DELETE FROM "Usage" WHERE ("subject", "meter", "period") IN (
      SELECT "subject", "meter", "period" FROM "Usage" WHERE ${which} ORDER BY "period" LIMIT ${limit} FOR UPDATE SKIP LOCKED
    )`
}

/**
 * Gives the unit of a settle request back whose claim never came to be: for a request that does not know whether its claim was
 * written. Nothing happens when the settlement exists: its own end says what becomes of the unit.
 */
export async function returnUnclaimed(db: Db, settlementId: string, subject: string, period: string, cap: number): Promise<void> {
  await db.execute`
    UPDATE "Usage" SET "used" = "used" - 1, "returned" = "returned" + 1
    WHERE "subject" = ${subject} AND "meter" = 'settlement' AND "period" = ${period} AND "used" > 0 AND "returned" < ${cap}
      AND NOT EXISTS (SELECT 1 FROM "Settlement" WHERE "id" = ${settlementId}::uuid)`
}

const UTC_NOW = sql`(now() AT TIME ZONE 'UTC')`

/** The periods that are counted, as the database's clock has them. */
const PERIODS = {
  day: { name: sql`to_char(${UTC_NOW}, 'YYYY-MM-DD')`, end: sql`date_trunc('day', ${UTC_NOW}) + interval '1 day'` },
  month: {
    name: sql`to_char(${UTC_NOW}, 'YYYY-MM')`,
    end: sql`date_trunc('month', ${UTC_NOW}) + interval '1 month'`,
  },
} as const

type Counting = { subject: string; kind: string; period: keyof typeof PERIODS; cap?: number; where?: Sql }

/**
 * The statement that adds 1 to a count of this period, as long as `cap` is not reached. It returns the new `count` and the
 * period's end, `until`; at the cap, or where `where` does not hold, it returns no row. Without a cap it counts on.
 */
export function counting({ subject, kind, period, cap, where = sql`true` }: Counting): Sql {
  const { name, end } = PERIODS[period]
  const below = cap === undefined ? empty : sql`WHERE t."count" < ${cap}::int`
  return sql`
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
  const within = givesUpTo === null ? sql`true` : sql`(SELECT "count" FROM counted) <= ${givesUpTo}::int`
  const [row] = await db.query<Unpaid>`
    WITH counted AS (${counting({ subject: caller, kind: `unpaid ${meter}s`, period: 'day' })}), given AS (${giving(unit, within)})
    SELECT "count", "until", EXISTS (SELECT 1 FROM given) AS "given" FROM counted`
  if (!row) throw new Error('a count without a cap did not count')
  return row
}

function giving(unit: UnitBack, within: Sql): Sql {
  if (!unit) return sql`SELECT 1 WHERE false`
  if (unit.by === 'verification') return sql`${returningVerification(unit.account)} AND ${within} RETURNING 1`
  const { subject, meter, period } = unit
  return sql`
    UPDATE "Usage" SET "used" = "used" - 1
    WHERE "subject" = ${subject} AND "meter" = ${meter} AND "period" = ${period} AND "used" > 0 AND ${within} RETURNING 1`
}

/** Deletes some counts whose period is over. Returns how many. */
export async function pruneTallies(db: Db, limit: number): Promise<number> {
  return db.execute`
    DELETE FROM "Tally" WHERE ("subject", "kind", "period") IN (
      SELECT "subject", "kind", "period" FROM "Tally" WHERE "until" < now() ORDER BY "until" LIMIT ${limit} FOR UPDATE SKIP LOCKED
    )`
}
