import type { TenantFilter } from '../accounts/tenant-queries'
import type { Db } from '../db/database'
import { join, type Sql, sql } from '../db/sql'
import { wholeScansOf } from '../history/list-queries'
import { SAFE_WATERMARK } from '../history/queries'
import { cutsOf, type Span } from './periods'
import { beginOf } from './rollup-queries'
import { readingOf, UNTIMED } from './stored-queries'
import { binOf, reasonColumn, slotColumn } from './time-queries'

/**
 * Sums by window and token: settlements by network and error (empty: successes), with the volume of successes as digits, and how many
 * successes each bin of settle times has.
 */
export type FigureSums = {
  outcomes: { window: number; network: string; symbol: string; reason: string; count: number; volume: string }[]
  settled: { window: number; symbol: string; bin: number; count: number }[]
}

/** The state to read before sums: the UTC day (`YYYY-MM-DD`), its instant now, whether earlier days are settled, and the epoch. */
export type Clock = { today: string; now: number; settled: boolean; epoch: string }

/** Reads the clock of the database and the epoch of a scope. A change after this has another epoch. */
export async function readAnalyticsClock(db: Db, epochScope: string): Promise<Clock> {
  const [row] = await db.query<Clock>`
    SELECT (now() AT TIME ZONE 'UTC')::date::text AS "today", (extract(epoch FROM now()) * 1000)::float8 AS "now",
      "begin" <= ${SAFE_WATERMARK} AS "settled",
      COALESCE((SELECT "epoch" FROM "AnalyticsEpoch" WHERE "scope" = ${epochScope}), 0)::text AS "epoch"
    FROM (SELECT ${beginOf(sql`(now() AT TIME ZONE 'UTC')::date`)} AS "begin") today`
  if (!row) throw new Error('the database did not return its time')
  return row
}

/** What figures to read: of whom, of which networks, in which windows; `today` is the UTC day of the database. */
type FigureQuery = { filter: TenantFilter; networks: readonly string[]; windows: readonly Span[]; today: string }

/** Sums the parts of windows on UTC days before `today`, in one statement: from stored sums where they are right, else from rows. */
export async function sumCompleted(db: Db, query: FigureQuery): Promise<FigureSums> {
  const [row] = await db.queryUnprepared<{ sums: FigureSums }>(completedQuery(query))
  if (!row) throw new Error('the database did not answer')
  return row.sums
}

/** The statement of `sumCompleted`. Windows must not be empty. */
function completedQuery({ filter, networks, windows, today }: FigureQuery): Sql {
  const cuts = cutsOf(windows)
  const from = sql`${cuts.map(({ day }) => day).toSorted()[0] ?? today}::date`
  const { ctes, storedSince } = readingOf({
    filter,
    networks,
    from,
    until: sql`${today}::date`,
    due: UNTIMED,
    columns: RAW_COLUMNS,
  })
  const running = (sums: Sql, before: Sql) => sql`COALESCE(${sums}[width_bucket(${before}, p."slots")], 0)`
  const between = (sums: Sql) => sql`${running(sums, sql`c."last"`)} - ${running(sums, sql`c."before"`)}`
  return sql`
    WITH ${ctes}, ${cutTable(cuts)}, part AS (
      SELECT c."window", p."network", p."symbol", p."errorReason" AS "reason", p."bin", ${between(sql`p."counts"`)} AS "count", ${between(sql`p."volumes"`)} AS "volume"
      FROM ${storedSince(from)(sql`"RollupTime"`)} JOIN cut c ON c."day" = p."day"
      UNION ALL
      ${RAW_PARTS}
    ), ${SUMMED}
    SELECT ${SUMS} AS "sums"`
}

/** Sums the rows of the UTC day `today` by window, over at most `most` rows. `more`: there were more, so the sums are a minimum. */
export async function sumToday(db: Db, query: FigureQuery, most: number): Promise<FigureSums & { more: boolean }> {
  const [row] = await db.queryUnprepared<{ sums: FigureSums; more: boolean }>(todayQuery(query, most))
  if (!row) throw new Error('the database did not answer')
  return { ...row.sums, more: row.more }
}

/** The statement of `sumToday`. It reads no more rows than it may count. */
export function todayQuery({ filter, networks, windows, today }: FigureQuery, most: number): Sql {
  const scans = scansOf(filter, networks).map((conditions) => {
    // In order, so that it is read from the index that ends where the count does, and nothing is gathered first.
    const since = sql`"createdAt" >= ${beginOf(sql`${today}::date`)}`
    return sql`(SELECT * FROM "History" WHERE ${join([...conditions, since], ' AND ')} ORDER BY "createdAt" DESC, "id" DESC LIMIT ${most + 1}::int)`
  })
  return sql`
    WITH found AS MATERIALIZED (SELECT * FROM (${join(scans, ' UNION ALL ')}) scanned LIMIT ${most + 1}::int), raw AS (
      SELECT ${RAW_COLUMNS} FROM found h JOIN "Tenant" t ON t."id" = h."tenantId" AND t."historyEnabled"
      WHERE h."network" = ANY(${networks}::text[])
    ), ${cutTable(cutsOf(windows).filter(({ day }) => day === today))}, part AS (${RAW_PARTS}), ${SUMMED}
    SELECT ${SUMS} AS "sums", (SELECT count(*) FROM found) > ${most}::int AS "more"`
}

/** The index scans of a filter's rows. Only an owner's rows are in order by network; all others are filtered afterwards. */
export function scansOf(filter: TenantFilter, networks: readonly string[]): Sql[][] {
  if (!filter.owner) return wholeScansOf(filter)
  return networks.flatMap((network) => wholeScansOf({ ...filter, network }))
}

const RAW_COLUMNS = sql`
  (h."createdAt" AT TIME ZONE 'UTC')::date AS "day", ${slotColumn} AS "slot", h."network", h."symbol", ${reasonColumn} AS "reason", ${binOf} AS "bin",
  CASE WHEN h."success" THEN h."amount" ELSE 0 END AS "volume"`

const RAW_PARTS = sql`
  SELECT c."window", r."network", r."symbol", r."reason", r."bin", 1 AS "count", r."volume"
  FROM raw r JOIN cut c ON c."day" = r."day" AND r."slot" > c."before" AND r."slot" <= c."last"`

// The slots of a window on a UTC day: after `before`, up to `last`.
function cutTable(cuts: ReturnType<typeof cutsOf>): Sql {
  const columns = [cuts.map(({ window }) => window), cuts.map(({ day }) => day)] as const
  const slots = [cuts.map(({ lo }) => lo - 1), cuts.map(({ hi }) => hi - 1)] as const
  return sql`
    cut AS MATERIALIZED (
      SELECT * FROM unnest(${columns[0]}::int[], ${columns[1]}::date[], ${slots[0]}::smallint[], ${slots[1]}::smallint[])
        AS c("window", "day", "before", "last")
    )`
}

const SUMMED = sql`
  summed AS MATERIALIZED (
    SELECT "window", "network", "symbol", "reason", "bin", sum("count") AS "count", sum("volume") AS "volume" FROM part
    GROUP BY 1, 2, 3, 4, 5 HAVING sum("count") > 0
  )`

const SUMS = sql`
  json_build_object(
    'outcomes', (SELECT COALESCE(json_agg(o), '[]') FROM (
      SELECT "window", "network", "symbol", "reason", sum("count") AS "count", sum("volume")::text AS "volume" FROM summed GROUP BY 1, 2, 3, 4
    ) o),
    'settled', (SELECT COALESCE(json_agg(s), '[]') FROM (
      SELECT "window", "symbol", "bin", sum("count") AS "count" FROM summed WHERE "bin" >= 0 GROUP BY 1, 2, 3
    ) s)
  )`
