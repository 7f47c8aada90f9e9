import { v7 as uuidv7 } from 'uuid'
import type { Db } from '../../db/database'
import { type Sql, sql } from '../../db/sql'
import { PURSE, SPENDING } from './landings'
import type { Lease } from './lanes'
import { insertAttempt, type NewAttempt } from './slots'
import { APPROVALS_PURSE, TODAY } from './usage'

/** What a day's approvals of all payers on a network may cost together: so many times the most of one. */
export const APPROVALS_A_DAY = 100n

/** How a funding ended: in a slot; beyond the day's ceiling; or not ours to send. Nothing is written unless there is a slot. */
type Funded = { slotId: string } | 'day spent' | null

/**
 * The write-ahead of the ether that a payer needs for its approval: commits nonce, signed bytes and their cost, in wei, before any byte
 * is sent. Each claim gets it once. The same statement counts it against the day's ceiling, which none can pass. Null when the lease or the
 * nonce is not ours, or the claim has it or is over.
 */
export async function commitFunding(
  db: Db,
  lease: Lease,
  nonce: bigint,
  { settlementId, cost, dayMax }: { settlementId: string; cost: bigint; dayMax: bigint },
  attempt: NewAttempt,
): Promise<Funded> {
  const [facts] = await db.query<{ slotId: string | null; refused: boolean }>`
    WITH lane AS (
      SELECT "id" FROM "Lane"
      WHERE "id" = ${lease.laneId}::uuid AND "holder" = ${lease.holder} AND "epoch" = ${lease.epoch} AND "leaseUntil" > now()
        AND "nextNonce" = ${nonce} AND "status" = 'ready' FOR UPDATE
    ), claim AS (
      SELECT s."id", s."tenantId", s."network", ${PURSE} AS "budget", s."freeFrom" FROM "Settlement" s, lane
      WHERE s."id" = ${settlementId}::uuid AND s."state" = 'CLAIMED' AND s."fundedSlotId" IS NULL FOR UPDATE OF s
    ), counted AS (
      INSERT INTO "GasSpend" AS g ("day", "budget", "network", "spent")
      SELECT ${TODAY}, ${APPROVALS_PURSE}, claim."network", ${cost.toString()}::numeric FROM claim WHERE ${cost.toString()}::numeric <= ${dayMax.toString()}::numeric
      ON CONFLICT ("day", "budget", "network") DO UPDATE SET "spent" = g."spent" + EXCLUDED."spent"
        WHERE g."spent" + EXCLUDED."spent" <= ${dayMax.toString()}::numeric
      RETURNING "network"
    ), slot AS (
      INSERT INTO "Slot" ("id", "laneId", "nonce", "kind")
      SELECT ${uuidv7()}::uuid, lane."id", ${nonce}, ${attempt.kind} FROM lane, claim JOIN counted USING ("network")
      RETURNING "id"
    ), attempt AS (${insertAttempt(sql`slot."id" FROM slot`, attempt)}
    ), advanced AS (
      UPDATE "Lane" l SET "nextNonce" = l."nextNonce" + 1 FROM lane, slot WHERE l."id" = lane."id"
    ), funded AS (
      UPDATE "Settlement" s SET "fundedSlotId" = slot."id" FROM slot, claim WHERE s."id" = claim."id"
    ), shares AS MATERIALIZED (
      SELECT claim."tenantId", claim."network", claim."budget", claim."freeFrom", ${cost.toString()}::numeric AS "spent"
      FROM claim, slot
    ), ${SPENDING}
    SELECT (SELECT "id" FROM slot) AS "slotId", EXISTS (SELECT 1 FROM claim) AND NOT EXISTS (SELECT 1 FROM counted) AS "refused"`
  if (facts?.slotId) return { slotId: facts.slotId }
  return facts?.refused ? 'day spent' : null
}

/** Counts a payer that took ether for its approval and did not approve. */
export async function recordUnapproved(db: Db, settlementId: string): Promise<void> {
  await db.execute(unapproved(settlementId, sql`true`))
}

/** As `recordUnapproved`, of a payer whose time is over: only if the ether has reached it, because a slow lane is not its fault. */
export async function recordLateApproval(db: Db, settlementId: string): Promise<void> {
  await db.execute(
    unapproved(settlementId, sql`EXISTS (SELECT 1 FROM "Slot" x WHERE x."id" = s."fundedSlotId" AND x."state" <> 'open')`),
  )
}

const unapproved = (settlementId: string, when: Sql) => sql`
  INSERT INTO "PayerFailure" ("network", "payer", "tenantId", "party", "settlementId", "kind")
  SELECT s."network", s."payer", s."tenantId", s."party", s."id", 'unapproved' FROM "Settlement" s
  WHERE s."id" = ${settlementId}::uuid AND s."fundedSlotId" IS NOT NULL AND ${when}
  ON CONFLICT ("settlementId") DO NOTHING`
