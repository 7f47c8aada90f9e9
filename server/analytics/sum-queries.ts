import type { TenantFilter } from '../accounts/tenant-queries'
import type { Db } from '../db/database'
import { type Sql, sql } from '../db/sql'
import { countingPayers } from './payer-set-queries'
import { DIRTY, readingOf } from './stored-queries'
import { reasonOf } from './time-queries'

/** The `days` completed UTC days before `end`, and as many before them for comparison; of all networks or of these. */
export type Window = { end: string; days: number; networks?: readonly string[] }

/** Counts of settlements and of successes, and the volume of the successes as digits. */
export type Sums = { count: number; good: number; volume: string }

type ResourceSums = Sums & { resource: string; payTo: string; network: string }

/** The sums of the completed days of a window; resources are the ten with most settlements. */
export type AnalyticsSums = {
  period: Sums & { payers: number }
  previous: Sums & { payers: number }
  days: (Sums & { day: string })[]
  networks: (Sums & { network: string })[]
  reasons: { reason: string; count: number }[]
  resources: ResourceSums[]
}

const TOP_RESOURCES = 10

/** Our own reason codes, a few dozen. */
const REASONS_MAX = 200

/** Sums a window in one statement and so at one moment: from rollups where they are current, else from the rows. */
export async function sumUp(db: Db, filter: TenantFilter, window: Window): Promise<AnalyticsSums> {
  const [row] = await db.queryUnprepared<{ sums: AnalyticsSums }>(sumsQuery(filter, window))
  if (!row) throw new Error('the database did not answer')
  return row.sums
}

/** The statement of `sumUp`. Keys that have switched their history off are excluded, also for older rows. */
export function sumsQuery(filter: TenantFilter, { end, days, networks }: Window): Sql {
  const [until, since] = [sql`${end}::date`, sql`(${end}::date - ${days}::int)`]
  const from = sql`(${end}::date - 2 * ${days}::int)`
  const columns = sql`(h."createdAt" AT TIME ZONE 'UTC')::date AS "day", h."network", h."resource", h."payTo", ${reasonOf} AS "reason", h."payer", h."amount"`
  const { ctes, storedSince } = readingOf({ filter, from, until, networks, due: DIRTY, columns })
  const factsSince = (first: Sql) => sql`
    SELECT p."day", p."network", p."resource", p."payTo", p."errorReason" AS "reason", p."count"::bigint AS "count", p."volume"
    FROM ${storedSince(first)(sql`"RollupFact"`)}
    UNION ALL
    SELECT "day", "network", "resource", "payTo", "reason", 1, CASE WHEN "reason" = '' THEN "amount" ELSE 0 END FROM raw WHERE "day" >= ${first}`
  return sql`
    WITH ${ctes}, daily AS MATERIALIZED (
      SELECT "day", "day" >= ${since} AS "current", "network", "reason", ${SUMMED} FROM (${factsSince(from)}) f GROUP BY "day", "network", "reason"
    ), resources AS (
      SELECT "resource", "payTo", "network", ${SUMMED} FROM (${factsSince(since)}) f GROUP BY "resource", "payTo", "network"
    ), ${countingPayers(since, storedSince(from))}
    SELECT json_build_object(
      'period', ${totals(sql`"current"`, sql`"now"`)},
      'previous', ${totals(sql`NOT "current"`, sql`"then"`)},
      'days', ${list(sql`"day"`, currentBy(sql`"day"`), sql`ORDER BY "day"`)},
      'networks', ${list(sql`"network"`, currentBy(sql`"network"`), sql`ORDER BY "count" DESC, "network" COLLATE "C"`)},
      'reasons', ${list(sql`"reason"`, currentBy(sql`"reason"`), sql`WHERE "reason" <> '' ORDER BY "count" DESC, "reason" COLLATE "C" LIMIT ${REASONS_MAX}`)},
      'resources', ${list(
        sql`"resource", "payTo", "network"`,
        sql`resources`,
        sql`ORDER BY "count" DESC, "resource" COLLATE "C", "payTo" COLLATE "C", "network" COLLATE "C" LIMIT ${TOP_RESOURCES}`,
      )}
    ) AS "sums"`
}

const SUMMED = sql`sum("count")::bigint AS "count", COALESCE(sum("count") FILTER (WHERE "reason" = ''), 0)::bigint AS "good", sum("volume") AS "volume"`

// From the sums by day, network and reason, which are few.
const RESUMMED = sql`sum("count")::bigint AS "count", sum("good")::bigint AS "good", sum("volume") AS "volume"`

const currentBy = (key: Sql) => sql`(SELECT ${key}, ${RESUMMED} FROM daily WHERE "current" GROUP BY 1)`

const totals = (which: Sql, payers: Sql) => sql`
  (SELECT json_build_object('count', COALESCE("count", 0), 'good', COALESCE("good", 0), 'volume', COALESCE("volume", 0)::text,
     'payers', (SELECT ${payers} FROM payer))
   FROM (SELECT ${RESUMMED} FROM daily WHERE ${which}) total)`

const list = (keys: Sql, groups: Sql, rest: Sql) => sql`
  (SELECT COALESCE(json_agg(listed), '[]')
   FROM (SELECT ${keys}, "count", "good", "volume"::text AS "volume" FROM ${groups} g ${rest}) listed)`
