import { v7 as uuidv7 } from 'uuid'
import type { Prisma } from '../../generated/prisma/client'
import type { Db } from '../db/database'
import { join, type Sql, sql } from '../db/sql'
import type { Statements } from '../db/statements'
import { storedAddress } from '../x402/addresses'
import type { Finality } from '../x402/networks/finality'
import type { ChangeMaker } from './change-queries'
import { holdOwner, type KeyRate, keySlot, type NewKey } from './key-queries'

/** The settings of a tenant that can change. Null restores the plan's value. */
export type TenantSettings = {
  plan: string
  name: string
  historyEnabled: boolean
  rps: number | null
  settlementQuota: number | null
  verificationQuota: number | null
  allowedNetworks: string[]
  payToAllow: string[]
  /** In atomic units. */
  maxAmount: bigint | null
  /** Whether its payments may share transactions with others. */
  shareTransactions: boolean
  /** The finality for which settle waits; null: the usual one of the prefix. */
  waitUntil: Finality | null
  /** Whether each of its receipts has a public page. */
  publicReceipts: boolean
  /** For how long a payment whose answer may be lost holds back the same one of its payer, in seconds; null: never. */
  secondChargeSeconds: number | null
  revoked: boolean
} & ClaimPolicy

/** When the service claims the vouchers of its channels: from so much (atomic units), after so many seconds, while gas costs at most so many wei. */
export type ClaimPolicy = { claimAbove: bigint | null; claimAfterSeconds: number | null; claimMaxGasPrice: bigint | null }

/** `madeFrom`: the block of addresses of an owner that makes it itself. */
export type NewTenant = Omit<TenantSettings, 'revoked'> & {
  owner: { kind: string; id: string }
  ownQuota: boolean
  madeFrom?: string
}

/** Who has keys: a subject of the identity provider, or a wallet in its stored form. */
export type Owner = { kind: 'oidc' | 'wallet'; id: string }

/** The owner of this subject of the identity provider. */
export const ofSubject = (subject: string): Owner => ({ kind: 'oidc', id: subject })

/** The maximum live secrets of a tenant: the newest, and earlier ones in their grace period. */
export const LIVE_SECRETS_MAX = 10

const keysShown = {
  where: { revokedAt: null },
  // Live keys first: the newest has no end, and the others end later than expired ones.
  orderBy: [{ graceUntil: { sort: 'desc', nulls: 'first' } }, { id: 'desc' }],
  take: LIVE_SECRETS_MAX,
  select: { id: true, prefix: true, createdAt: true, lastUsedAt: true, graceUntil: true },
} satisfies Prisma.Tenant$keysArgs

const shown = { include: { keys: keysShown } } satisfies Prisma.TenantDefaultArgs

/** A tenant with its newest keys, without secrets. */
export type TenantRow = Prisma.TenantGetPayload<typeof shown>

/** Creates a tenant with its first key, and its owner if new, in one statement. Returns the tenant's id. */
export async function createTenant(db: Db, tenant: NewTenant, key: NewKey): Promise<string> {
  const id = uuidv7()
  await db.execute(creation(id, tenant, key, sql`SELECT 1`))
  return id
}

/**
 * As `createTenant`, for an owner's own key. Null if the owner has `most` live tenants or made too many keys lately; concurrent calls
 * count too. Nothing is created if `count`, which runs in the same transaction, throws.
 */
export async function createOwnTenant(
  db: Db,
  tenant: NewTenant & { owner: Owner },
  key: NewKey,
  { most, rate, count }: { most: number; rate: KeyRate; count: (within: Statements) => Promise<void> },
): Promise<string | null> {
  const id = uuidv7()
  const its = sql`${chargedBy(tenant.owner, 'Tenant')} AND "revokedAt" IS NULL`
  const few = sql`(SELECT count(*) FROM "Tenant" WHERE ${its}) < ${most}::int`
  const made = await db.transaction(async (within) => {
    await holdOwner(within, tenant.owner)
    const created = await within.execute(creation(id, tenant, key, keySlot(tenant.owner, rate, few)))
    if (created === 1) await count(within)
    return created
  })
  return made === 1 ? id : null
}

// Creates the tenant if the statement `slot` returns a row.
function creation(id: string, tenant: NewTenant, key: NewKey, slot: Sql): Sql {
  const { owner } = tenant
  return sql`
    WITH owner AS (
      INSERT INTO "Owner" ("kind", "id") VALUES (${owner.kind}, ${owner.id}) ON CONFLICT DO NOTHING
    ), slot AS (${slot}), tenant AS (
      INSERT INTO "Tenant" ("id", "ownerKind", "ownerId", "plan", "name", "historyEnabled", "ownQuota", "rps", "settlementQuota",
        "verificationQuota", "allowedNetworks", "payToAllow", "maxAmount", "shareTransactions", "waitUntil", "publicReceipts", "secondChargeSeconds",
        "claimAbove", "claimAfterSeconds", "claimMaxGasPrice", "madeFrom")
      SELECT ${id}::uuid, ${owner.kind}, ${owner.id}, ${tenant.plan}, ${tenant.name}, ${tenant.historyEnabled}, ${tenant.ownQuota}, ${tenant.rps},
        ${tenant.settlementQuota}, ${tenant.verificationQuota}, ${tenant.allowedNetworks}::text[], ${tenant.payToAllow}::text[],
        ${numeric(tenant.maxAmount)}, ${tenant.shareTransactions}, ${tenant.waitUntil}, ${tenant.publicReceipts},
        ${tenant.secondChargeSeconds}, ${numeric(tenant.claimAbove)}, ${tenant.claimAfterSeconds}::int, ${numeric(tenant.claimMaxGasPrice)},
        ${tenant.madeFrom ?? null} FROM slot
      RETURNING "id"
    )
    INSERT INTO "ApiKey" ("id", "tenantId", "hash", "prefix") SELECT ${key.id}::uuid, "id", ${key.hash}, ${key.prefix} FROM tenant`
}

const numeric = (value: bigint | null) => sql`${value === null ? null : value.toString()}::numeric`

// Excludes the service's own tenants, which no API may change.
const sold = { ownerKind: { not: 'system' } }

/** One tenant. Null if unknown, or one of the service's own. */
export function findTenant(db: Db, id: string): Promise<TenantRow | null> {
  return db.tenant.findFirst({ ...shown, where: { id, ...sold } })
}

/** Tenants after `cursor` (an id), newest first. */
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
      ...(owner === null ? {} : { OR: ownedBy(owner) }),
    },
    orderBy: { id: 'desc' },
    take: limit,
  })
}

const ownedBy = (owner: OwnerFilter) => ownersOf(owner).map(({ kind, id }) => ({ ownerKind: kind, ownerId: id }))

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Which tenants: by a part of a name or a whole owner or id, by their plans, and by whether they are revoked. Null or none: all. */
export type TenantChoice = { search: string | null; plans: readonly string[]; revoked: boolean | null }

/** The condition of a choice on "Tenant" as `t`, without the service's own tenants. */
export function chosenTenants({ search, plans, revoked }: TenantChoice): Sql {
  const part = `%${search?.replaceAll(/[\\%_]/g, '\\$&')}%`
  const owners = ownersOf(ownerIn(search ?? '')).map(({ kind, id }) => sql`(t."ownerKind" = ${kind} AND t."ownerId" = ${id})`)
  const ids = search && UUID.test(search) ? [sql`t."id" = ${search}::uuid`] : []
  return join(
    [
      sql`t."ownerKind" <> 'system'`,
      ...(search ? [sql`(${join([sql`t."name" ILIKE ${part}`, ...owners, ...ids], ' OR ')})`] : []),
      ...(plans.length > 0 ? [sql`t."plan" = ANY(${plans}::text[])`] : []),
      ...(revoked === null ? [] : [revoked ? sql`t."revokedAt" IS NOT NULL` : sql`t."revokedAt" IS NULL`]),
    ],
    ' AND ',
  )
}

/** These tenants, in the order of the ids. */
export async function tenantsWithIds(db: Db, ids: readonly string[]): Promise<TenantRow[]> {
  const rows = await db.tenant.findMany({ ...shown, where: { id: { in: [...ids] } } })
  const byId = new Map(rows.map((row) => [row.id, row]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}

/** The names of tenants by id. */
export async function tenantNames(db: Db, ids: readonly string[]): Promise<Map<string, string>> {
  const named = await db.tenant.findMany({ where: { id: { in: [...ids] } }, select: { id: true, name: true } })
  return new Map(named.map(({ id, name }) => [id, name]))
}

/** The tenants with which an owner charges: live ones, then revoked ones, up to a maximum of each, newest first. */
export async function listOwnTenants(db: Db, owner: Owner, most: { live: number; revoked: number }): Promise<TenantRow[]> {
  const its = chargingOf(owner)
  const order = { id: 'desc' } as const
  const [live, revoked] = await Promise.all([
    db.tenant.findMany({ ...shown, where: { ...its, revokedAt: null }, orderBy: order, take: most.live }),
    db.tenant.findMany({ ...shown, where: { ...its, revokedAt: { not: null } }, orderBy: order, take: most.revoked }),
  ])
  return [...live, ...revoked]
}

/** One of the tenants with which an owner charges; null for any other. */
export function findOwnTenant(db: Db, owner: Owner, id: string): Promise<TenantRow | null> {
  return db.tenant.findFirst({ ...shown, where: { id, ...chargingOf(owner) } })
}

/** How many of these tenants are the owner's, and charge. */
export function countOwnTenants(db: Db, owner: Owner, ids: readonly string[]): Promise<number> {
  return db.tenant.count({ where: { id: { in: [...ids] }, ...chargingOf(owner) } })
}

// As `chargingKeysOf`, for the typed client: only wallets have the plan `agent`.
const chargingOf = ({ kind, id }: Owner) => ({ ownerKind: kind, ownerId: id, plan: { not: 'agent' } })

/** Changes only the given fields, and logs who did. False if the tenant is unknown. */
export async function changeTenant(db: Db, id: string, changes: Partial<TenantSettings>, by: ChangeMaker): Promise<boolean> {
  const { revoked, maxAmount, claimAbove, claimMaxGasPrice, ...columns } = changes
  const amounts = { maxAmount, claimAbove, claimMaxGasPrice }
  const { count } = await db.tenant.updateMany({
    where: { id, ...sold },
    data: {
      ...columns,
      changedBy: by,
      ...Object.fromEntries(
        Object.entries(amounts).flatMap(([name, value]) => (value === undefined ? [] : [[name, value?.toString() ?? null]])),
      ),
      ...(revoked === undefined ? {} : { revokedAt: revoked ? new Date() : null }),
    },
  })
  return count === 1
}

/** The changes that an owner may make. An empty list of networks allows all; absent fields stay unchanged. */
export type OwnChanges = { historyEnabled?: boolean; allowedNetworks?: readonly string[] }

/** A tenant as its owner sees it. */
export type OwnTenant = { id: string; name: string; plan: string; historyEnabled: boolean; allowedNetworks: string[] }

/** Changes one tenant of this owner. Null if it has none with this id. */
export async function changeOwnTenant(db: Db, owner: Owner, tenantId: string, changes: OwnChanges): Promise<OwnTenant | null> {
  const [tenant] = await change(db, owner, sql`"id" = ${tenantId}::uuid`, changes)
  return tenant ?? null
}

/** Changes every live tenant of a wallet's agent. Returns them, newest first. */
export function changeAgentTenants(db: Db, wallet: string, changes: OwnChanges): Promise<OwnTenant[]> {
  return change(db, { kind: 'wallet', id: wallet }, sql`"plan" = 'agent' AND "revokedAt" IS NULL`, changes)
}

// Locks rows in id order to avoid deadlocks. The next claim reads the new settings.
function change(db: Db, owner: Owner, which: Sql, changes: OwnChanges): Promise<OwnTenant[]> {
  const { historyEnabled = null, allowedNetworks } = changes
  const networks = allowedNetworks === undefined ? sql`t."allowedNetworks"` : sql`${[...allowedNetworks]}::text[]`
  return db.query<OwnTenant>`
    WITH mine AS (
      SELECT "id" FROM "Tenant" WHERE "ownerKind" = ${owner.kind} AND "ownerId" = ${owner.id} AND ${which} ORDER BY "id" FOR UPDATE
    ), changed AS (
      UPDATE "Tenant" t SET "historyEnabled" = COALESCE(${historyEnabled}::boolean, t."historyEnabled"), "allowedNetworks" = ${networks},
        "changedBy" = ${'owner' satisfies ChangeMaker}
      FROM mine WHERE t."id" = mine."id"
      RETURNING t."id", t."name", t."plan", t."historyEnabled", t."allowedNetworks"
    )
    SELECT * FROM changed ORDER BY "id" DESC`
}

/** An owner of one of several kinds, by its id in any letter case. `sold`: without the keys that spend a wallet's credits. */
export type OwnerFilter = { kinds: readonly string[]; id: string; sold?: true }

/** The keys with which an owner charges, and their rows: all of a merchant, and of a wallet those that spend no credits. */
export function chargingKeysOf({ kind, id }: Owner): OwnerFilter {
  return kind === 'wallet' ? { kinds: [kind], id, sold: true } : { kinds: [kind], id }
}

/** An owner of either kind; a wallet in any letter case. */
export const ownerIn = (id: string): OwnerFilter => ({ kinds: ['oidc', 'wallet'], id })

/** The owners that a filter matches. Wallet addresses are stored in one form; an OIDC subject stays unchanged. */
export function ownersOf({ kinds, id }: OwnerFilter): { kind: string; id: string }[] {
  return kinds.map((kind) => ({ kind, id: kind === 'wallet' ? storedAddress(id) : id }))
}

/** A table with the owner of each row and its plan. */
type OwnedTable = 'History' | 'Tenant'

/** The SQL conditions of these owners on a table: one per kind, so that each can use an ordered index. */
export function ownershipsOf(filter: OwnerFilter, table: OwnedTable): Sql[] {
  return ownersOf(filter).map(({ kind, id }) => {
    // Only the indexes of what wallets charge have this expression: the planner cannot tell that another one reads all that an agent spent.
    if (filter.sold && table === 'History') return sql`${OF_WALLETS} AND "ownerKind" || ':' || "ownerId" = ${`${kind}:${id}`}`
    const ownership = sql`"ownerKind" = ${kind} AND "ownerId" = ${id}`
    return filter.sold ? sql`${ownership} AND "plan" <> 'agent'` : ownership
  })
}

// Literals, because PostgreSQL does not match a parameter to a partial index.
const OF_WALLETS = sql`"ownerKind" = 'wallet' AND "plan" <> 'agent'`

/** The condition of the keys with which one owner charges, on a table. */
export function chargedBy(owner: Owner, table: OwnedTable): Sql {
  const [condition = sql`false`] = ownershipsOf(chargingKeysOf(owner), table)
  return condition
}

/** Selects the keys of an owner, of one tenant, or of that tenant if the owner has it. */
export type TenantFilter = { owner?: OwnerFilter; tenantId?: string }

/** The filter of these parameters; without any it matches all tenants. */
export function tenantFilter(owner: OwnerFilter | undefined, tenantId: string | undefined): TenantFilter {
  return { ...(owner ? { owner } : {}), ...(tenantId ? { tenantId } : {}) }
}
