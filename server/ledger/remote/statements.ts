import type { Db } from '../../db/database'
import { sql, uuids } from '../../db/sql'
import type { Reason } from '../../x402/reasons/reasons'
import { historyOfMoved } from '../statements/history'
import type { LandedMember, Landing } from '../statements/landings'
import type { Member } from '../statements/slots'
import type { FailedState } from '../states'

/** A settlement at another facilitator, with the facts to find it on the chain. */
export type RemoteRow = Member & {
  network: string
  /** The transaction that the facilitator reported. */
  txHash: string | null
  /** A block at which its authorization was unused. */
  sinceBlock: bigint
  /** The facilitator's known sender addresses at the hand-over. */
  senders: string[]
}

// Only these statements move such a settlement while it is in flight: it has no slot that fences it.
const IN_FLIGHT = sql`"laneClass" = 'remote' AND "state" IN ('PREPARED', 'BROADCAST')`

/**
 * Commits a hand-over before the facilitator is called: from then on it may have the transfer. False, and nothing written, when the claim
 * was freed.
 */
export async function handOver(
  db: Db,
  settlementId: string,
  by: { sinceBlock: bigint; senders: readonly string[]; checkInMs: number },
): Promise<boolean> {
  const rows = await db.query<unknown>`
    UPDATE "Settlement" SET "state" = 'PREPARED', "sinceBlock" = ${by.sinceBlock}, "senders" = ${[...by.senders]}::text[],
      "nextCheckAt" = now() + ${by.checkInMs}::int * interval '1 ms'
    WHERE "id" = ${settlementId}::uuid AND "laneClass" = 'remote' AND "state" = 'CLAIMED' AND "sinceBlock" IS NULL RETURNING 1`
  return rows.length === 1
}

/**
 * Takes back a hand-over that the facilitator certainly did not get. It is a claim again, which only `rejectClaim` frees and which is
 * never handed over again. False when it turned out to be in flight.
 */
export async function takeBackHandOver(db: Db, settlementId: string): Promise<boolean> {
  const rows = await db.query<unknown>`
    UPDATE "Settlement" SET "state" = 'CLAIMED', "nextCheckAt" = now()
    WHERE "id" = ${settlementId}::uuid AND "laneClass" = 'remote' AND "state" = 'PREPARED' AND "txHash" IS NULL RETURNING 1`
  return rows.length === 1
}

/** Records that the facilitator answered, perhaps with a transaction. The first one stays. */
export async function recordAnswer(db: Db, settlementId: string, txHash: string | null): Promise<void> {
  await db.execute`
    UPDATE "Settlement" SET "state" = 'BROADCAST', "txHash" = COALESCE("txHash", ${txHash})
    WHERE "id" = ${settlementId}::uuid AND ${IN_FLIGHT}`
}

/** The settlements among these that are at another facilitator. */
export async function findRemote(db: Db, settlementIds: string[]): Promise<RemoteRow[]> {
  if (settlementIds.length === 0) return []
  return db.query<RemoteRow>`
    SELECT "id" AS "settlementId", "tier", "state", "network", "asset", "transfer", "expiresAt", "txHash", "sinceBlock", "senders",
      extract(epoch FROM "createdAt")::bigint AS "claimedAt"
    FROM "Settlement" WHERE "id" IN (${uuids(settlementIds)}) AND ${IN_FLIGHT}`
}

/** Keeps settlements that this instance searches for out of other instances' rounds. Returns those still in flight. */
export async function keepRemote(db: Db, settlementIds: string[], againMs: number): Promise<Set<string>> {
  const rows = await db.query<{ id: string }>`
    UPDATE "Settlement" SET "nextCheckAt" = now() + ${againMs}::int * interval '1 ms'
    WHERE "id" IN (${uuids(settlementIds)}) AND ${IN_FLIGHT} RETURNING "id"`
  return new Set(rows.map(({ id }) => id))
}

/** Checks settlements ever less often: next after as long as they are old, at most an hour, and at their expiry. */
export async function postponeRemote(db: Db, settlementIds: string[]): Promise<void> {
  await db.execute`
    UPDATE "Settlement" SET "nextCheckAt" = LEAST(now() + LEAST(now() - "createdAt", interval '1 hour'),
      GREATEST(to_timestamp(LEAST("expiresAt", 32503680000)) + interval '5 seconds', now() + interval '1 minute'))
    WHERE "id" IN (${uuids(settlementIds)}) AND ${IN_FLIGHT}`
}

/** Records a transfer on the chain: INCLUDED, with its history row in the same statement. False when it was not in flight. */
export async function recordRemoteIncluded(
  db: Db,
  { settlementId, logIndex }: LandedMember,
  landing: Landing,
  checkInMs: number,
): Promise<boolean> {
  const rows = await db.query<unknown>`
    WITH moved AS (
      UPDATE "Settlement" SET "state" = 'INCLUDED', "txHash" = ${landing.hash}, "block" = ${landing.block}, "blockHash" = ${landing.blockHash},
        "logIndex" = ${logIndex}::int, "nextCheckAt" = now() + ${checkInMs}::int * interval '1 ms'
      WHERE "id" = ${settlementId}::uuid AND ${IN_FLIGHT} RETURNING *
    ), ${historyOfMoved([settlementId], { success: true, txHash: landing.hash })}
    SELECT "id" FROM moved`
  return rows.length === 1
}

/**
 * Records a proven failure, with its history row in the same statement. One that had landed becomes REVERSED and its row is corrected.
 * Returns the state; null when it was not in flight.
 */
export async function recordRemoteFailed(
  db: Db,
  settlementId: string,
  failed: { to: 'USED_ELSEWHERE' | 'EXPIRED'; reason: Reason; txHash: string },
): Promise<FailedState | null> {
  const [moved] = await db.query<{ state: FailedState }>`
    WITH before AS (
      SELECT EXISTS (SELECT 1 FROM "Step" WHERE "settlementId" = ${settlementId}::uuid AND "to" = 'INCLUDED') AS landed
    ), moved AS (
      UPDATE "Settlement" SET "state" = CASE WHEN before.landed THEN 'REVERSED' ELSE ${failed.to} END,
        "reason" = CASE WHEN before.landed THEN 'settlement_reversed' ELSE ${failed.reason} END,
        "txHash" = COALESCE(NULLIF(${failed.txHash}, ''), "txHash")
      FROM before WHERE "id" = ${settlementId}::uuid AND ${IN_FLIGHT}
      RETURNING "Settlement".*
    ), ${historyOfMoved([settlementId], { success: false, txHash: failed.txHash })}
    SELECT "state" FROM moved`
  return moved?.state ?? null
}
