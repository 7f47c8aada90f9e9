import { v7 as uuidv7 } from 'uuid'
import { holdOwner, liveKeys, type NewKey, tenantOfAgent } from '../accounts/key-queries'
import type { Db } from '../db/database'
import { done } from '../db/outbox'
import { pruning, sql } from '../db/sql'
import { isLive } from '../ledger/statements/claim-statement'

/** An agent of a wallet, as the registry returned it. */
type AgentRow = { network: string; tokenId: string; wallet: string; name: string | null; url: string }

const PER_WALLET = 20

/** Replaces the stored agents of a wallet and marks the effect as done, in one statement. */
export async function writeAgents(
  db: Db,
  effectId: string,
  wallet: string,
  agents: readonly Omit<AgentRow, 'wallet'>[],
): Promise<void> {
  const column = (of: (agent: Omit<AgentRow, 'wallet'>) => string) => agents.map(of)
  await db.execute`
    WITH ${done(effectId)}, seen AS (
      SELECT * FROM unnest(${column(({ network }) => network)}::text[], ${column(({ tokenId }) => tokenId)}::text[],
        ${column(({ name }) => name ?? '')}::text[], ${column(({ url }) => url)}::text[]) AS seen("network", "tokenId", "name", "url")
    ), asked AS (
      INSERT INTO "AgentLookup" ("wallet", "askedAt") SELECT ${wallet}, now() FROM mine
      ON CONFLICT ("wallet") DO UPDATE SET "askedAt" = EXCLUDED."askedAt"
    ), gone AS (
      DELETE FROM "AgentToken" t USING mine
      WHERE t."wallet" = ${wallet} AND NOT EXISTS (SELECT 1 FROM seen s WHERE s."network" = t."network" AND s."tokenId" = t."tokenId")
    ), kept AS (
      INSERT INTO "AgentToken" ("network", "tokenId", "wallet", "name", "url")
      SELECT s."network", s."tokenId", ${wallet}, NULLIF(s."name", ''), s."url" FROM seen s, mine ORDER BY s."network", s."tokenId"
      ON CONFLICT ("network", "tokenId") DO UPDATE SET "wallet" = EXCLUDED."wallet", "name" = EXCLUDED."name", "url" = EXCLUDED."url"
    )
    SELECT 1 FROM mine`
}

/** The agents of these wallets, at most 20 of each, in one query. */
export function findAgents(db: Db, wallets: readonly string[]): Promise<AgentRow[]> {
  return db.query<AgentRow>`
    SELECT t."network", t."tokenId", t."wallet", t."name", t."url"
    FROM unnest(${[...wallets]}::text[]) AS asked("wallet") CROSS JOIN LATERAL (
      SELECT * FROM "AgentToken" a WHERE a."wallet" = asked."wallet" ORDER BY a."network", a."tokenId" LIMIT ${PER_WALLET}
    ) t ORDER BY t."wallet", t."network", t."tokenId"`
}

/** Deletes some lookups that are too old to use. Returns how many. */
export const pruneLookups = pruning(sql`"AgentLookup"`, sql`"wallet"`, sql`"askedAt"`, sql`now() - interval '7 days'`)

/** An agent's key as its owner sees it. */
export type AgentKey = { id: string; prefix: string; createdAt: Date; lastUsedAt: Date | null }

/** The tenant of a wallet's agent with its live keys, newest first. */
export type AgentTenant = {
  id: string
  historyEnabled: boolean
  allowedNetworks: string[]
  revoked: boolean
  keys: AgentKey[]
}

const OF_AGENTS = sql`t."ownerKind" = 'wallet' AND t."plan" = 'agent'`

/** The agent tenant of a wallet, even if revoked; null without one. */
export async function findAgentTenant(db: Db, wallet: string): Promise<AgentTenant | null> {
  const tenant = await db.tenant.findFirst({
    where: tenantOfAgent(wallet),
    orderBy: { id: 'asc' },
    select: {
      id: true,
      historyEnabled: true,
      allowedNetworks: true,
      revokedAt: true,
      keys: { where: liveKeys(), orderBy: { id: 'desc' }, select: { id: true, prefix: true, createdAt: true, lastUsedAt: true } },
    },
  })
  if (!tenant) return null
  const { revokedAt, ...known } = tenant
  return { ...known, revoked: revokedAt !== null }
}

/**
 * Gives a wallet's agent a key, and creates its tenant with the first one. Beyond `most` live keys the least recently used are revoked.
 * Returns the tenant; null if it is revoked.
 */
export async function giveAgentKey(db: Db, wallet: string, key: NewKey, most: number): Promise<string | null> {
  return db.transaction(async (within) => {
    await holdOwner(within, { kind: 'wallet', id: wallet })
    const [tenant] = await within.query<{ id: string }>`
      WITH known AS (
        SELECT t."id", t."revokedAt" FROM "Tenant" t WHERE ${OF_AGENTS} AND t."ownerId" = ${wallet} ORDER BY t."id" LIMIT 1
      ), made AS (
        INSERT INTO "Tenant" ("id", "ownerKind", "ownerId", "plan", "name", "ownQuota")
        SELECT ${uuidv7()}::uuid, 'wallet', ${wallet}, 'agent', 'Agent', false WHERE NOT EXISTS (SELECT 1 FROM known)
        RETURNING "id"
      ), tenant AS (
        SELECT "id" FROM known WHERE "revokedAt" IS NULL UNION ALL SELECT "id" FROM made
      ), ended AS (
        UPDATE "ApiKey" SET "revokedAt" = now(), "changedBy" = 'owner' WHERE "id" IN (
          SELECT k."id" FROM "ApiKey" k JOIN tenant ON k."tenantId" = tenant."id" WHERE ${isLive}
          ORDER BY COALESCE(k."lastUsedAt", k."createdAt") DESC, k."id" DESC OFFSET ${most - 1}::int
        )
      )
      INSERT INTO "ApiKey" ("id", "tenantId", "hash", "prefix", "changedBy")
      SELECT ${key.id}::uuid, "id", ${key.hash}, ${key.prefix}, 'owner' FROM tenant RETURNING "tenantId" AS "id"`
    return tenant?.id ?? null
  })
}
