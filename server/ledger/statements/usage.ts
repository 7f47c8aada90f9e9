import { batchPerTick, type Db } from '../../db/database'
import { isOutOfUnits } from '../../db/errors'
import { empty, pruning, type Sql, sql } from '../../db/sql'
import type { Statements } from '../../db/statements'

export type Meter = 'settlement' | 'verification'

/** A unit: its subject, its meter, and the limit of a month. */
export type Unit = { subject: string; meter: Meter; limit: number }

/** Units used of both meters in a period, the UTC calendar month (`YYYY-MM`) by the database's clock. */
export type UsageCount = { period: string; settlement: number; verification: number }

/** The UTC day by the database's clock. */
export const TODAY = sql`(now() AT TIME ZONE 'UTC')::date`

export const THIS_MONTH = sql`to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM')`

/** One subscriber often holds a whole /48 of IPv6 with 65,536 subjects: together they get the units of this many subjects. */
export const WIDER_TIMES = 8

/** The /48 around a subject that ends with a /64 of IPv6, as `widerSubject` names it; NULL for any other subject. */
export const widerOf = (subject: Sql) =>
  sql`(substring(${subject} from '^(.*[0-9a-f]{1,4}(:[0-9a-f]{1,4}){2}):[0-9a-f]{1,4}::/64$') || '::/48')`

/** The party of what races the withdrawals from a party's channels: it has a daily gas budget of its own. */
export const racesOf = (party: string): string => `races:${party}`

/** Whose daily gas budget a claim spends: its party's. Callers that are addresses spend that of their tenant. */
export const purseOf = (tenantId: Sql, party: Sql) =>
  sql`CASE WHEN ${party} ~ '^(owner|wallet|tenant|races):' THEN ${party} ELSE 'tenant:' || ${tenantId} END`

/** What payers' own approvals cost on a network, for all callers together. */
export const APPROVALS_PURSE = 'approvals'

/** The budget that all keys that cost nothing share, and the part of it that one block of addresses spends. */
export const FREE_PURSE = 'free'
export const freePurseOf = (block: Sql) => sql`(${FREE_PURSE} || ' ' || ${block})`

/** The units of a meter that a subject has used this month. */
export const usedOf = (subject: Sql, meter: Meter) => sql`
  COALESCE((SELECT "used" FROM "Usage" WHERE "subject" = ${subject} AND "meter" = ${meter} AND "period" = ${THIS_MONTH}), 0)`

/** A subject's used units of this month. Concurrent reads share a statement. */
export const readUsage: (db: Db, subject: string) => Promise<UsageCount> = batchPerTick(
  async (db: Db, subjects: readonly string[]) => {
    const rows = await db.query<UsageCount & { subject: string }>`
      SELECT a."subject", ${THIS_MONTH} AS "period", ${usedOf(sql`a."subject"`, 'settlement')} AS "settlement",
        ${usedOf(sql`a."subject"`, 'verification')} AS "verification"
      FROM unnest(${[...new Set(subjects)]}::text[]) AS a("subject")`
    const counts = new Map(rows.map(({ subject, ...count }) => [subject, count]))
    return subjects.map((subject) => counts.get(subject) ?? new Error('a subject was not counted'))
  },
)

/**
 * The common table expressions that take units of a subject and of its /48. `unit` has a row with the new count; no row when too few are
 * left or `when` is false. When only the /48 has too few, the whole statement fails (`isOutOfUnits`).
 */
export function taking({ subject, meter, limit }: Unit, count: number, when = sql`true`): Sql {
  const most = WIDER_TIMES * limit
  return sql`
    unit AS (
      INSERT INTO "Usage" AS u ("subject", "meter", "period", "used")
      SELECT ${subject}, ${meter}, ${THIS_MONTH}, ${count}::int WHERE ${count}::int <= ${limit}::int AND ${when}
      ON CONFLICT ("subject", "meter", "period") DO UPDATE SET "used" = u."used" + ${count}::int WHERE u."used" + ${count}::int <= ${limit}::int
      RETURNING "subject", "used"
    ), wider AS (
      INSERT INTO "Usage" AS u ("subject", "meter", "period", "used")
      SELECT ${widerOf(sql`unit."subject"`)}, ${meter}, ${THIS_MONTH}, ${count}::int FROM unit WHERE ${widerOf(sql`unit."subject"`)} IS NOT NULL
      ON CONFLICT ("subject", "meter", "period") DO UPDATE SET "used" = ${within(sql`u."used" + ${count}::int`, sql`${most}::bigint`)}
    )`
}

/** A count, or -1 above its limit: that violates "Usage_bounds" and undoes the whole statement. */
export const within = (count: Sql, limit: Sql) => sql`CASE WHEN ${count} <= ${limit} THEN ${count} ELSE -1 END`

/** Takes one unit within the limit, exactly under any concurrency. Returns the counts; null when the limit is reached. */
export async function takeUnit(db: Db, unit: Unit): Promise<UsageCount | null> {
  const { taking } = await takeBatched(db, unit)
  return taking
}

// Requests of one moment take together: one commit for all of them. None waits for a row that another subject's request waits for.
const takeBatched = batchPerTick(async (db: Db, units: readonly Unit[]): Promise<{ taking: Promise<UsageCount | null> }[]> => {
  const groups = new Map<string, Group>()
  const places = units.map((unit) => {
    const name = JSON.stringify([unit.subject, unit.meter, unit.limit])
    const group = groups.get(name) ?? { unit, count: 0 }
    groups.set(name, group)
    return { group, at: group.count++ }
  })
  const taken = takeTogether(db, [...groups.values()])
  return places.map(({ group, at }) => ({ taking: taken.then(async (of) => (await of.get(group))?.[at] ?? null) }))
})

/** Requests for a unit of the same subject and meter, within the same limit. */
type Group = { unit: Unit; count: number }

/** The counts after each unit of each group, in one statement where it can be done; a group with too few units left is done alone. */
async function takeTogether(db: Db, groups: Group[]): Promise<Map<Group, Promise<UsageCount[]>>> {
  const alone = (group: Group) => takeUpTo(db, group.unit, group.count)
  const rowOf = ({ subject, meter }: Pick<Unit, 'subject' | 'meter'>) => JSON.stringify([subject, meter])
  const rows = new Set(groups.map(({ unit }) => rowOf(unit)))
  // While a plan changes, a subject has two limits for a moment.
  const used = groups.length > 1 && rows.size === groups.length ? await takeUnitsOfMany(db, groups) : []
  const found = new Map(used.map((row) => [rowOf(row), row]))
  return new Map(
    groups.map((group) => {
      const row = found.get(rowOf(group.unit))
      return [group, row ? Promise.resolve(countsUpTo(row, group)) : alone(group)]
    }),
  )
}

type Taken = Pick<Unit, 'subject' | 'meter'> & { period: string; taken: number; other: number }

/**
 * Takes the units of those groups that can have them at once: their row exists, has enough left, belongs to no /48, and is not held by
 * another statement. The others have no row here.
 */
function takeUnitsOfMany(db: Db, groups: Group[]): Promise<Taken[]> {
  const column = <Value>(of: (group: Group) => Value) => groups.map(of)
  return db.query<Taken>`
    WITH asked AS (
      SELECT * FROM unnest(${column(({ unit }) => unit.subject)}::text[], ${column(({ unit }) => unit.meter)}::text[],
        ${column(({ count }) => count)}::int[], ${column(({ unit }) => unit.limit)}::int[]) AS a("subject", "meter", "count", "limit")
    ), free AS (
      SELECT u."subject", u."meter", u."period", a."count" FROM asked a JOIN "Usage" u USING ("subject", "meter")
      WHERE u."period" = ${THIS_MONTH} AND u."used" + a."count" <= a."limit" AND ${widerOf(sql`u."subject"`)} IS NULL
      ORDER BY 1, 2 FOR UPDATE OF u SKIP LOCKED
    ), unit AS (
      UPDATE "Usage" u SET "used" = u."used" + free."count" FROM free
      WHERE u."subject" = free."subject" AND u."meter" = free."meter" AND u."period" = free."period"
      RETURNING u."subject", u."meter", u."period", u."used"
    )
    SELECT unit."subject", unit."meter", unit."period", unit."used" AS "taken",
      COALESCE((SELECT o."used" FROM "Usage" o WHERE o."subject" = unit."subject" AND o."meter" <> unit."meter" AND o."period" = unit."period"), 0) AS "other"
    FROM unit`
}

/** The counts after each of the units of a group, whose last one is known. */
function countsUpTo({ period, taken, other }: Taken, { unit, count }: Group): UsageCount[] {
  return Array.from({ length: count }, (_, at) => {
    const used = taken - (count - 1 - at)
    return unit.meter === 'settlement'
      ? { period, settlement: used, verification: other }
      : { period, settlement: other, verification: used }
  })
}

const noneLeft = (error: unknown): [] => {
  if (isOutOfUnits(error)) return []
  throw error
}

/** Takes as many units as are left, up to `count`: the counts after each of them. */
async function takeUpTo(db: Db, unit: Unit, count: number): Promise<UsageCount[]> {
  const used = await takeUnits(db, unit, count)
  if (used) return countsUpTo(used, { unit, count })
  if (count === 1) return []
  const half = count >> 1
  const taken = await takeUpTo(db, unit, half)
  return taken.length < half ? taken : [...taken, ...(await takeUpTo(db, unit, count - half))]
}

async function takeUnits(db: Db, unit: Unit, count: number): Promise<Taken | undefined> {
  const { subject, meter } = unit
  const other = meter === 'settlement' ? 'verification' : 'settlement'
  const rows = db.query<Taken>`
    WITH ${taking(unit, count)}
    SELECT "subject", ${meter} AS "meter", ${THIS_MONTH} AS "period", "used" AS "taken", ${usedOf(sql`${subject}`, other)} AS "other" FROM unit`
  const [row] = await rows.catch(noneLeft)
  return row
}

const MONTH = (ago: Sql) => sql`to_char((now() AT TIME ZONE 'UTC') - ${ago}, 'YYYY-MM')`
// A sandbox caller is an address whose earlier months are never read.
const OF_ADDRESSES = sql`"subject" LIKE 'ip:%' AND "period" < ${MONTH(sql`interval '2 months'`)}`
const OF_ALL = sql`"period" < ${MONTH(sql`interval '13 months'`)}`

/** Deletes some counts: of addresses after two months, of all others after thirteen. Returns the number. */
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

const UTC_NOW = sql`(now() AT TIME ZONE 'UTC')`

/** The counted periods by the database's clock. */
export const PERIODS = {
  hour: { name: sql`to_char(${UTC_NOW}, 'YYYY-MM-DD HH24')`, end: sql`date_trunc('hour', ${UTC_NOW}) + interval '1 hour'` },
  day: { name: sql`to_char(${UTC_NOW}, 'YYYY-MM-DD')`, end: sql`date_trunc('day', ${UTC_NOW}) + interval '1 day'` },
  month: {
    name: sql`to_char(${UTC_NOW}, 'YYYY-MM')`,
    end: sql`date_trunc('month', ${UTC_NOW}) + interval '1 month'`,
  },
} as const

type Counting = { subject: string | Sql; kind: string; period: keyof typeof PERIODS; cap?: number; where?: Sql }

/**
 * The statement that adds 1 to a count of this period, up to `cap`. Returns the new `count` and the period's end, `until`; no row at the
 * cap or when `where` is false.
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

/**
 * Adds 1 to each of these counts of a kind, in one statement, and returns the new counts in order. They have no cap: a caller that finds one
 * too high undoes its transaction.
 */
export async function countEach(
  within: Statements,
  kind: string,
  counts: readonly { subject: string; period: 'hour' | 'day' }[],
): Promise<number[]> {
  const column = (of: 'subject' | 'period') => counts.map((one) => one[of])
  const rows = await within.query<{ count: number }>`
    WITH asked AS (
      SELECT a."subject", a."no", p."name", p."end" FROM unnest(${column('subject')}::text[], ${column('period')}::text[]) WITH ORDINALITY AS a("subject", "length", "no")
      JOIN (VALUES ('hour', ${PERIODS.hour.name}, ${PERIODS.hour.end}), ('day', ${PERIODS.day.name}, ${PERIODS.day.end})) p("length", "name", "end") USING ("length")
    ), counted AS (
      INSERT INTO "Tally" AS t ("subject", "kind", "period", "count", "until")
      SELECT "subject", ${kind}, "name", 1, "end" AT TIME ZONE 'UTC' FROM asked ORDER BY "no"
      ON CONFLICT ("subject", "kind", "period") DO UPDATE SET "count" = t."count" + 1
      RETURNING "subject", "period", "count"
    )
    SELECT c."count" FROM asked a JOIN counted c ON c."subject" = a."subject" AND c."period" = a."name" ORDER BY a."no"`
  return rows.map(({ count }) => count)
}

/** Deletes what some budgets spent before yesterday, which bounds no claim any more. Returns the number. */
export const pruneGasSpends = pruning(sql`"GasSpend"`, sql`"day", "budget", "network"`, sql`"day"`, sql`${TODAY} - 1`)

/** Deletes some counts whose period is over. Returns the number. */
export const pruneTallies = pruning(sql`"Tally"`, sql`"subject", "kind", "period"`, sql`"until"`, sql`now()`)
