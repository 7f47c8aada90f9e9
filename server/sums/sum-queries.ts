import type { TenantFilter } from '../accounts/tenant-queries'
import type { Db } from '../db/database'
import { type Sql, sql } from '../db/sql'
import { USDC } from '../x402/networks/assets'
import { countingPayers } from './payer-set-queries'
import { DIRTY, readingOf } from './stored-queries'
import { reasonColumn } from './time-queries'

/** The `days` completed UTC days before `end`, and as many before them for comparison; of all networks or of these; of all
 * tokens or of one, by its symbol. */
type Window = { end: string; days: number; networks?: readonly string[]; symbol?: string }

/** Counts of settlements and of successes, and the volume of the successes as digits: of USDC, or of the one token. */
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
  /** The volume of each token that succeeded, by its symbol. */
  volumes: { symbol: string; volume: string }[]
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
function sumsQuery(filter: TenantFilter, { end, days, networks, symbol }: Window): Sql {
  const summed = summedOf(symbol ?? USDC.symbol)
  const [until, since] = [sql`${end}::date`, sql`(${end}::date - ${days}::int)`]
  const from = sql`(${end}::date - 2 * ${days}::int)`
  const columns = sql`(h."createdAt" AT TIME ZONE 'UTC')::date AS "day", h."network", h."symbol", h."resource", h."payTo", ${reasonColumn} AS "reason", h."payer", h."amount"`
  const { ctes, storedSince } = readingOf({ filter, from, until, networks, symbol, due: DIRTY, columns })
  const factsSince = (first: Sql) => sql`
    SELECT p."day", p."network", p."symbol", p."resource", p."payTo", p."errorReason" AS "reason", p."count"::bigint AS "count", p."volume"
    FROM ${storedSince(first)(sql`"RollupFact"`)}
    UNION ALL
    SELECT "day", "network", "symbol", "resource", "payTo", "reason", 1, CASE WHEN "reason" = '' THEN "amount" ELSE 0 END FROM raw WHERE "day" >= ${first}`
  return sql`
    WITH ${ctes}, daily AS MATERIALIZED (
      SELECT "day", "day" >= ${since} AS "current", "network", "symbol", "reason", ${SUMMED}
      FROM (${factsSince(from)}) f GROUP BY "day", "network", "symbol", "reason"
    ), resources AS (
      SELECT "resource", "payTo", "network", ${summed.ofFacts} FROM (${factsSince(since)}) f GROUP BY "resource", "payTo", "network"
    ), ${countingPayers(since, storedSince(from))}
    SELECT json_build_object(
      'period', ${totals(summed.ofDaily, sql`"current"`, sql`"now"`)},
      'previous', ${totals(summed.ofDaily, sql`NOT "current"`, sql`"then"`)},
      'days', ${list(sql`"day"`, currentBy(summed.ofDaily, sql`"day"`), sql`ORDER BY "day"`)},
      'networks', ${list(sql`"network"`, currentBy(summed.ofDaily, sql`"network"`), sql`ORDER BY "count" DESC, "network" COLLATE "C"`)},
      'reasons', ${list(sql`"reason"`, currentBy(summed.ofDaily, sql`"reason"`), sql`WHERE "reason" <> '' ORDER BY "count" DESC, "reason" COLLATE "C" LIMIT ${REASONS_MAX}`)},
      'resources', ${list(
        sql`"resource", "payTo", "network"`,
        sql`resources`,
        sql`ORDER BY "count" DESC, "resource" COLLATE "C", "payTo" COLLATE "C", "network" COLLATE "C" LIMIT ${TOP_RESOURCES}`,
      )},
      'volumes', (SELECT COALESCE(json_agg(v), '[]') FROM (
        SELECT "symbol", sum("volume")::text AS "volume" FROM daily WHERE "current" AND "good" > 0 GROUP BY 1
      ) v)
    ) AS "sums"`
}

const GOOD = sql`COALESCE(sum("count") FILTER (WHERE "reason" = ''), 0)::bigint`
const SUMMED = sql`sum("count")::bigint AS "count", ${GOOD} AS "good", sum("volume") AS "volume"`

// Counts of all tokens, and the volume of one. The sums by day, network, token and reason are few.
function summedOf(symbol: string) {
  const volume = sql`COALESCE(sum("volume") FILTER (WHERE "symbol" = ${symbol}), 0) AS "volume"`
  return {
    ofFacts: sql`sum("count")::bigint AS "count", ${GOOD} AS "good", ${volume}`,
    ofDaily: sql`sum("count")::bigint AS "count", sum("good")::bigint AS "good", ${volume}`,
  }
}

const currentBy = (summed: Sql, key: Sql) => sql`(SELECT ${key}, ${summed} FROM daily WHERE "current" GROUP BY 1)`

const totals = (summed: Sql, which: Sql, payers: Sql) => sql`
  (SELECT json_build_object('count', COALESCE("count", 0), 'good', COALESCE("good", 0), 'volume', COALESCE("volume", 0)::text,
     'payers', (SELECT ${payers} FROM payer))
   FROM (SELECT ${summed} FROM daily WHERE ${which}) total)`

const list = (keys: Sql, groups: Sql, rest: Sql) => sql`
  (SELECT COALESCE(json_agg(listed), '[]')
   FROM (SELECT ${keys}, "count", "good", "volume"::text AS "volume" FROM ${groups} g ${rest}) listed)`
