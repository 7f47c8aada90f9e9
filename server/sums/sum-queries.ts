import type { TenantFilter } from '../accounts/tenant-queries'
import { slotMs } from '../base/zones'
import { type Db, SUMS_MS } from '../db/database'
import { join, type Sql, sql } from '../db/sql'
import type { Statements } from '../db/statements'
import { wholeScansOf } from '../history/list-queries'
import { acceptedOf, SAFE_WATERMARK } from '../history/queries'
import { cutsOf, type Span } from './periods'
import { beginOf } from './rollup-queries'
import { NEVER, readingOf, UNTIMED } from './stored-queries'
import { binOf, reasonColumn, slotColumn, tierColumn } from './time-queries'

/** What sums are by: `reason` is empty for successes, `bin` is that of the settle time, -1 if unknown and in failures. */
type Facts = { network: string; symbol: string; tier: string; accepted: boolean; reason: string; bin: number }

type Fact = keyof Facts

/** How many settlements a window (by its place) has of each kind, and the volume of the successes as digits. */
type Sum<By extends Fact> = Pick<Facts, By> & { window: number; count: number; volume: string }

/** Groupings of sums by their names, and what each list is by. */
export type Groupings = Readonly<Record<string, readonly Fact[]>>

/** The sums of such lists, in no order. */
export type Sums<By extends Groupings> = { [Name in keyof By]: Sum<By[Name][number]>[] }

/** What to sum: whose settlements, on which networks (all if missing), in which windows. */
export type SumQuery = { filter: TenantFilter; networks?: readonly string[] | undefined; windows: readonly Span[] }

/** The state to read before sums: the UTC day (`YYYY-MM-DD`), its instant now, whether earlier days are settled, and the epoch. */
export type Clock = { today: string; now: number; settled: boolean; epoch: string }

/** Reads sums that agree with each other: all statements of `read` see the rows of one moment. */
export function atOneMoment<Result>(db: Db, read: (within: Statements) => Promise<Result>): Promise<Result> {
  const reading = async (within: Statements) => {
    await within.execute`SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY`
    return read(within)
  }
  return db.transaction(reading, { timeoutMs: SUMS_MS })
}

/** Reads the clock of the database and the epoch of a scope. A change after this has another epoch. */
export async function readAnalyticsClock(db: Statements, epochScope: string): Promise<Clock> {
  const [row] = await db.query<Clock>`
    SELECT (now() AT TIME ZONE 'UTC')::date::text AS "today", (extract(epoch FROM now()) * 1000)::float8 AS "now",
      "begin" <= ${SAFE_WATERMARK} AS "settled",
      COALESCE((SELECT "epoch" FROM "AnalyticsEpoch" WHERE "scope" = ${epochScope}), 0)::text AS "epoch"
    FROM (SELECT ${beginOf(sql`(now() AT TIME ZONE 'UTC')::date`)} AS "begin") today`
  if (!row) throw new Error('the database did not return its time')
  return row
}

/**
 * Of all tokens, or of one by its symbol. `until`: the first UTC day that is not summed. `storedOnly`: no rows of days before `RollupCursor`
 * are read, and days without sums are missing.
 */
export type CompletedQuery = SumQuery & { symbol?: string | undefined; until: string; storedOnly?: boolean }

/** Sums the parts of windows on completed UTC days, in one statement: from stored sums where they are right, else from rows. */
export async function sumCompleted<const By extends Groupings>(db: Statements, query: CompletedQuery, by: By): Promise<Sums<By>> {
  const [row] = await db.queryUnprepared<{ sums: Sums<By> }>(completedQuery(query, by))
  if (!row) throw new Error('the database did not answer')
  return row.sums
}

/** The statement of `sumCompleted`. Windows must not be empty. */
export function completedQuery(
  { filter, networks, symbol, windows, until, storedOnly = false }: CompletedQuery,
  by: Groupings,
): Sql {
  const cuts = cutsOf(windows)
  const facts = factsOf(by)
  const stored = join(
    facts.map((fact) => STORED[fact]),
    ', ',
  )
  const from = sql`${cuts.map(({ day }) => day).toSorted()[0] ?? until}::date`
  const { ctes, storedSince } = readingOf({
    filter,
    networks,
    symbol,
    from,
    until: sql`${until}::date`,
    due: storedOnly ? NEVER : UNTIMED,
    columns: rawColumns(facts),
  })
  // Most parts of windows are whole days, whose sums are the last ones.
  const upTo = (sums: Sql) => sql`
    COALESCE(${sums}[CASE WHEN c."last" = ${LAST_SLOT}::int THEN cardinality(${sums}) ELSE width_bucket(c."last", p."slots") END], 0)`
  const before = (sums: Sql) => sql`
    CASE WHEN c."before" < 0 THEN 0 ELSE COALESCE(${sums}[width_bucket(c."before", p."slots")], 0) END`
  const between = (sums: Sql) => sql`${upTo(sums)} - ${before(sums)}`
  return sql`
    WITH ${ctes}, ${cutTable(cuts)}, part AS (
      SELECT c."window", ${stored}, ${between(sql`p."counts"`)} AS "count", ${between(sql`p."volumes"`)} AS "volume"
      FROM ${storedSince(from)(sql`"RollupTime"`)} JOIN cut c ON c."day" = p."day"
      UNION ALL
      ${rawParts(facts)}
    ), ${summedBy(facts)}
    SELECT ${listed(by)} AS "sums"`
}

/** `oldest`: the time of the oldest row that was read. `more`: there were more, so the sums are a minimum. */
type Newest<By extends Groupings> = { sums: Sums<By>; oldest: Date | null; more: boolean }

/** Sums rows by window: the newest since an instant, at most `most` of them. Rows since that instant must be in windows. */
export async function sumNewest<const By extends Groupings>(
  db: Statements,
  query: SumQuery & { since: number },
  by: By,
  most: number,
): Promise<Newest<By>> {
  const [row] = await db.queryUnprepared<Newest<By>>(newestQuery(query, by, most))
  if (!row) throw new Error('the database did not answer')
  return row
}

/** The statement of `sumNewest`. It reads no more rows than it may count. */
export function newestQuery(
  { filter, networks, windows, since }: SumQuery & { since: number },
  by: Groupings,
  most: number,
): Sql {
  const facts = factsOf(by)
  const scans = scansOf(filter, networks).map((conditions) => {
    // In order, so that it is read from the index that ends where the count does, and nothing is gathered first.
    const range = sql`"createdAt" >= ${new Date(since)}::timestamptz`
    return sql`(SELECT * FROM "History" WHERE ${join([...conditions, range], ' AND ')} ORDER BY "createdAt" DESC, "id" DESC LIMIT ${most + 1}::int)`
  })
  const first = new Date(since).toISOString().slice(0, 10)
  return sql`
    WITH found AS MATERIALIZED (SELECT * FROM (${join(scans, ' UNION ALL ')}) scanned LIMIT ${most + 1}::int), raw AS (
      SELECT ${rawColumns(facts)} FROM found h JOIN "Tenant" t ON t."id" = h."tenantId" AND t."historyEnabled"
      WHERE ${networks ? sql`h."network" = ANY(${networks}::text[])` : sql`true`}
    ), ${cutTable(cutsOf(windows).filter(({ day }) => day >= first))}, part AS (${rawParts(facts)}), ${summedBy(facts)}
    SELECT ${listed(by)} AS "sums", count(*) > ${most}::int AS "more", min("createdAt") AS "oldest" FROM found`
}

/** The index scans of a filter's rows. Only an owner's rows are in order by network; all others are filtered afterwards. */
export function scansOf(filter: TenantFilter, networks: readonly string[] | undefined): Sql[][] {
  if (!filter.owner || !networks) return wholeScansOf(filter)
  return networks.flatMap((network) => wholeScansOf({ ...filter, network }))
}

/** The last slot of a day. */
const LAST_SLOT = 86_400_000 / slotMs - 1

const factsOf = (by: Groupings): Fact[] => [...new Set(Object.values(by).flat())]

// Of the sums by time, named `p`, of a tenant, named `s`. Those of earlier versions have no tier.
const STORED: Record<Fact, Sql> = {
  network: sql`p."network"`,
  symbol: sql`p."symbol"`,
  tier: sql`COALESCE(NULLIF(p."tier", ''), CASE WHEN s."plan" = 'sandbox' THEN 'sandbox' ELSE 'standard' END) AS "tier"`,
  accepted: sql`p."accepted"`,
  reason: sql`p."errorReason" AS "reason"`,
  bin: sql`p."bin"`,
}

// Of a history row, named `h`.
const RAW: Record<Fact, Sql> = {
  network: sql`h."network"`,
  symbol: sql`h."symbol"`,
  tier: sql`${tierColumn} AS "tier"`,
  accepted: sql`${acceptedOf} AS "accepted"`,
  reason: sql`${reasonColumn} AS "reason"`,
  bin: sql`${binOf} AS "bin"`,
}

const NAMES: Record<Fact, Sql> = {
  network: sql`"network"`,
  symbol: sql`"symbol"`,
  tier: sql`"tier"`,
  accepted: sql`"accepted"`,
  reason: sql`"reason"`,
  bin: sql`"bin"`,
}

const namesOf = (facts: readonly Fact[]) => join([sql`"window"`, ...facts.map((fact) => NAMES[fact])], ', ')

const rawColumns = (facts: readonly Fact[]) => sql`
  (h."createdAt" AT TIME ZONE 'UTC')::date AS "day", ${slotColumn} AS "slot", ${join(
    facts.map((fact) => RAW[fact]),
    ', ',
  )},
  CASE WHEN h."success" THEN h."amount" ELSE 0 END AS "volume"`

const rawParts = (facts: readonly Fact[]) => sql`
  SELECT ${namesOf(facts)}, 1 AS "count", r."volume"
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

const summedBy = (facts: readonly Fact[]) => sql`
  summed AS MATERIALIZED (
    SELECT ${namesOf(facts)}, sum("count") AS "count", sum("volume") AS "volume" FROM part GROUP BY ${namesOf(facts)} HAVING sum("count") > 0
  )`

function listed(by: Groupings): Sql {
  const lists = Object.entries(by).map(([name, facts]) => {
    const sums = sql`SELECT ${namesOf(facts)}, sum("count") AS "count", sum("volume")::text AS "volume" FROM summed GROUP BY ${namesOf(facts)}`
    return sql`${name}::text, (SELECT COALESCE(json_agg(l), '[]') FROM (${sums}) l)`
  })
  return sql`json_build_object(${join(lists, ', ')})`
}
