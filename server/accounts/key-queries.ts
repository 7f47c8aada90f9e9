import type { Prisma } from '../../generated/prisma/client'
import type { Db } from '../db/database'
import { pruning, type Sql, sql } from '../db/sql'
import type { Statements } from '../db/statements'
import { isLive } from '../ledger/statements/claim-statement'
import type { ChangeMaker } from './change-queries'

/** A valid key with its tenant. Quotas, rate and amounts are null where the plan's values apply. */
export type KeyRecord = {
  keyId: string
  tenantId: string
  version: number
  ownerKind: string
  ownerId: string
  plan: string
  historyEnabled: boolean
  ownQuota: boolean
  /** The block of addresses from which its owner made it. */
  madeFrom: string | null
  rps: number | null
  settlementQuota: number | null
  verificationQuota: number | null
  allowedNetworks: string[]
  payToAllow: string[]
  /** Atomic units as digits. */
  maxAmount: string | null
  shareTransactions: boolean
  waitUntil: string | null
  publicReceipts: boolean
}

const OF_TENANT = sql`t."id" AS "tenantId", t."version", t."ownerKind", t."ownerId", t."plan", t."historyEnabled", t."ownQuota", t."madeFrom", t."rps",
      t."settlementQuota", t."verificationQuota", t."allowedNetworks", t."payToAllow", t."maxAmount"::text AS "maxAmount",
      t."shareTransactions", t."waitUntil", t."publicReceipts"`

/** The tenant of a key, by the key's SHA-256. Null if the key or its tenant is unknown, expired or revoked. */
export async function findKey(db: Db, hash: Uint8Array): Promise<KeyRecord | null> {
  const [record] = await findKeys(db, [hash])
  return record ?? null
}

/** The tenants of several keys in one statement, in the order of the keys. */
export async function findKeys(db: Db, hashes: readonly Uint8Array[]): Promise<(KeyRecord | null)[]> {
  const rows = await db.query<KeyRecord & { hex: string }>`
    SELECT encode(k."hash", 'hex') AS "hex", k."id" AS "keyId", ${OF_TENANT}
    FROM "ApiKey" k JOIN "Tenant" t ON t."id" = k."tenantId"
    WHERE k."hash" = ANY(${hashes}::bytea[]) AND ${isLive} AND t."revokedAt" IS NULL`
  const records = new Map(rows.map(({ hex, ...record }) => [hex, record]))
  return hashes.map((hash) => records.get(Buffer.from(hash).toString('hex')) ?? null)
}

/** Tenants by id, also ones without a live key, as if each were its own key. */
export async function findTenantsAsKeys(db: Db, ids: readonly string[]): Promise<Map<string, KeyRecord>> {
  const rows =
    await db.query<KeyRecord>`SELECT t."id" AS "keyId", ${OF_TENANT} FROM "Tenant" t WHERE t."id" = ANY(${ids}::uuid[])`
  return new Map(rows.map((row) => [row.tenantId, row]))
}

/** Records that a key was used, at most once a minute. */
export async function touchKey(db: Db, keyId: string): Promise<void> {
  await db.execute`
    UPDATE "ApiKey" SET "lastUsedAt" = now()
    WHERE "id" = ${keyId}::uuid AND ("lastUsedAt" IS NULL OR "lastUsedAt" < now() - interval '1 minute')`
}

/** A key as stored: its SHA-256 and the first characters, which its owner recognises. */
export type NewKey = { id: string; hash: Uint8Array; prefix: string }

/**
 * Gives a tenant a new key; earlier keys stay valid for `graceSeconds` at most. False if the tenant is unknown, revoked or the
 * service's own, or would have more than `most` live keys.
 */
export async function rotateKey(
  db: Db,
  tenantId: string,
  key: NewKey,
  { graceSeconds, most, by }: { graceSeconds: number; most: number; by: ChangeMaker },
): Promise<boolean> {
  const tenant = sql`
    SELECT t."id" FROM "Tenant" t WHERE t."id" = ${tenantId}::uuid AND t."revokedAt" IS NULL AND t."ownerKind" <> 'system' AND (
      ${graceSeconds}::int = 0 OR (SELECT count(*) FROM "ApiKey" k WHERE k."tenantId" = t."id" AND ${isLive}) < ${most}::int
    ) FOR UPDATE OF t`
  // A separate statement takes the lock, so that the next one sees the key of a concurrent rotation.
  return db.transaction(async (within) => {
    await within.query(tenant)
    const made = await within.execute`
      WITH tenant AS (${tenant}), ended AS (
        UPDATE "ApiKey" k SET "graceUntil" = LEAST(k."graceUntil", now() + ${graceSeconds}::int * interval '1 second'), "changedBy" = ${by}
        FROM tenant WHERE k."tenantId" = tenant."id" AND ${isLive}
      )
      INSERT INTO "ApiKey" ("id", "tenantId", "hash", "prefix", "changedBy")
      SELECT ${key.id}::uuid, "id", ${key.hash}, ${key.prefix}, ${by} FROM tenant`
    return made === 1
  })
}

/** Ends an earlier secret of a tenant now. False unless it is in its grace period: the newest one has none. */
export async function endSecret(db: Db, tenantId: string, secretId: string, by: ChangeMaker): Promise<boolean> {
  const ended = await db.execute`
    UPDATE "ApiKey" k SET "graceUntil" = now(), "changedBy" = ${by}
    WHERE k."id" = ${secretId}::uuid AND k."tenantId" = ${tenantId}::uuid AND k."graceUntil" IS NOT NULL AND ${isLive}`
  return ended === 1
}

/** The tenant of a wallet's agent, for the typed client. */
export const tenantOfAgent = (wallet: string) => ({ ownerKind: 'wallet', plan: 'agent', ownerId: wallet })

/** Keys that work now, for the typed client. */
export const liveKeys = () => ({ revokedAt: null, OR: [{ graceUntil: null }, { graceUntil: { gt: new Date() } }] })

/** Revokes a key of a wallet's agent. Returns its tenant; null if the wallet has no such live key. */
export async function revokeAgentKey(db: Db, wallet: string, keyId: string): Promise<string | null> {
  const [key] = await db.apiKey.updateManyAndReturn({
    where: { id: keyId, ...liveKeys(), tenant: tenantOfAgent(wallet) },
    data: { revokedAt: new Date(), changedBy: 'owner' satisfies ChangeMaker },
    select: { tenantId: true },
  })
  return key?.tenantId ?? null
}

const agentKeyShown = {
  id: true,
  prefix: true,
  createdAt: true,
  lastUsedAt: true,
  graceUntil: true,
  revokedAt: true,
  tenant: { select: { name: true, allowedNetworks: true, revokedAt: true } },
} satisfies Prisma.ApiKeySelect

/** The keys of a wallet's agent: live ones, then those that were revoked last. */
export function listAgentKeys(db: Db, wallet: string, most: number) {
  return db.apiKey.findMany({
    where: { tenant: tenantOfAgent(wallet) },
    orderBy: [{ revokedAt: { sort: 'desc', nulls: 'first' } }, { id: 'desc' }],
    take: most,
    select: agentKeyShown,
  })
}

/** Deletes up to `limit` keys that ended 90 days ago. Returns how many. */
export const pruneEndedKeys = pruning(
  sql`"ApiKey"`,
  sql`"id"`,
  sql`LEAST("revokedAt", "graceUntil")`,
  sql`now() - interval '90 days'`,
)

/** How many keys an owner may make per hour and per day. */
export type KeyRate = { hour: number; day: number }

export type KeyOwner = { kind: string; id: string }

/** Locks an owner, creating it if new, until the transaction ends: the next statement sees all earlier writes. */
export async function holdOwner(within: Statements, { kind, id }: KeyOwner): Promise<void> {
  await within.execute`INSERT INTO "Owner" ("kind", "id") VALUES (${kind}, ${id}) ON CONFLICT DO NOTHING`
  await within.query`SELECT 1 FROM "Owner" WHERE "kind" = ${kind} AND "id" = ${id} FOR UPDATE`
}

const newest = (place: number) =>
  sql`(SELECT at FROM unnest(o."keysMadeAt") AS made(at) ORDER BY at DESC OFFSET ${place - 1}::int LIMIT 1)`

// When the owner `o` may make its next key; null if it made few.
const nextAt = ({ hour, day }: KeyRate) => sql`GREATEST(${newest(hour)} + interval '1 hour', ${newest(day)} + interval '1 day')`

/** Counts a new key of this owner and returns a row. No row if the owner made too many or `condition` is false. The owner must exist. */
export function keySlot(owner: KeyOwner, rate: KeyRate, condition = sql`true`): Sql {
  return sql`
    UPDATE "Owner" o SET "keysMadeAt" = ARRAY(
      SELECT at FROM unnest(o."keysMadeAt") AS made(at) WHERE at > now() - interval '1 day' ORDER BY at
    ) || now()
    WHERE o."kind" = ${owner.kind} AND o."id" = ${owner.id} AND COALESCE(${nextAt(rate)}, now()) <= now() AND ${condition}
    RETURNING 1`
}

/** Runs `keySlot` for an owner that may be new. False if it made too many keys. */
export async function takeKeySlot(db: Db, owner: KeyOwner, rate: KeyRate): Promise<boolean> {
  await db.execute`INSERT INTO "Owner" ("kind", "id") VALUES (${owner.kind}, ${owner.id}) ON CONFLICT DO NOTHING`
  const places = await db.query<unknown>(keySlot(owner, rate))
  return places.length === 1
}

/** When an owner may make its next key; null means now. */
export async function nextKeyAt(db: Db, owner: KeyOwner, rate: KeyRate): Promise<Date | null> {
  const [row] = await db.query<{ at: Date | null }>`
    SELECT NULLIF(GREATEST(${nextAt(rate)}, now()), now()) AS "at" FROM "Owner" o WHERE o."kind" = ${owner.kind} AND o."id" = ${owner.id}`
  return row?.at ?? null
}
