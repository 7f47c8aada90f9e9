import { v7 as uuidv7 } from 'uuid'
import type { Db } from '../../db/database'
import { sql } from '../../db/sql'
import { PURSE, SPENDING } from './landings'
import type { Lease } from './lanes'
import { insertAttempt, type NewAttempt } from './slots'

/**
 * The write-ahead of the ether that a payer needs for its approval: commits nonce, signed bytes and their cost, in wei, before any byte
 * is sent. Each claim gets it once. Null, and nothing written, when the lease or the nonce is not ours, or the claim has it or is over.
 */
export async function commitFunding(
  db: Db,
  lease: Lease,
  nonce: bigint,
  { settlementId, cost }: { settlementId: string; cost: bigint },
  attempt: NewAttempt,
): Promise<string | null> {
  const [facts] = await db.query<{ slotId: string | null }>`
    WITH lane AS (
      SELECT "id" FROM "Lane"
      WHERE "id" = ${lease.laneId}::uuid AND "holder" = ${lease.holder} AND "epoch" = ${lease.epoch} AND "leaseUntil" > now()
        AND "nextNonce" = ${nonce} AND "status" = 'ready' FOR UPDATE
    ), claim AS (
      SELECT s."id", s."tenantId", s."network", ${PURSE} AS "purse", s."freeFrom" FROM "Settlement" s, lane
      WHERE s."id" = ${settlementId}::uuid AND s."state" = 'CLAIMED' AND s."fundedSlotId" IS NULL FOR UPDATE OF s
    ), slot AS (
      INSERT INTO "Slot" ("id", "laneId", "nonce", "kind") SELECT ${uuidv7()}::uuid, lane."id", ${nonce}, ${attempt.kind} FROM lane, claim
      RETURNING "id"
    ), attempt AS (${insertAttempt(sql`slot."id" FROM slot`, attempt)}
    ), advanced AS (
      UPDATE "Lane" l SET "nextNonce" = l."nextNonce" + 1 FROM lane, slot WHERE l."id" = lane."id"
    ), funded AS (
      UPDATE "Settlement" s SET "fundedSlotId" = slot."id" FROM slot, claim WHERE s."id" = claim."id"
    ), shares AS MATERIALIZED (
      SELECT claim."tenantId", claim."network", claim."purse", claim."freeFrom", ${cost.toString()}::numeric AS "spent"
      FROM claim, slot
    ), ${SPENDING}
    SELECT (SELECT "id" FROM slot) AS "slotId"`
  return facts?.slotId ?? null
}

/** Counts a payer that took ether for its approval and did not approve. */
export async function recordUnapproved(db: Db, settlementId: string): Promise<void> {
  await db.execute`
    INSERT INTO "PayerFailure" ("network", "payer", "tenantId", "party", "settlementId", "kind")
    SELECT "network", "payer", "tenantId", "party", "id", 'unapproved' FROM "Settlement"
    WHERE "id" = ${settlementId}::uuid AND "fundedSlotId" IS NOT NULL
    ON CONFLICT ("settlementId") DO NOTHING`
}
