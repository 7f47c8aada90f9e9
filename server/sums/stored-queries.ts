import { ownershipsOf, type TenantFilter } from '../accounts/tenant-queries'
import { empty, join, type Sql, sql } from '../db/sql'
import { beginOf, CURSOR } from './rollup-queries'

/** What to read: the UTC days from `from` up to `until`, which is excluded (date expressions). */
export type Reading = {
  filter: TenantFilter
  from: Sql
  until: Sql
  /** All networks if missing. */
  networks?: readonly string[] | undefined
  /** The only token, by its symbol; all if missing. */
  symbol?: string | undefined
  /** Which days of `RollupDay`, named `d`, are read from their rows. */
  due: Sql
  /** Days (`YYYY-MM-DD`) to read from their rows although their sums are right. */
  edges?: readonly string[]
  /** Days (`YYYY-MM-DD`) whose sums are not read. */
  skipped?: readonly string[]
  /** What `raw` selects from history rows, named `h`. */
  columns: Sql
}

/**
 * Common table expressions that a sum reads: `scope`, the tenants whose history is on, and `raw`, the rows of days without right sums.
 * `storedSince` joins a table of sums, named `p`, from a day on.
 */
export function readingOf({ filter, from, until, networks, symbol, due, edges, skipped = [], columns }: Reading) {
  const of = (table: Sql) => (symbol === undefined ? empty : sql`AND ${table}."symbol" = ${symbol}`)
  const on = (table: Sql) =>
    networks === undefined ? sql`true ${of(table)}` : sql`${table}."network" = ANY(${networks}::text[]) ${of(table)}`
  const h = sql`h`
  // The planner cannot estimate a comparison with the cursor: IS TRUE keeps it out of the choice of an index.
  const rolled = (day: Sql) => sql`${day} < ${until} AND (${day} < ${CURSOR}) IS TRUE`
  const dueDays = sql`
    SELECT d."day" FROM "RollupDay" d WHERE d."tenantId" = "Tenant"."id" AND ${due} AND d."day" >= ${from} AND ${rolled(sql`d."day"`)}`
  const readDays = edges
    ? sql`${dueDays} UNION SELECT e."day" FROM unnest(${edges}::date[]) AS e("day") WHERE e."day" >= ${from} AND ${rolled(sql`e."day"`)}`
    : dueDays
  const ctes = sql`
    scope AS MATERIALIZED (
      SELECT "id", "plan", ARRAY(${readDays}) AS "read" FROM "Tenant" WHERE "historyEnabled" AND ${tenantCondition(filter)}
    ), raw AS MATERIALIZED (
      SELECT ${columns} FROM scope s JOIN "History" h ON h."tenantId" = s."id"
      WHERE h."createdAt" >= ${beginOf(sql`GREATEST(${from}, ${CURSOR})`)} AND h."createdAt" < ${beginOf(until)} AND ${on(h)}
      UNION ALL
      SELECT h.* FROM scope s CROSS JOIN unnest(s."read") AS d("day") CROSS JOIN LATERAL (
        SELECT ${columns} FROM "History" h WHERE h."tenantId" = s."id"
          AND h."createdAt" >= ${beginOf(sql`d."day"`)} AND h."createdAt" < ${beginOf(sql`d."day" + 1`)} AND ${on(h)} OFFSET 0
      ) h
    )`
  const known = (day: Sql) => (skipped.length === 0 ? sql`true` : sql`${day} <> ALL (${skipped}::date[])`)
  // OFFSET 0 makes it one index range per tenant. A day that is read from its rows may have older sums.
  const storedSince = (first: Sql) => (table: Sql) =>
    sql`
    scope s CROSS JOIN LATERAL (
      SELECT * FROM ${table} r WHERE r."tenantId" = s."id" AND r."day" >= ${first} AND ${rolled(sql`r."day"`)} AND r."day" <> ALL (s."read") AND ${known(sql`r."day"`)} AND ${on(sql`r`)} OFFSET 0
    ) p`
  return { ctes, storedSince }
}

/** The tenants of a filter, as a condition on "Tenant". */
export function tenantCondition({ owner, tenantId }: TenantFilter): Sql {
  const conditions = [
    ...(owner ? [sql`(${join(ownershipsOf(owner, 'Tenant'), ' OR ')})`] : []),
    ...(tenantId === undefined ? [] : [sql`"id" = ${tenantId}::uuid`]),
    sql`true`,
  ]
  return join(conditions, ' AND ')
}

/** Days to read from their rows, where the sums of earlier versions are good enough otherwise. */
export const DIRTY = sql`d."state" = 'dirty'`

/** Days without right sums by time. */
export const UNTIMED = sql`d."state" <> 'rolled'`

/** No days: only stored sums are read. */
export const NEVER = sql`false`
