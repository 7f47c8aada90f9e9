import { Prisma } from '../../generated/prisma/client'
import type { Db } from './database'

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

/** Whether the key `k` opens anything: not revoked, and not past the grace period after its rotation. */
export const isLive = Prisma.sql`k."revokedAt" IS NULL AND (k."graceUntil" IS NULL OR k."graceUntil" > now())`

/** The tenant that a key opens, by the key's SHA-256. Null for a key that is unknown, revoked or past its grace, and for a revoked tenant. */
export async function findKey(db: Db, hash: Uint8Array): Promise<KeyRecord | null> {
  const [record] = await findKeys(db, [hash])
  return record ?? null
}

/** The same for several keys in one statement, in their order. */
export async function findKeys(db: Db, hashes: readonly Uint8Array[]): Promise<(KeyRecord | null)[]> {
  const rows = await db.$queryRaw<(KeyRecord & { hex: string })[]>`
    SELECT encode(k."hash", 'hex') AS "hex", k."id" AS "keyId", t."id" AS "tenantId", t."version", t."ownerKind", t."ownerId", t."plan", t."historyEnabled", t."ownQuota", t."rps",
      t."settlementQuota", t."verificationQuota", t."allowedNetworks", t."payToAllow", t."maxAmount"::text AS "maxAmount"
    FROM "ApiKey" k JOIN "Tenant" t ON t."id" = k."tenantId"
    WHERE k."hash" IN (${Prisma.join(hashes)}) AND ${isLive} AND t."revokedAt" IS NULL`
  const records = new Map(rows.map(({ hex, ...record }) => [hex, record]))
  return hashes.map((hash) => records.get(Buffer.from(hash).toString('hex')) ?? null)
}

/** Notes that a key was used, at most once a minute. */
export async function touchKey(db: Db, keyId: string): Promise<void> {
  await db.$executeRaw`
    UPDATE "ApiKey" SET "lastUsedAt" = now()
    WHERE "id" = ${keyId}::uuid AND ("lastUsedAt" IS NULL OR "lastUsedAt" < now() - interval '1 minute')`
}

/** A key to be kept: its SHA-256 and the beginning by which its owner knows it. */
export type NewKey = { id: string; hash: Uint8Array; prefix: string }

/**
 * Gives a tenant a new key. Its earlier keys work for `graceSeconds` more, or less where they were to end sooner. False when
 * there is no such tenant, it is revoked, it is the house's own, or it would have more than `most` live keys.
 */
export async function rotateKey(db: Db, tenantId: string, key: NewKey, graceSeconds: number, most: number): Promise<boolean> {
  const tenant = Prisma.sql`
    SELECT t."id" FROM "Tenant" t WHERE t."id" = ${tenantId}::uuid AND t."revokedAt" IS NULL AND t."ownerKind" <> 'system' AND (
      ${graceSeconds}::int = 0 OR (SELECT count(*) FROM "ApiKey" k WHERE k."tenantId" = t."id" AND ${isLive}) < ${most}::int
    ) FOR UPDATE OF t`
  // Locked by a statement of its own: the next one then sees the key of a rotation that it had to wait for.
  const [, rows] = await db.$transaction([
    db.$queryRaw(tenant),
    db.$queryRaw<unknown[]>`
      WITH tenant AS (${tenant}), ended AS (
        UPDATE "ApiKey" k SET "graceUntil" = LEAST(k."graceUntil", now() + ${graceSeconds}::int * interval '1 second')
        FROM tenant WHERE k."tenantId" = tenant."id" AND ${isLive}
      )
      INSERT INTO "ApiKey" ("id", "tenantId", "hash", "prefix") SELECT ${key.id}::uuid, "id", ${key.hash}, ${key.prefix} FROM tenant RETURNING 1`,
  ])
  return rows.length === 1
}

/** Deletes some secrets that ended 90 days ago: nothing refers to them, and they open nothing either way. Returns how many. */
export async function pruneEndedKeys(db: Db, limit: number): Promise<number> {
  const ended = Prisma.sql`LEAST("revokedAt", "graceUntil")`
  return db.$executeRaw`
    DELETE FROM "ApiKey" WHERE "id" IN (
      SELECT "id" FROM "ApiKey" WHERE ${ended} < now() - interval '90 days' ORDER BY ${ended} LIMIT ${limit} FOR UPDATE SKIP LOCKED
    )`
}
