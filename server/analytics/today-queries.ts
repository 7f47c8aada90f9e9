import { ownershipsOf } from '../accounts/tenant-queries'
import type { Db } from '../db/database'
import { join, type Sql, sql } from '../db/sql'
import { conditionsOf } from '../history/queries'
import { networkIds } from '../x402/networks'
import type { TenantFilter } from './queries'
import { beginOf } from './rollup-queries'

/**
 * What a UTC day (`YYYY-MM-DD`) came to so far; the volume is digits of atomic units of what settled. With `more` it is at least that: there
 * were more rows than anybody counts while somebody waits.
 */
export type TodaySums = { day: string; settled: number; failed: number; volume: string; more: boolean }

const TODAY = sql`(now() AT TIME ZONE 'UTC')::date`

/** Sums the day up that is not over yet, on some networks, of at most so many rows. Keys whose flag is off now are left out. */
export async function sumToday(db: Db, filter: TenantFilter, networks: readonly string[], most: number): Promise<TodaySums> {
  const [row] = await db.queryUnprepared<TodaySums>(todayQuery(filter, networks, most))
  if (!row) throw new Error('the database did not answer')
  return row
}

/** The statement behind `sumToday`. It looks at no more rows than it may count, whatever else was settled. */
export function todayQuery(filter: TenantFilter, networks: readonly string[], most: number): Sql {
  const scans = scansOf(filter, networks).map((conditions) => {
    // In order, so that it is read from the index that ends where the count does, and nothing is gathered first.
    const today = sql`"createdAt" >= ${beginOf(TODAY)}`
    return sql`(SELECT "tenantId", "network", "success", "amount" FROM "History" WHERE ${join([...conditions, today], ' AND ')} ORDER BY "createdAt" DESC, "id" DESC LIMIT ${most + 1}::int)`
  })
  return sql`
    WITH found AS MATERIALIZED (SELECT * FROM (${join(scans, ' UNION ALL ')}) scanned LIMIT ${most + 1}::int)
    SELECT ${TODAY}::text AS "day", (SELECT count(*) FROM found) > ${most}::int AS "more",
      count(*) FILTER (WHERE f."success")::int AS "settled", count(*) FILTER (WHERE NOT f."success")::int AS "failed",
      COALESCE(sum(f."amount") FILTER (WHERE f."success"), 0)::text AS "volume"
    FROM found f JOIN "Tenant" t ON t."id" = f."tenantId" AND t."historyEnabled"
    WHERE f."network" = ANY(${networks}::text[])`
}

// Only an owner's rows are in order by network: of others all networks are counted, and those asked for are taken out of them.
function scansOf(filter: TenantFilter, networks: readonly string[]): Sql[][] {
  if (!filter.owner) return conditionsOf(filter)
  return networks.flatMap((network) => conditionsOf({ ...filter, network }))
}

/** So many of the newest settlements show where a facilitator, or a key, is at work. */
const NEWEST = 1_000

/** The networks on which an owner ever settled; without an owner, those of the newest settlements. */
export async function networksUsed(db: Db, { owner, tenantId }: TenantFilter): Promise<string[]> {
  const rows = owner
    ? await db.queryUnprepared<{ network: string }>`
        SELECT n."network" FROM unnest(${[...networkIds]}::text[]) AS n("network") WHERE ${join(
          ownershipsOf(owner).map(
            (ownership) => sql`EXISTS (SELECT FROM "History" h WHERE ${ownership} AND h."network" = n."network")`,
          ),
          ' OR ',
        )}`
    : await db.queryUnprepared<{ network: string }>`
        SELECT DISTINCT "network" FROM (
          SELECT "network" FROM "History" WHERE ${tenantId === undefined ? sql`true` : sql`"tenantId" = ${tenantId}::uuid`}
          ORDER BY "createdAt" DESC, "id" DESC LIMIT ${NEWEST}::int
        ) newest`
  return rows.map(({ network }) => network)
}
