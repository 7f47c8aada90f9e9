import type { Db } from '../../db/database'
import { uuids } from '../../db/sql'
import type { LaneClass } from './lanes'
import type { Member } from './slots'

/** A claim whose earlier transaction was mined without it. */
export type ReturnedClaim = Omit<Member, 'state'> & {
  /** Whose turn it takes in a queue. */
  party: string
  laneClass: LaneClass
  network: string
  /** It shares its transaction with no other payment. */
  alone: boolean
  returns: number
  /** The last transaction that was mined without it. */
  txHash: string | null
  /** Its horizon is over: it is not carried any more. */
  overdue: boolean
}

/** A claim that is in no queue. */
export type UnqueuedClaim = Omit<ReturnedClaim, 'returns' | 'txHash' | 'overdue'>

/** Takes claims of these signers that wait for any instance with a lane, for the queue of this one. */
export function takeUnqueued(
  db: Db,
  of: { network: string; laneClass: LaneClass },
  by: string,
  limit: number,
): Promise<UnqueuedClaim[]> {
  return db.query<UnqueuedClaim>`
    UPDATE "Settlement" s SET "queuedBy" = ${by}
    FROM (
      SELECT "id" FROM "Settlement"
      WHERE "network" = ${of.network} AND "laneClass" = ${of.laneClass} AND "state" = 'CLAIMED' AND "queuedBy" IS NULL
      ORDER BY "id" LIMIT ${limit} FOR UPDATE SKIP LOCKED
    ) free WHERE s."id" = free."id"
    RETURNING s."id" AS "settlementId", s."party", s."tier", s."laneClass", s."network", s."asset", s."transfer", s."expiresAt",
      extract(epoch FROM s."createdAt")::bigint AS "claimedAt", s."alone"`
}

/**
 * Leaves claims of these signers to any instance again when the one in whose queue they were holds no lane of theirs any more: it is
 * gone, or cannot sign. Only while somebody may wait for them: later they are freed. Those that were in a slot before come back by
 * `findReturned`.
 */
export async function leaveAgain(db: Db, of: { network: string; laneClass: LaneClass }): Promise<void> {
  await db.execute`
    UPDATE "Settlement" s SET "queuedBy" = NULL
    FROM (
      SELECT c."id" FROM "Settlement" c
      WHERE c."network" = ${of.network} AND c."laneClass" = ${of.laneClass} AND c."state" = 'CLAIMED' AND c."queuedBy" IS NOT NULL AND c."returns" = 0
        AND c."waiterUntil" > now()
        AND NOT EXISTS (
          SELECT 1 FROM "Lane" l WHERE l."network" = c."network" AND l."class" = c."laneClass" AND l."holder" = c."queuedBy" AND l."leaseUntil" > now()
        )
      FOR UPDATE OF c SKIP LOCKED
    ) lost WHERE s."id" = lost."id" AND s."state" = 'CLAIMED'`
}

/** Those of these settlements that are claims again. */
export async function findReturned(db: Db, settlementIds: string[], horizonMs: number): Promise<ReturnedClaim[]> {
  if (settlementIds.length === 0) return []
  return db.query<ReturnedClaim>`
    SELECT "id" AS "settlementId", "party", "tier", "laneClass", "network", "asset", "transfer", "expiresAt", "returns", "txHash",
      extract(epoch FROM "createdAt")::bigint AS "claimedAt", true AS "alone", "createdAt" < now() - ${horizonMs}::int * interval '1 ms' AS "overdue"
    FROM "Settlement" WHERE "id" IN (${uuids(settlementIds)}) AND "state" = 'CLAIMED' AND "returns" > 0`
}
