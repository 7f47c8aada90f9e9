import type { Db } from '../db/database'
import { join, type Sql, sql } from '../db/sql'
import { between, contains, type ListFilter, planOf, REASON, scanned } from './list-queries'
import { acceptedOf } from './queries'

/** How many of the newest settlements of a range a tally and a choice count. */
export const COUNTED_MAX = 10_000

/** How many settlements of a token ended so: `reason` is empty for successes. The volume of these is digits of atomic units. */
export type Outcome = { symbol: string; accepted: boolean; reason: string; count: number; volume: string }

/** The outcomes of a list. `more`: it has settlements that were not counted. */
export type Tally = { outcomes: Outcome[]; more: boolean }

/** Counts a list by token, acceptance and reason: the newest `most` rows that its indexes choose. */
export async function readTally(db: Db, filter: ListFilter, most = COUNTED_MAX): Promise<Tally> {
  const rows = await db.queryUnprepared<Outcome & { read: number }>(tallyQuery(filter, most))
  return {
    outcomes: rows.filter(({ count }) => count > 0).map(({ read: _, ...outcome }) => outcome),
    more: (rows[0]?.read ?? 0) > most,
  }
}

/** The statement of a tally. */
export function tallyQuery(filter: ListFilter, most = COUNTED_MAX): Sql {
  return sql`
    SELECT "symbol", ${acceptedOf} AS "accepted", CASE WHEN "success" THEN '' ELSE ${REASON} END AS "reason", count(*) FILTER (WHERE "no" <= ${most} AND "matches")::int AS "count",
      COALESCE(sum("amount") FILTER (WHERE "no" <= ${most} AND "matches" AND "success"), 0)::text AS "volume", (sum(count(*)) OVER ())::int AS "read"
    FROM (${counted(filter, most)}) h GROUP BY 1, 2, 3`
}

/** What a list can be narrowed by, of the values that its settlements have. */
export const choiceNames = ['network', 'key', 'reason', 'resource', 'payer', 'recipient'] as const

export type ChoiceName = (typeof choiceNames)[number]

/** How many settlements have a value. */
export type Value = { value: string; count: number }

/** The most values that a choice offers. */
const VALUES_MAX = 100

/** The values of a choice, the most frequent first. `others`: there are more values; `more`: settlements that were not counted. */
export type Values = { values: Value[]; others: boolean; more: boolean }

/** The values that occur in a list, with their counts: of the newest `most` rows that its indexes choose. `part`: values that contain a text. */
export async function readValues(
  db: Db,
  filter: ListFilter,
  of: ChoiceName,
  part: string | null,
  most = COUNTED_MAX,
): Promise<Values> {
  const rows = await db.queryUnprepared<Value & { read: number }>(valuesQuery(filter, of, part, most))
  const values = rows.filter(({ count }) => count > 0).map(({ value, count }) => ({ value, count }))
  return { values: values.slice(0, VALUES_MAX), others: values.length > VALUES_MAX, more: (rows[0]?.read ?? 0) > most }
}

/** The statement of these values. */
export function valuesQuery(filter: ListFilter, of: ChoiceName, part: string | null, most = COUNTED_MAX): Sql {
  const value = VALUES[of]
  const searched = part === null ? sql`true` : contains(value, part)
  return sql`
    SELECT ${value} AS "value", count(*) FILTER (WHERE "no" <= ${most} AND "matches" AND ${value} <> '' AND ${searched})::int AS "count",
      (sum(count(*)) OVER ())::int AS "read"
    FROM (${counted(filter, most)}) counted GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT ${VALUES_MAX + 1}`
}

const VALUES: Record<ChoiceName, Sql> = {
  network: sql`"network"`,
  key: sql`"tenantId"::text`,
  reason: sql`CASE WHEN "success" THEN '' ELSE ${REASON} END`,
  resource: sql`"resource"`,
  payer: sql`"payer"`,
  recipient: sql`"payTo"`,
}

// One row more than is counted says that there are others.
function counted(filter: ListFilter, most: number): Sql {
  const plan = planOf(filter)
  const newest = sql`"createdAt" DESC, "id" DESC`
  return sql`
    SELECT *, (${join([...plan.match, sql`true`], ' AND ')}) AS "matches", row_number() OVER (ORDER BY ${newest}) AS "no"
    FROM (${scanned(plan, between(filter), newest, most + 1)}) rows`
}
