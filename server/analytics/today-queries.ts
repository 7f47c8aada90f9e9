import type { TenantFilter } from '../accounts/tenant-queries'
import { ownershipsOf } from '../accounts/tenant-queries'
import type { Db } from '../db/database'
import { join, type Sql, sql } from '../db/sql'
import { conditionsOf } from '../history/queries'
import { networkIds } from '../x402/networks'
import { beginOf } from './rollup-queries'

/**
 * The sums of a UTC day (`YYYY-MM-DD`) so far; the volume is digits of atomic units of successes. `more`: there were more rows than the
 * limit, so the sums are a minimum.
 */
export type TodaySums = { day: string; settled: number; failed: number; volume: string; more: boolean }

const TODAY = sql`(now() AT TIME ZONE 'UTC')::date`

/** Sums today on some networks, over at most so many rows. Keys that have switched their history off are excluded. */
export async function sumToday(db: Db, filter: TenantFilter, networks: readonly string[], most: number): Promise<TodaySums> {
  const [row] = await db.queryUnprepared<TodaySums>(todayQuery(filter, networks, most))
  if (!row) throw new Error('the database did not answer')
  return row
}

/** The statement of `sumToday`. It reads no more rows than it may count. */
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

// Only an owner's rows are in order by network; without an owner all networks are counted and then filtered.
function scansOf(filter: TenantFilter, networks: readonly string[]): Sql[][] {
  if (!filter.owner) return conditionsOf(filter)
  return networks.flatMap((network) => conditionsOf({ ...filter, network }))
}

/** This many of the newest settlements show where a facilitator or a key is active. */
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
