import type { TenantFilter } from '../accounts/tenant-queries'
import { dateAfter } from '../base/zones'
import type { Db } from '../db/database'
import { join, type Sql, sql } from '../db/sql'
import type { Statements } from '../db/statements'
import { USDC } from '../x402/networks/assets'
import { countingDailyPayers, countingPayers } from './payer-set-queries'
import { edgesOf, type Span } from './periods'
import { DIRTY, readingOf } from './stored-queries'
import { type CompletedQuery, completedQuery, type Groupings, type Sums, scansOf } from './sum-queries'
import { reasonColumn } from './time-queries'

/** Counts of settlements and of successes, and the volume of the successes as digits: of USDC, or of the one token. */
type ListedSums = { count: number; good: number; volume: string }

/** The same in the span before; null if unknown. */
type Compared = ListedSums & { before: ListedSums | null }

/** What a recipient received for a resource on a network. */
type ListedPlace = ListedSums & { resource: string; payTo: string; network: string }

/** A resource on all of its networks. `course`: its volume by steps of time, the number of steps before the last one as key. */
type ListedResource = Compared & { resource: string; networks: string[]; course: Record<string, string> }

/** A tenant with its sums. `name` is that of its key; `owner` a subject, a wallet, or the operator of kind `system`. */
type ListedTenant = Compared & { tenantId: string; name: string; ownerKind: string; owner: string }

type Payers = { payers: number; before: number }

/** The payers of a span and of the one before, and which resources led on which network. */
export type Places = Payers & { resources: ListedPlace[] }

/** The payers of a span and of the one before, and what led in it: the most by count, by volume and by failures. */
export type Lists = Payers & { resources: ListedResource[]; tenants: ListedTenant[] }

/** Up to this many lead by count, by volume and by failures. */
const LEADING = 25

/** What lists to read: of whom, of which networks and token (all if missing), in which span, and the span before it. */
type ListQuery = {
  filter: TenantFilter
  networks?: readonly string[] | undefined
  symbol?: string | undefined
  span: Span
  earlier: Span
}

/** Whether tenants are listed, and how many UTC days a step of a course has. */
type Wanted = { tenants: boolean; stepDays: number }

/** The lists of a span, in one statement. Whole UTC days are read from their sums, others from rows. */
export async function readLists(db: Statements, query: ListQuery, wanted: Wanted): Promise<Lists> {
  const [row] = await db.queryUnprepared<{ lists: Lists }>(listsQuery(query, wanted))
  if (!row) throw new Error('the database did not answer')
  return row.lists
}

/** Sums as `sumCompleted`, and what led in a span, in one statement and so at one moment. */
export async function sumWithPlaces<const By extends Groupings>(
  db: Db,
  completed: CompletedQuery,
  by: By,
  query: ListQuery,
): Promise<{ sums: Sums<By>; lists: Places }> {
  const [row] = await db.queryUnprepared<{ sums: Sums<By>; lists: Places }>`
    SELECT (${completedQuery(completed, by)}) AS "sums", (${placesQuery(query)}) AS "lists"`
  if (!row) throw new Error('the database did not answer')
  return row
}

/** Common table expressions that lists read. `since`: the first day of the span, `from`: that of the span before, `last`: the last day. */
function readingSpans({ filter, networks, symbol, span, earlier }: ListQuery) {
  const { days, edges, skipped } = edgesOf([earlier, span])
  // All days before it belong to the span before, as far as they are whole.
  const since = sql`${new Date(Math.ceil(span.from / 86_400_000) * 86_400_000).toISOString().slice(0, 10)}::date`
  const [from, last] = [sql`${days[0] ?? ''}::date`, days.at(-1) ?? '']
  const inSpan = ({ from, until }: Span) =>
    sql`(h."createdAt" >= ${new Date(from)}::timestamptz AND h."createdAt" < ${new Date(until)}::timestamptz)`
  const columns = sql`
    h."tenantId", h."createdAt", CASE WHEN ${inSpan(span)} THEN ${since} WHEN ${inSpan(earlier)} THEN ${since} - 1 END AS "day",
    h."network", h."symbol", h."resource", h."payTo", ${reasonColumn} AS "reason", h."payer", h."amount"`
  const reading = readingOf({
    filter,
    networks,
    symbol,
    from,
    until: sql`${dateAfter(last, 1)}::date`,
    due: DIRTY,
    edges,
    skipped,
    columns,
  })
  return { ...reading, since, from, last: sql`${last}::date` }
}

/** Sums of facts by when they were: all, or those of the span or of the one before. */
function summedOf(symbol: string | undefined, when: Sql = sql`true`): Sql {
  return sql`COALESCE(sum("count") FILTER (WHERE ${when}), 0)::bigint AS "count",
    COALESCE(sum("count") FILTER (WHERE "reason" = '' AND ${when}), 0)::bigint AS "good",
    COALESCE(sum("volume") FILTER (WHERE "symbol" = ${symbol ?? USDC.symbol} AND ${when}), 0) AS "volume"`
}

/** The statement of the places of `sumWithPlaces`. */
function placesQuery(query: ListQuery): Sql {
  const { ctes, storedSince, since, from } = readingSpans(query)
  const ordered = sql`"resource" COLLATE "C", "payTo" COLLATE "C", "network" COLLATE "C"`
  return sql`
    WITH ${ctes}, fact AS NOT MATERIALIZED (
      SELECT p."network", p."symbol", p."resource", p."payTo", p."errorReason" AS "reason", p."count"::bigint AS "count", p."volume"
      FROM ${storedSince(since)(sql`"RollupFact"`)}
      UNION ALL
      SELECT "network", "symbol", "resource", "payTo", "reason", 1, CASE WHEN "reason" = '' THEN "amount" ELSE 0 END FROM raw WHERE "day" = ${since}
    ), resource AS MATERIALIZED (
      SELECT "resource", "payTo", "network", ${summedOf(query.symbol)} FROM fact GROUP BY "resource", "payTo", "network"
    ), ${countingPayers(since, storedSince(from))}
    SELECT json_build_object(
      'payers', (SELECT "now" FROM payer), 'before', (SELECT "then" FROM payer),
      'resources', ${listOf(sql`"resource", "payTo", "network"`, leading(sql`resource`, ordered), ordered)}
    ) AS "lists"`
}

/** The statement of `readLists`. Of tenants only if asked: a merchant has few. */
function listsQuery(query: ListQuery, { tenants, stepDays }: Wanted): Sql {
  const { ctes, storedSince, since, from, last } = readingSpans(query)
  const summed = sql`sum("count")::bigint AS "count", sum("good")::bigint AS "good", sum("volume") AS "volume"`
  const compared = (then: Sql) =>
    sql`json_build_object('count', COALESCE(${then}."count", 0), 'good', COALESCE(${then}."good", 0), 'volume', COALESCE(${then}."volume", 0)::text) AS "before"`
  const byResource = sql`"resource" COLLATE "C"`
  // Facts of one reader need no copy.
  return sql`
    WITH ${ctes}, fact AS ${tenants ? sql`MATERIALIZED` : sql`NOT MATERIALIZED`} (
      SELECT p."tenantId", p."network", p."symbol", p."resource", p."errorReason" AS "reason", p."count"::bigint AS "count", p."volume",
        p."day" >= ${since} AS "now", (${last} - p."day") / ${stepDays}::int AS "step"
      FROM ${storedSince(from)(sql`"RollupFact"`)}
      UNION ALL
      SELECT "tenantId", "network", "symbol", "resource", "reason", 1, CASE WHEN "reason" = '' THEN "amount" ELSE 0 END,
        "day" = ${since}, (${last} - ("createdAt" AT TIME ZONE 'UTC')::date) / ${stepDays}::int
      FROM raw WHERE "day" IS NOT NULL
    ), part AS MATERIALIZED (
      SELECT "resource", "network", "now", CASE WHEN "now" THEN "step" END AS "step", ${summedOf(query.symbol)} FROM fact GROUP BY 1, 2, 3, 4
    ), resource AS MATERIALIZED (
      SELECT "resource", ${summed}, array_agg(DISTINCT "network") AS "networks" FROM part WHERE "now" GROUP BY "resource"
    ), leader AS MATERIALIZED (
      ${leading(sql`resource`, byResource)}
    ), earlier AS (
      SELECT "resource", ${summed} FROM part WHERE NOT "now" AND "resource" IN (SELECT "resource" FROM leader) GROUP BY "resource"
    ), course AS (
      SELECT "resource", json_object_agg("step", "volume"::text) AS "course" FROM (
        SELECT "resource", "step", sum("volume") AS "volume" FROM part WHERE "now" AND "resource" IN (SELECT "resource" FROM leader) GROUP BY 1, 2
      ) s GROUP BY "resource"
    ), shown AS (
      SELECT l.*, c."course", ${compared(sql`e`)} FROM leader l
      LEFT JOIN earlier e ON e."resource" = l."resource" LEFT JOIN course c ON c."resource" = l."resource"
    ), tenant AS MATERIALIZED (
      SELECT f.*, t."name", t."ownerKind", t."ownerId" AS "owner" FROM (
        SELECT "tenantId", ${summedOf(query.symbol, sql`"now"`)} FROM fact WHERE ${tenants} GROUP BY "tenantId" HAVING bool_or("now")
      ) f JOIN "Tenant" t ON t."id" = f."tenantId"
    ), past AS (
      SELECT "tenantId", ${summedOf(query.symbol, sql`NOT "now"`)} FROM fact WHERE ${tenants} GROUP BY "tenantId"
    ), known AS (
      SELECT l.*, ${compared(sql`e`)} FROM (${leading(sql`tenant`, sql`"tenantId"`)}) l LEFT JOIN past e ON e."tenantId" = l."tenantId"
    ), ${countingPayers(since, storedSince(from))}
    SELECT json_build_object(
      'payers', (SELECT "now" FROM payer), 'before', (SELECT "then" FROM payer),
      'resources', ${listOf(sql`"resource", "networks", "course", "before"`, sql`SELECT * FROM shown`, byResource)},
      'tenants', ${listOf(sql`"tenantId", "name", "ownerKind", "owner", "before"`, sql`SELECT * FROM known`, sql`"tenantId"`)}
    ) AS "lists"`
}

/** A payer with its sums and its latest settlement. */
type ListedPayer = Compared & { payer: string; last: string }

type NewestQuery = Pick<ListQuery, 'filter' | 'symbol' | 'span'> & { networks: readonly string[] }

/**
 * Who led among the newest settlements of a span, at most `most`. `more`: the span has older ones. What a payer came to before is known if
 * neither span has more.
 */
export async function readTopPayers(
  db: Statements,
  { earlier, ...query }: NewestQuery & { earlier: Span },
  most: number,
): Promise<{ payers: ListedPayer[]; more: boolean }> {
  const { networks, symbol } = query
  const columns = sql`"tenantId", "network", "symbol", "payer", "createdAt", "success", "amount"`
  const newest = (of: Span) => newestOf({ ...query, span: of }, columns, most + 1)
  const summed = sql`count(*) AS "count", count(*) FILTER (WHERE f."success") AS "good",
    COALESCE(sum(f."amount") FILTER (WHERE f."success" AND f."symbol" = ${symbol ?? USDC.symbol}), 0) AS "volume"`
  const counted = sql`
    JOIN "Tenant" t ON t."id" = f."tenantId" AND t."historyEnabled"
    WHERE f."network" = ANY(${networks}::text[]) AND ${symbol === undefined ? sql`true` : sql`f."symbol" = ${symbol}`}`
  const ordered = sql`"payer" COLLATE "C"`
  const [row] = await db.queryUnprepared<{ payers: ListedPayer[]; more: boolean }>`
    WITH found AS MATERIALIZED (${newest(query.span)}),
    -- A span with too many settlements cannot be compared, so the other one is not read.
    past AS MATERIALIZED (SELECT * FROM (${newest(earlier)}) p WHERE (SELECT count(*) FROM found) <= ${most}::int),
    payer AS MATERIALIZED (
      SELECT f."payer", ${summed}, max(f."createdAt") AS "last" FROM found f ${counted} AND f."payer" <> '' GROUP BY 1
    ), leader AS MATERIALIZED (
      ${leading(sql`payer`, ordered)}
    ), before AS (
      SELECT f."payer", ${summed} FROM past f ${counted} AND f."payer" IN (SELECT "payer" FROM leader) GROUP BY 1
    ), listed AS (
      SELECT l.*, CASE WHEN (SELECT count(*) FROM found) <= ${most}::int AND (SELECT count(*) FROM past) <= ${most}::int THEN
        json_build_object('count', COALESCE(b."count", 0), 'good', COALESCE(b."good", 0), 'volume', COALESCE(b."volume", 0)::text) END AS "before"
      FROM leader l LEFT JOIN before b ON b."payer" = l."payer"
    )
    SELECT ${listOf(sql`"payer", "last", "before"`, sql`SELECT * FROM listed`, ordered)} AS "payers",
      (SELECT count(*) FROM found) > ${most}::int AS "more"`
  if (!row) throw new Error('the database did not answer')
  return row
}

/** The newest rows of a span, at most `most`, before their networks, their token and the choice of their tenants are checked. */
function newestOf({ filter, networks, span }: NewestQuery, columns: Sql, most: number): Sql {
  const scans = scansOf(filter, networks).map((conditions) => {
    const range = sql`"createdAt" >= ${new Date(span.from)}::timestamptz AND "createdAt" < ${new Date(span.until)}::timestamptz`
    return sql`
      (SELECT ${columns} FROM "History" WHERE ${join([...conditions, range], ' AND ')} ORDER BY "createdAt" DESC, "id" DESC LIMIT ${most}::int)`
  })
  return sql`SELECT * FROM (${join(scans, ' UNION ALL ')}) scanned ORDER BY "createdAt" DESC LIMIT ${most}::int`
}

/** A settlement or a failure, as a small receipt shows it. The amount is digits of atomic units. */
type NewestRow = {
  id: string
  createdAt: Date
  network: string
  symbol: string
  amount: string
  success: boolean
  errorReason: string | null
  payer: string
  resource: string
}

/** Among this many of the newest rows those are found that a reader may see. */
const SEARCHED = 1_000

/** The newest settlements and failures of a span, newest first, at most `most`. */
export function readNewest(db: Statements, query: NewestQuery, most: number): Promise<NewestRow[]> {
  const columns = sql`
    "id", "tenantId", "createdAt", "network", "symbol", "amount"::text AS "amount", "success", "errorReason", "payer", "resource"`
  return db.queryUnprepared<NewestRow>`
    SELECT f."id", f."createdAt", f."network", f."symbol", f."amount", f."success", f."errorReason", f."payer", f."resource"
    FROM (${newestOf(query, columns, SEARCHED)}) f JOIN "Tenant" t ON t."id" = f."tenantId" AND t."historyEnabled"
    WHERE f."network" = ANY(${query.networks}::text[]) AND ${query.symbol === undefined ? sql`true` : sql`f."symbol" = ${query.symbol}`}
    ORDER BY f."createdAt" DESC, f."id" DESC LIMIT ${most}::int`
}

/** The groups that lead by count, by volume or by failures; ties go by `order`. */
function leading(groups: Sql, order: Sql): Sql {
  const by = (figure: Sql) => sql`(SELECT * FROM ${groups} ORDER BY ${figure} DESC, ${order} LIMIT ${LEADING}::int)`
  return sql`${by(sql`"count"`)} UNION ${by(sql`"volume"`)} UNION ${by(sql`"count" - "good"`)}`
}

/** Groups with their sums as JSON, the most frequent first. */
function listOf(keys: Sql, groups: Sql, order: Sql): Sql {
  return sql`
    (SELECT COALESCE(json_agg(listed), '[]') FROM (
      SELECT ${keys}, "count", "good", "volume"::text AS "volume" FROM (${groups}) g ORDER BY "count" DESC, ${order}
    ) listed)`
}

/** Who paid on each UTC day from `first` up to `end`, which is excluded: how many. */
export async function countDailyPayers(
  db: Statements,
  { filter, networks, symbol, first, end }: Pick<ListQuery, 'filter' | 'networks' | 'symbol'> & { first: string; end: string },
): Promise<{ day: string; payers: number }[]> {
  const from = sql`${first}::date`
  const columns = sql`(h."createdAt" AT TIME ZONE 'UTC')::date AS "day", h."payer"`
  const { ctes, storedSince } = readingOf({
    filter,
    networks,
    symbol,
    from,
    until: sql`${end}::date`,
    due: DIRTY,
    columns,
  })
  return db.queryUnprepared<{ day: string; payers: number }>`
    WITH ${ctes}, ${countingDailyPayers(storedSince(from))}
    SELECT "day"::text AS "day", "payers" FROM daily ORDER BY 1`
}
