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

type ListedResource = ListedSums & { resource: string; payTo: string; network: string }

/** A tenant with its sums. `name` is that of its key; `owner` a subject, a wallet, or the operator of kind `system`. */
type ListedTenant = ListedSums & { tenantId: string; name: string; ownerKind: string; owner: string }

/** The payers of a span and of the one before, and what led in it: the most by count, by volume and by failures. */
export type Lists = { payers: number; before: number; resources: ListedResource[]; tenants: ListedTenant[] }

/** Up to this many lead by count, by volume and by failures. */
const LEADING = 25

/** What lists to read: of whom, of which networks and token (all if missing), in which span, and the span before it. */
type ListQuery = {
  filter: TenantFilter
  networks?: readonly string[] | undefined
  symbol?: string | undefined
  span: Span
  earlier: Span
  tenants: boolean
}

/** The lists of a span, in one statement. Whole UTC days are read from their sums, others from rows. */
export async function readLists(db: Statements, query: ListQuery): Promise<Lists> {
  const [row] = await db.queryUnprepared<{ lists: Lists }>(listsQuery(query))
  if (!row) throw new Error('the database did not answer')
  return row.lists
}

/** Sums as `sumCompleted`, and lists as `readLists`, in one statement and so at one moment. */
export async function sumWithLists<const By extends Groupings>(
  db: Db,
  completed: CompletedQuery,
  by: By,
  query: ListQuery,
): Promise<{ sums: Sums<By>; lists: Lists }> {
  const [row] = await db.queryUnprepared<{ sums: Sums<By>; lists: Lists }>`
    SELECT (${completedQuery(completed, by)}) AS "sums", (${listsQuery(query)}) AS "lists"`
  if (!row) throw new Error('the database did not answer')
  return row
}

/** The statement of `readLists`. Of tenants only if asked: a merchant has few. */
function listsQuery({ filter, networks, symbol, span, earlier, tenants }: ListQuery): Sql {
  const { days, edges } = edgesOf([earlier, span])
  // All days before it belong to the span before, as far as they are whole.
  const since = sql`${new Date(Math.ceil(span.from / 86_400_000) * 86_400_000).toISOString().slice(0, 10)}::date`
  const from = sql`${days[0] ?? ''}::date`
  const inSpan = ({ from, until }: Span) =>
    sql`(h."createdAt" >= ${new Date(from)}::timestamptz AND h."createdAt" < ${new Date(until)}::timestamptz)`
  const columns = sql`
    h."tenantId", h."createdAt", CASE WHEN ${inSpan(span)} THEN ${since} WHEN ${inSpan(earlier)} THEN ${since} - 1 END AS "day",
    h."network", h."symbol", h."resource", h."payTo", ${reasonColumn} AS "reason", h."payer", h."amount"`
  const { ctes, storedSince } = readingOf({
    filter,
    networks,
    symbol,
    from,
    until: sql`${dateAfter(days.at(-1) ?? '', 1)}::date`,
    due: DIRTY,
    edges,
    columns,
  })
  const summed = sql`sum("count")::bigint AS "count", COALESCE(sum("count") FILTER (WHERE "reason" = ''), 0)::bigint AS "good",
    COALESCE(sum("volume") FILTER (WHERE "symbol" = ${symbol ?? USDC.symbol}), 0) AS "volume"`
  // Facts of one reader need no copy.
  return sql`
    WITH ${ctes}, fact AS ${tenants ? sql`MATERIALIZED` : sql`NOT MATERIALIZED`} (
      SELECT p."tenantId", p."network", p."symbol", p."resource", p."payTo", p."errorReason" AS "reason", p."count"::bigint AS "count", p."volume"
      FROM ${storedSince(since)(sql`"RollupFact"`)}
      UNION ALL
      SELECT "tenantId", "network", "symbol", "resource", "payTo", "reason", 1, CASE WHEN "reason" = '' THEN "amount" ELSE 0 END FROM raw WHERE "day" = ${since}
    ), resource AS MATERIALIZED (
      SELECT "resource", "payTo", "network", ${summed} FROM fact GROUP BY "resource", "payTo", "network"
    ), tenant AS MATERIALIZED (
      SELECT f.*, t."name", t."ownerKind", t."ownerId" AS "owner" FROM (
        SELECT "tenantId", ${summed} FROM fact WHERE ${tenants} GROUP BY "tenantId"
      ) f JOIN "Tenant" t ON t."id" = f."tenantId"
    ), ${countingPayers(since, storedSince(from))}
    SELECT json_build_object(
      'payers', (SELECT "now" FROM payer), 'before', (SELECT "then" FROM payer),
      'resources', ${leading(sql`"resource", "payTo", "network"`, sql`resource`, sql`"resource" COLLATE "C", "payTo" COLLATE "C", "network" COLLATE "C"`)},
      'tenants', ${leading(sql`"tenantId", "name", "ownerKind", "owner"`, sql`tenant`, sql`"tenantId"`)}
    ) AS "lists"`
}

/** A payer with its sums and its latest settlement. */
type ListedPayer = ListedSums & { payer: string; last: string }

/** Who led among the newest settlements of a span, at most `most`. `more`: the span has older ones. */
export async function readTopPayers(
  db: Statements,
  { filter, networks, symbol, span }: Pick<ListQuery, 'filter' | 'symbol' | 'span'> & { networks: readonly string[] },
  most: number,
): Promise<{ payers: ListedPayer[]; more: boolean }> {
  const scans = scansOf(filter, networks).map((conditions) => {
    const range = sql`"createdAt" >= ${new Date(span.from)}::timestamptz AND "createdAt" < ${new Date(span.until)}::timestamptz`
    return sql`
      (SELECT "tenantId", "network", "symbol", "payer", "createdAt", "success", "amount" FROM "History" WHERE ${join([...conditions, range], ' AND ')}
       ORDER BY "createdAt" DESC, "id" DESC LIMIT ${most + 1}::int)`
  })
  const [row] = await db.queryUnprepared<{ payers: ListedPayer[]; more: boolean }>`
    WITH found AS MATERIALIZED (
      SELECT * FROM (${join(scans, ' UNION ALL ')}) scanned ORDER BY "createdAt" DESC LIMIT ${most + 1}::int
    ), payer AS MATERIALIZED (
      SELECT f."payer", count(*) AS "count", count(*) FILTER (WHERE f."success") AS "good",
        COALESCE(sum(f."amount") FILTER (WHERE f."success" AND f."symbol" = ${symbol ?? USDC.symbol}), 0) AS "volume", max(f."createdAt") AS "last"
      FROM found f JOIN "Tenant" t ON t."id" = f."tenantId" AND t."historyEnabled"
      WHERE f."network" = ANY(${networks}::text[]) AND ${symbol === undefined ? sql`true` : sql`f."symbol" = ${symbol}`} AND f."payer" <> '' GROUP BY 1
    )
    SELECT ${leading(sql`"payer", "last"`, sql`payer`, sql`"payer" COLLATE "C"`)} AS "payers",
      (SELECT count(*) FROM found) > ${most}::int AS "more"`
  if (!row) throw new Error('the database did not answer')
  return row
}

/** The groups that lead by count, by volume or by failures; ties go by `order`. */
function leading(keys: Sql, groups: Sql, order: Sql): Sql {
  const by = (figure: Sql) => sql`(SELECT * FROM ${groups} ORDER BY ${figure} DESC, ${order} LIMIT ${LEADING}::int)`
  return sql`
    (SELECT COALESCE(json_agg(listed), '[]') FROM (
      SELECT ${keys}, "count", "good", "volume"::text AS "volume" FROM (
        ${by(sql`"count"`)} UNION ${by(sql`"volume"`)} UNION ${by(sql`"count" - "good"`)}
      ) g ORDER BY "count" DESC, ${order}
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
