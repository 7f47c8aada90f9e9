import { v7 as uuidv7 } from 'uuid'
import { Prisma } from '../../generated/prisma/client'
import type { Db } from './database'
import { type KeyRate, keyPlace } from './key-rate'
import type { NewKey } from './keys'
import { type OwnerFilter, ownersOf } from './owners'

/** What may be changed about a tenant. Null takes the plan's own value back. */
export type TenantSettings = {
  plan: string
  name: string
  historyEnabled: boolean
  rps: number | null
  settlementQuota: number | null
  verificationQuota: number | null
  allowedNetworks: string[]
  payToAllow: string[]
  /** Atomic units. */
  maxAmount: bigint | null
  revoked: boolean
}

export type NewTenant = Omit<TenantSettings, 'revoked'> & { owner: { kind: string; id: string }; ownQuota: boolean }

/** Live secrets that one tenant may have, of which all but the newest are in their grace period. */
export const LIVE_SECRETS_MAX = 10

const keysShown = {
  where: { revokedAt: null },
  // Live ones first: the newest has no end, and earlier ones end later than those that ended.
  orderBy: [{ graceUntil: { sort: 'desc', nulls: 'first' } }, { id: 'desc' }],
  take: LIVE_SECRETS_MAX,
  select: { id: true, prefix: true, createdAt: true, lastUsedAt: true, graceUntil: true },
} satisfies Prisma.Tenant$keysArgs

const shown = { include: { keys: keysShown } } satisfies Prisma.TenantDefaultArgs

/** A tenant with its newest keys, never with a secret. */
export type TenantRow = Prisma.TenantGetPayload<typeof shown>

/** Makes a tenant with its first key, and its owner when nobody knew of them, in one statement. Returns the tenant's id. */
export async function createTenant(db: Db, tenant: NewTenant, key: NewKey): Promise<string> {
  const id = uuidv7()
  await db.$executeRaw(creation(id, tenant, key, Prisma.sql`SELECT 1`))
  return id
}

/**
 * As `createTenant`, for an owner who makes a key. Null when there are `most` live ones already, or the owner made too many lately; also for
 * those who make one at the same moment.
 */
export async function createOwnTenant(
  db: Db,
  tenant: NewTenant,
  key: NewKey,
  { most, rate }: { most: number; rate: KeyRate },
): Promise<string | null> {
  const id = uuidv7()
  const { kind, id: ownerId } = tenant.owner
  const its = Prisma.sql`"ownerKind" = ${kind} AND "ownerId" = ${ownerId} AND "revokedAt" IS NULL`
  const few = Prisma.sql`(SELECT count(*) FROM "Tenant" WHERE ${its}) < ${most}::int`
  // Locked by a statement of its own: the last one then sees the key of whoever had to be waited for.
  const [, , made] = await db.$transaction([
    db.$executeRaw`INSERT INTO "Owner" ("kind", "id") VALUES (${kind}, ${ownerId}) ON CONFLICT DO NOTHING`,
    db.$queryRaw`SELECT 1 FROM "Owner" WHERE "kind" = ${kind} AND "id" = ${ownerId} FOR UPDATE`,
    db.$executeRaw(creation(id, tenant, key, keyPlace(tenant.owner, rate, few))),
  ])
  return made === 1 ? id : null
}

// The tenant is made where the statement `place` returns a row.
function creation(id: string, tenant: NewTenant, key: NewKey, place: Prisma.Sql): Prisma.Sql {
  const { owner, maxAmount } = tenant
  return Prisma.sql`
    WITH owner AS (
      INSERT INTO "Owner" ("kind", "id") VALUES (${owner.kind}, ${owner.id}) ON CONFLICT DO NOTHING
    ), place AS (${place}), tenant AS (
      INSERT INTO "Tenant" ("id", "ownerKind", "ownerId", "plan", "name", "historyEnabled", "ownQuota", "rps", "settlementQuota",
        "verificationQuota", "allowedNetworks", "payToAllow", "maxAmount")
      SELECT ${id}::uuid, ${owner.kind}, ${owner.id}, ${tenant.plan}, ${tenant.name}, ${tenant.historyEnabled}, ${tenant.ownQuota}, ${tenant.rps},
        ${tenant.settlementQuota}, ${tenant.verificationQuota}, ${tenant.allowedNetworks}::text[], ${tenant.payToAllow}::text[],
        ${maxAmount === null ? null : maxAmount.toString()}::numeric FROM place
      RETURNING "id"
    )
    INSERT INTO "ApiKey" ("id", "tenantId", "hash", "prefix") SELECT ${key.id}::uuid, "id", ${key.hash}, ${key.prefix} FROM tenant`
}

// The sandbox belongs to the house and is nobody's to change.
const sold = { ownerKind: { not: 'system' } }

/** One tenant. Null when there is none, or it is the house's own. */
export function findTenant(db: Db, id: string): Promise<TenantRow | null> {
  return db.tenant.findFirst({ ...shown, where: { id, ...sold } })
}

/** Tenants, newest first, from the one after `cursor` (an id) on. */
export function listTenants(
  db: Db,
  page: { limit: number; cursor: string | null; owner: OwnerFilter | null },
): Promise<TenantRow[]> {
  const { limit, cursor, owner } = page
  return db.tenant.findMany({
    ...shown,
    where: {
      ...sold,
      ...(cursor === null ? {} : { id: { lt: cursor } }),
      ...(owner === null ? {} : { OR: ownersOf(owner).map(({ kind, id }) => ({ ownerKind: kind, ownerId: id })) }),
    },
    orderBy: { id: 'desc' },
    take: limit,
  })
}

/** An owner's tenants: the live ones, then those it revoked; so many of each, newest first. */
export async function listOwnTenants(
  db: Db,
  owner: { kind: string; id: string },
  most: { live: number; revoked: number },
): Promise<TenantRow[]> {
  const its = { ownerKind: owner.kind, ownerId: owner.id }
  const order = { id: 'desc' } as const
  const [live, revoked] = await Promise.all([
    db.tenant.findMany({ ...shown, where: { ...its, revokedAt: null }, orderBy: order, take: most.live }),
    db.tenant.findMany({ ...shown, where: { ...its, revokedAt: { not: null } }, orderBy: order, take: most.revoked }),
  ])
  return [...live, ...revoked]
}

/** Changes what is named and nothing else. False when there is no such tenant. */
export async function changeTenant(db: Db, id: string, changes: Partial<TenantSettings>): Promise<boolean> {
  const { revoked, maxAmount, ...columns } = changes
  const { count } = await db.tenant.updateMany({
    where: { id, ...sold },
    data: {
      ...columns,
      ...(maxAmount === undefined ? {} : { maxAmount: maxAmount === null ? null : maxAmount.toString() }),
      ...(revoked === undefined ? {} : { revokedAt: revoked ? new Date() : null }),
    },
  })
  return count === 1
}
