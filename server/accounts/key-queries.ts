import type { Db } from '../db/database'
import { pruning, type Sql, sql } from '../db/sql'
import type { Statements } from '../db/statements'
import { isLive } from '../ledger/statements/claim-statement'

/** What a key opens: its tenant as it is now. Quotas, rate and amounts are null where the plan's own hold. */
export type KeyRecord = {
  keyId: string
  tenantId: string
  version: number
  ownerKind: string
  ownerId: string
  plan: string
  historyEnabled: boolean
  ownQuota: boolean
  rps: number | null
  settlementQuota: number | null
  verificationQuota: number | null
  allowedNetworks: string[]
  payToAllow: string[]
  /** Digits, atomic units. */
  maxAmount: string | null
}

/** The tenant that a key opens, by the key's SHA-256. Null for a key that is unknown, revoked or past its grace, and for a revoked tenant. */
export async function findKey(db: Db, hash: Uint8Array): Promise<KeyRecord | null> {
  const [record] = await findKeys(db, [hash])
  return record ?? null
}

/** The same for several keys in one statement, in their order. */
export async function findKeys(db: Db, hashes: readonly Uint8Array[]): Promise<(KeyRecord | null)[]> {
  const rows = await db.query<KeyRecord & { hex: string }>`
    SELECT encode(k."hash", 'hex') AS "hex", k."id" AS "keyId", t."id" AS "tenantId", t."version", t."ownerKind", t."ownerId", t."plan", t."historyEnabled", t."ownQuota", t."rps",
      t."settlementQuota", t."verificationQuota", t."allowedNetworks", t."payToAllow", t."maxAmount"::text AS "maxAmount"
    FROM "ApiKey" k JOIN "Tenant" t ON t."id" = k."tenantId"
    WHERE k."hash" = ANY(${hashes}::bytea[]) AND ${isLive} AND t."revokedAt" IS NULL`
  const records = new Map(rows.map(({ hex, ...record }) => [hex, record]))
  return hashes.map((hash) => records.get(Buffer.from(hash).toString('hex')) ?? null)
}

/** Notes that a key was used, at most once a minute. */
export async function touchKey(db: Db, keyId: string): Promise<void> {
  await db.execute`
    UPDATE "ApiKey" SET "lastUsedAt" = now()
    WHERE "id" = ${keyId}::uuid AND ("lastUsedAt" IS NULL OR "lastUsedAt" < now() - interval '1 minute')`
}

/** A key to be kept: its SHA-256 and the beginning by which its owner knows it. */
export type NewKey = { id: string; hash: Uint8Array; prefix: string }

/**
 * Gives a tenant a new key. Its earlier keys work for `graceSeconds` more, or less where they were to end sooner. False when
 * there is no such tenant, it is revoked, it is the tenant of the service itself, or it would have more than `most` live keys.
 */
export async function rotateKey(db: Db, tenantId: string, key: NewKey, graceSeconds: number, most: number): Promise<boolean> {
  const tenant = sql`
    SELECT t."id" FROM "Tenant" t WHERE t."id" = ${tenantId}::uuid AND t."revokedAt" IS NULL AND t."ownerKind" <> 'system' AND (
      ${graceSeconds}::int = 0 OR (SELECT count(*) FROM "ApiKey" k WHERE k."tenantId" = t."id" AND ${isLive}) < ${most}::int
    ) FOR UPDATE OF t`
  // Locked by a statement of its own: the next one then sees the key of a rotation that it had to wait for.
  return db.transaction(async (within) => {
    await within.query(tenant)
    const made = await within.execute`
      WITH tenant AS (${tenant}), ended AS (
        UPDATE "ApiKey" k SET "graceUntil" = LEAST(k."graceUntil", now() + ${graceSeconds}::int * interval '1 second')
        FROM tenant WHERE k."tenantId" = tenant."id" AND ${isLive}
      )
      INSERT INTO "ApiKey" ("id", "tenantId", "hash", "prefix") SELECT ${key.id}::uuid, "id", ${key.hash}, ${key.prefix} FROM tenant`
    return made === 1
  })
}

/** Deletes some secrets that ended 90 days ago: nothing refers to them, and they open nothing either way. Returns how many. */
export const pruneEndedKeys = pruning(
  sql`"ApiKey"`,
  sql`"id"`,
  sql`LEAST("revokedAt", "graceUntil")`,
  sql`now() - interval '90 days'`,
)

/** How many keys one owner may make within an hour, and within a day. */
export type KeyRate = { hour: number; day: number }

export type KeyOwner = { kind: string; id: string }

/** Holds an owner, who may be new, until the end of the transaction: its next statement sees what those wrote that had to be waited for. */
export async function holdOwner(within: Statements, { kind, id }: KeyOwner): Promise<void> {
  await within.execute`INSERT INTO "Owner" ("kind", "id") VALUES (${kind}, ${id}) ON CONFLICT DO NOTHING`
  await within.query`SELECT 1 FROM "Owner" WHERE "kind" = ${kind} AND "id" = ${id} FOR UPDATE`
}

const newest = (place: number) =>
  sql`(SELECT at FROM unnest(o."keysMadeAt") AS made(at) ORDER BY at DESC OFFSET ${place - 1}::int LIMIT 1)`

// From when on the owner `o` may make a key: null when it made few.
const nextAt = ({ hour, day }: KeyRate) => sql`GREATEST(${newest(hour)} + interval '1 hour', ${newest(day)} + interval '1 day')`

/**
 * Notes that this owner makes a key now, and returns a row for it. None when it made too many, or `condition` does not hold. The
 * owner's row must be there.
 */
export function keySlot(owner: KeyOwner, rate: KeyRate, condition = sql`true`): Sql {
  return sql`
    UPDATE "Owner" o SET "keysMadeAt" = ARRAY(
      SELECT at FROM unnest(o."keysMadeAt") AS made(at) WHERE at > now() - interval '1 day' ORDER BY at
    ) || now()
    WHERE o."kind" = ${owner.kind} AND o."id" = ${owner.id} AND COALESCE(${nextAt(rate)}, now()) <= now() AND ${condition}
    RETURNING 1`
}

/** As `keySlot`, at once and for an owner that may be new. False when it made too many. */
export async function takeKeySlot(db: Db, owner: KeyOwner, rate: KeyRate): Promise<boolean> {
  await db.execute`INSERT INTO "Owner" ("kind", "id") VALUES (${owner.kind}, ${owner.id}) ON CONFLICT DO NOTHING`
  const places = await db.query<unknown>(keySlot(owner, rate))
  return places.length === 1
}

/** When an owner may make its next key. Null: now. */
export async function nextKeyAt(db: Db, owner: KeyOwner, rate: KeyRate): Promise<Date | null> {
  const [row] = await db.query<{ at: Date | null }>`
    SELECT NULLIF(GREATEST(${nextAt(rate)}, now()), now()) AS "at" FROM "Owner" o WHERE o."kind" = ${owner.kind} AND o."id" = ${owner.id}`
  return row?.at ?? null
}
