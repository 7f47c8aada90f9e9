import type { Db } from '../../db/database'
import { pruning, sql, uuids } from '../../db/sql'

/** A payment that is about to be signed: whose money it is, and whose requests brought it. */
export type BatchPayer = { payer: string; party: string }

/** Counts settlements whose payers' code took the gas of their calls, each once, as failures of those payers. */
export async function recordBurns(db: Db, settlementIds: string[]): Promise<void> {
  await db.execute`
    INSERT INTO "PayerFailure" ("network", "payer", "tenantId", "party", "settlementId", "kind")
    SELECT "network", "payer", "tenantId", "party", "id", 'burned' FROM "Settlement" WHERE "id" IN (${uuids(settlementIds)})
    ON CONFLICT ("settlementId") DO NOTHING`
}

/** Whether a payer's code burnt gas on this network within the hour. */
export async function hadBurns(db: Db, network: string): Promise<boolean> {
  const rows = await db.query<unknown>`
    SELECT 1 FROM "PayerFailure" WHERE "network" = ${network} AND "kind" = 'burned' AND "at" > now() - interval '1 hour' LIMIT 1`
  return rows.length > 0
}

/**
 * Which of these travel alone because of the burns of the last hour on their network: those of a payer that burnt gas, and those of
 * an unknown payer whose party brought one that did. A payer is unknown until a payment of it is on that chain.
 */
export async function findSuspects(db: Db, network: string, travellers: readonly BatchPayer[]): Promise<boolean[]> {
  const payers = travellers.map(({ payer }) => payer)
  const parties = travellers.map(({ party }) => party)
  const rows = await db.query<{ suspect: boolean }>`
    WITH burned AS MATERIALIZED (
      SELECT "payer", "party" FROM "PayerFailure"
      WHERE "network" = ${network} AND "kind" = 'burned' AND "at" > now() - interval '1 hour'
    )
    SELECT t."payer" IN (SELECT "payer" FROM burned) OR (t."party" IN (SELECT "party" FROM burned)
      AND NOT EXISTS (SELECT 1 FROM "Settlement" s WHERE s."payer" = t."payer" AND s."network" = ${network} AND s."state" = 'FINAL')
      AND NOT EXISTS (SELECT 1 FROM "Settlement" s WHERE s."payer" = t."payer" AND s."network" = ${network} AND s."state" = 'INCLUDED')) AS "suspect"
    FROM unnest(${payers}::text[], ${parties}::text[]) WITH ORDINALITY AS t("payer", "party", "at") ORDER BY t."at"`
  return rows.map(({ suspect }) => suspect)
}

/** Deletes failures that no count looks at any more: those older than a day. Returns how many. */
export const pruneFailures = pruning(sql`"PayerFailure"`, sql`"id"`, sql`"at"`, sql`now() - interval '1 day'`)
