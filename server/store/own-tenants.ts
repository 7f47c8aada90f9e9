import { Prisma } from '../../generated/prisma/client'
import type { Db } from './database'

/** What an owner may change about its own tenants. An empty list of networks allows all; what is absent stays. */
export type OwnChanges = { historyEnabled?: boolean; allowedNetworks?: readonly string[] }

/** A tenant as its owner sees it. */
export type OwnTenant = { id: string; name: string; plan: string; historyEnabled: boolean; allowedNetworks: string[] }

type Owner = { kind: 'oidc' | 'wallet'; id: string }

/** Changes one tenant of this owner. Null when it has none with this id. */
export async function changeOwnTenant(db: Db, owner: Owner, tenantId: string, changes: OwnChanges): Promise<OwnTenant | null> {
  const [tenant] = await change(db, owner, Prisma.sql`"id" = ${tenantId}::uuid`, changes)
  return tenant ?? null
}

/** Changes every live tenant of this owner. Returns them, newest first. */
export function changeLiveTenants(db: Db, owner: Owner, changes: OwnChanges): Promise<OwnTenant[]> {
  return change(db, owner, Prisma.sql`"revokedAt" IS NULL`, changes)
}

// Locked in one order, so that no two statements wait for each other. The claim that comes next reads what is written here.
function change(db: Db, owner: Owner, which: Prisma.Sql, changes: OwnChanges): Promise<OwnTenant[]> {
  const { historyEnabled = null, allowedNetworks } = changes
  const networks = allowedNetworks === undefined ? Prisma.sql`t."allowedNetworks"` : Prisma.sql`${[...allowedNetworks]}::text[]`
  return db.$queryRaw<OwnTenant[]>`
    WITH mine AS (
      SELECT "id" FROM "Tenant" WHERE "ownerKind" = ${owner.kind} AND "ownerId" = ${owner.id} AND ${which} ORDER BY "id" FOR UPDATE
    ), changed AS (
      UPDATE "Tenant" t SET "historyEnabled" = COALESCE(${historyEnabled}::boolean, t."historyEnabled"), "allowedNetworks" = ${networks}
      FROM mine WHERE t."id" = mine."id"
      RETURNING t."id", t."name", t."plan", t."historyEnabled", t."allowedNetworks"
    )
    SELECT * FROM changed ORDER BY "id" DESC`
}
