import type { Db } from '../../db/database'
import { pruning, sql, uuids } from '../../db/sql'

/** The payer of a payment about to be signed, and the party whose request it is. */
type BatchPayer = { payer: string; party: string }

/** Where a failure counts against its payer: it is the payer's doing; nothing says whose; or it is not the payer's. */
export type Counts = 'everywhere' | 'at its party' | 'nowhere'

/**
 * The common table expression that counts failures against their payers, in the statement that records them. It reads from `moved`, whole
 * "Settlement" rows; `where` may leave out some of them, as `m`. A transfer that another facilitator sent cost us nothing, and what the
 * service signed for its tenant's channels is no failure of that tenant's own account.
 */
export const failuresOfMoved = (counts: Counts, where = sql`true`) => sql`
  failing AS (
    INSERT INTO "PayerFailure" ("id", "network", "payer", "tenantId", "party", "settlementId", "kind")
    SELECT gen_random_uuid(), m."network", m."payer", m."tenantId", m."party", m."id",
      CASE WHEN ${counts === 'everywhere'} THEN lower(m."state") ELSE 'unclear' END FROM moved m
    WHERE m."laneClass" <> 'remote' AND (m."transfer"->>'signedHere') IS DISTINCT FROM 'true' AND ${counts !== 'nowhere'} AND ${where}
    ON CONFLICT ("settlementId") DO NOTHING
  )`

/** Records that a block has these transactions without their transfers: new payers' places are free. The block may vanish yet. */
export async function recordMissed(db: Db, settlementIds: string[]): Promise<void> {
  await db.execute`
    UPDATE "Settlement" SET "missedAt" = now() WHERE "id" IN (${uuids(settlementIds)}) AND "newcomer" AND "missedAt" IS NULL`
}

/** Counts settlements whose payers' code burnt the gas of their calls, each once, as failures of those payers. */
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
 * Which of these are sent alone because of the last hour's burns on their network: payments of a payer that burnt gas, and of an unknown
 * payer whose party had such a payer. A payer is unknown until one of its payments is on that chain.
 */
export async function findSuspects(db: Db, network: string, candidates: readonly BatchPayer[]): Promise<boolean[]> {
  const payers = candidates.map(({ payer }) => payer)
  const parties = candidates.map(({ party }) => party)
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

/** Deletes some failures older than a day, which no count reads. Returns the number. */
export const pruneFailures = pruning(sql`"PayerFailure"`, sql`"id"`, sql`"at"`, sql`now() - interval '1 day'`)
