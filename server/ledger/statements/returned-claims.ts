import type { Db } from '../../db/database'
import { uuids } from '../../db/sql'
import type { LaneClass } from './lanes'
import type { Member } from './slots'

/** A claim whose earlier transaction was mined without it. */
export type ReturnedClaim = Omit<Member, 'state'> & {
  /** The party whose turn it takes in a queue. */
  party: string
  laneClass: LaneClass
  network: string
  /** Whether it shares its transaction with no other payment. */
  alone: boolean
  returns: number
  /** The last transaction that was mined without it. */
  txHash: string | null
  /** That transaction succeeded without it: it was no no-op, and no batch that reverted as a whole. */
  missed: boolean
  /** Its horizon is over: it is not sent any more. */
  overdue: boolean
}

/** A claim that is in no queue. */
export type UnqueuedClaim = Omit<ReturnedClaim, 'returns' | 'txHash' | 'missed' | 'overdue'>

/**
 * Takes claims for the queues of this instance, at most `limit` for each of these groups of signers: unqueued ones, and those of an instance that
 * holds no lane of the same signers, because it is gone or cannot sign. The latter only while a request may wait for them, because later
 * they are freed. Claims that were in a slot before are found by `findReturned`.
 */
export async function takeUnqueued(
  db: Db,
  of: readonly { network: string; class: LaneClass; addresses: readonly string[] }[],
  by: string,
  limit: number,
): Promise<UnqueuedClaim[]> {
  if (of.length === 0) return []
  const senders = of.flatMap(({ network, addresses }) => addresses.map((address) => `${network} ${address}`))
  return db.query<UnqueuedClaim>`
    WITH free AS MATERIALIZED (
      SELECT claims."id"
      FROM unnest(${of.map(({ network }) => network)}::text[], ${of.map((one) => one.class)}::text[]) AS signers("network", "class")
      CROSS JOIN LATERAL (
        SELECT c."id" FROM "Settlement" c
        WHERE c."network" = signers."network" AND c."laneClass" = signers."class" AND c."state" = 'CLAIMED'
          AND c."amount" > 0 AND (c."sender" IS NULL OR c."network" || ' ' || c."sender" = ANY(${senders}::text[]))
          AND (c."queuedBy" IS NULL OR (c."returns" = 0 AND c."waiterUntil" > now()
            AND NOT EXISTS (
              SELECT 1 FROM "Lane" l WHERE l."network" = c."network" AND l."class" = c."laneClass" AND l."holder" = c."queuedBy" AND l."leaseUntil" > now()
                AND (c."sender" IS NULL OR l."address" = c."sender")
            )))
        ORDER BY c."id" LIMIT ${limit} FOR UPDATE OF c SKIP LOCKED
      ) claims
    )
    UPDATE "Settlement" s SET "queuedBy" = ${by} FROM free WHERE s."id" = free."id" AND s."state" = 'CLAIMED'
    RETURNING s."id" AS "settlementId", s."party", s."tier", s."laneClass", s."network", s."asset", s."transfer", s."expiresAt",
      extract(epoch FROM s."createdAt")::bigint AS "claimedAt", s."alone"`
}

/** Leaves claims that this instance took for its queue and could not queue: any instance may take them. */
export async function leaveUnqueued(db: Db, settlementIds: string[], by: string): Promise<void> {
  if (settlementIds.length === 0) return
  await db.execute`
    UPDATE "Settlement" SET "queuedBy" = NULL WHERE "id" IN (${uuids(settlementIds)}) AND "state" = 'CLAIMED' AND "queuedBy" = ${by}`
}

/** The settlements among these that came back as claims. */
export async function findReturned(db: Db, settlementIds: string[], horizonMs: number): Promise<ReturnedClaim[]> {
  if (settlementIds.length === 0) return []
  return db.query<ReturnedClaim>`
    SELECT "id" AS "settlementId", "party", "tier", "laneClass", "network", "asset", "transfer", "expiresAt", "returns", "txHash",
      extract(epoch FROM "createdAt")::bigint AS "claimedAt", true AS "alone", "createdAt" < now() - ${horizonMs}::int * interval '1 ms' AS "overdue",
      EXISTS (SELECT 1 FROM "Attempt" a WHERE a."hash" = "txHash" AND a."kind" <> 'noop' AND a."succeeded") AS "missed"
    FROM "Settlement" WHERE "id" IN (${uuids(settlementIds)}) AND "state" = 'CLAIMED' AND "returns" > 0`
}
