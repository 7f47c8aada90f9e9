import type { Db } from '../db/database'
import { done } from '../db/outbox'
import { sql } from '../db/sql'

/** An agent of a wallet, as the registry returned it. */
export type AgentRow = { network: string; tokenId: string; wallet: string; name: string | null; url: string }

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
export async function pruneLookups(db: Db, limit: number): Promise<number> {
  return db.execute`
    DELETE FROM "AgentLookup" WHERE "wallet" IN (
      SELECT "wallet" FROM "AgentLookup" WHERE "askedAt" < now() - ${USELESS} ORDER BY "askedAt" LIMIT ${limit} FOR UPDATE SKIP LOCKED
    )`
}

const USELESS = sql`interval '7 days'`
