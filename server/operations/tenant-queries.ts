import { chosenTenants, type TenantChoice } from '../accounts/tenant-queries'
import type { Db } from '../db/database'
import { empty, sql } from '../db/sql'
import { settledSums } from '../sums/key-activity-queries'
import type { TenantOrder } from './tenant-orders'

/** The UTC days that figures of tenants count, on these networks. */
type TenantPeriod = { days: number; networks: readonly string[] }

type Asked = TenantPeriod & {
  choice: TenantChoice
  order: TenantOrder
  /** What one unit of gas of each network weighs in the order. */
  weights: readonly string[]
  /** The last tenant of the page before, with its value. */
  after: RankedTenant | null
  limit: number
}

/** A tenant and the value that it is ordered by: digits, perhaps with a fraction; 0 in the order of creation. */
type RankedTenant = { id: string; value: string }

const TODAY = sql`(now() AT TIME ZONE 'UTC')::date`

/** The tenants of a choice by an order, after one of them. */
export function rankTenants(db: Db, { choice, order, days, networks, weights, after, limit }: Asked): Promise<RankedTenant[]> {
  const settled = sql`CROSS JOIN LATERAL (${settledSums(sql`t."id"`, days, networks)}) s`
  const values = {
    newest: { value: sql`0::numeric`, from: empty },
    settled: { value: sql`s."count"::numeric`, from: settled },
    volume: { value: sql`s."volume"`, from: settled },
    gas: {
      value: sql`COALESCE(g."cost", 0)`,
      from: sql`
        LEFT JOIN (
          SELECT p."tenantId", sum(p."spent" * w."weight") AS "cost"
          FROM "SponsorSpend" p JOIN unnest(${networks}::text[], ${weights}::numeric[]) AS w("network", "weight") ON w."network" = p."network"
          WHERE p."day" > ${TODAY} - ${days}::int GROUP BY p."tenantId"
        ) g ON g."tenantId" = t."id"`,
    },
  }
  const { value, from } = values[order]
  const later = after === null ? sql`true` : sql`(r."value", r."id") < (${after.value}::numeric, ${after.id}::uuid)`
  return db.queryUnprepared<RankedTenant>`
    SELECT r."id", r."value"::text AS "value" FROM (
      SELECT t."id", ${value} AS "value" FROM "Tenant" t ${from} WHERE ${chosenTenants(choice)}
    ) r WHERE ${later} ORDER BY r."value" DESC, r."id" DESC LIMIT ${limit}::int`
}

/** The gas of a tenant on a network, in its smallest unit. */
type TenantGas = { tenantId: string; network: string; spent: string }

/** What the gas of each of these tenants cost in the last UTC days, today included. */
export function readTenantGas(db: Db, tenantIds: readonly string[], { days, networks }: TenantPeriod): Promise<TenantGas[]> {
  return db.queryUnprepared<TenantGas>`
    SELECT "tenantId", "network", sum("spent")::text AS "spent" FROM "SponsorSpend"
    WHERE "tenantId" = ANY(${tenantIds}::uuid[]) AND "network" = ANY(${networks}::text[]) AND "day" > ${TODAY} - ${days}::int
    GROUP BY 1, 2 HAVING sum("spent") > 0 ORDER BY 1, 2`
}

/** How many live keys share the quota, and so the price, of each owner's plan. */
export function countSharers(
  db: Db,
  owners: readonly { kind: string; id: string }[],
): Promise<{ ownerKind: string; ownerId: string; plan: string; count: number }[]> {
  const [kinds, ids] = [owners.map(({ kind }) => kind), owners.map(({ id }) => id)]
  return db.queryUnprepared`
    SELECT t."ownerKind", t."ownerId", t."plan", count(*)::int AS "count"
    FROM (SELECT DISTINCT * FROM unnest(${kinds}::text[], ${ids}::text[]) AS o("kind", "id")) o
    JOIN "Tenant" t ON t."ownerKind" = o."kind" AND t."ownerId" = o."id" AND t."revokedAt" IS NULL AND NOT t."ownQuota"
    GROUP BY 1, 2, 3`
}
