import { v7 as uuidv7 } from 'uuid'
import { Prisma } from '../../generated/prisma/client'
import type { Db } from './database'
import type { Lease } from './lanes'
import type { State } from './states'

/** A signed transaction that is about to be committed. Fees are wei per gas. */
export type NewAttempt = { hash: string; raw: string; gas: bigint; maxFeePerGas: bigint; tipPerGas: bigint }

/** A transaction of a slot that is not filled yet, with the settlement it carries. */
export type OpenAttempt = {
  settlementId: string
  state: State
  network: string
  asset: string
  transfer: unknown
  expiresAt: bigint
  slotId: string
  laneId: string
  /** The lane's address. */
  signer: string
  nonce: bigint
  hash: string
  raw: string
}

/**
 * The write-ahead of a send: nonce, signed bytes and membership are committed in one statement, before any byte leaves
 * (I3). Null, and nothing written, when the lease is lost, the nonce is not the lane's next, or the claim has moved on.
 */
export async function commitAttempt(
  db: Db,
  lease: Lease,
  nonce: bigint,
  settlementId: string,
  attempt: NewAttempt,
  recheckMs: number,
): Promise<{ slotId: string } | null> {
  const slotId = uuidv7()
  const [written] = await db.$queryRaw<{ slotId: string }[]>`
    WITH lane AS (
      SELECT "id" FROM "Lane"
      WHERE "id" = ${lease.laneId}::uuid AND "holder" = ${lease.holder} AND "epoch" = ${lease.epoch} AND "leaseUntil" > now()
        AND "nextNonce" = ${nonce} AND "status" = 'ready' FOR UPDATE
    ), member AS (
      SELECT s."id" FROM "Settlement" s, lane WHERE s."id" = ${settlementId}::uuid AND s."state" = 'CLAIMED' FOR UPDATE OF s
    ), slot AS (
      INSERT INTO "Slot" ("id", "laneId", "nonce", "kind") SELECT ${slotId}::uuid, lane."id", ${nonce}, 'pay' FROM lane, member RETURNING "id"
    ), attempt AS (
      INSERT INTO "Attempt" ("hash", "slotId", "raw", "gas", "maxFeePerGas", "tipPerGas")
      SELECT ${attempt.hash}, slot."id", ${attempt.raw}, ${attempt.gas}, ${attempt.maxFeePerGas}, ${attempt.tipPerGas} FROM slot
    ), membership AS (
      INSERT INTO "SlotMember" ("slotId", "settlementId") SELECT slot."id", member."id" FROM slot, member
    ), advanced AS (
      UPDATE "Lane" l SET "nextNonce" = l."nextNonce" + 1 FROM lane, slot WHERE l."id" = lane."id"
    ), moved AS (
      UPDATE "Settlement" s SET "state" = 'PREPARED', "slotId" = slot."id", "txHash" = ${attempt.hash},
        "nextCheckAt" = now() + ${recheckMs}::int * interval '1 ms'
      FROM slot, member WHERE s."id" = member."id"
    )
    SELECT slot."id" AS "slotId" FROM slot`
  return written ?? null
}

/** Records that a node took the bytes. A settlement that has moved further stays where it is. */
export async function markSent(db: Db, slotId: string, hash: string): Promise<void> {
  await db.$executeRaw`
    WITH sent AS (UPDATE "Attempt" SET "sentAt" = COALESCE("sentAt", now()) WHERE "hash" = ${hash})
    UPDATE "Settlement" SET "state" = 'BROADCAST' WHERE "slotId" = ${slotId}::uuid AND "state" = 'PREPARED'`
}

const openAttempts = (which: Prisma.Sql) => Prisma.sql`
  SELECT s."id" AS "settlementId", s."state", s."network", s."asset", s."transfer", s."expiresAt",
    l."id" AS "slotId", l."laneId", lane."address" AS "signer", l."nonce", a."hash", a."raw"
  FROM "Slot" l JOIN "Lane" lane ON lane."id" = l."laneId" JOIN "SlotMember" m ON m."slotId" = l."id" JOIN "Settlement" s ON s."id" = m."settlementId"
    JOIN "Attempt" a ON a."slotId" = l."id"
  WHERE ${which}
  ORDER BY l."nonce", a."createdAt"`

/** Every attempt of a lane's unfilled slots in nonce order, whatever became of their settlements: nonces must not gap. */
export function openAttemptsOfLane(db: Db, laneId: string): Promise<OpenAttempt[]> {
  return db.$queryRaw<OpenAttempt[]>(openAttempts(Prisma.sql`l."laneId" = ${laneId}::uuid AND l."state" = 'open'`))
}

/** The attempts of these settlements, in nonce order, while they are under way, whatever is thought of their slots. */
export async function openAttemptsOf(db: Db, settlementIds: string[]): Promise<OpenAttempt[]> {
  if (settlementIds.length === 0) return []
  const ids = Prisma.join(settlementIds.map((id) => Prisma.sql`${id}::uuid`))
  return db.$queryRaw<OpenAttempt[]>(
    openAttempts(Prisma.sql`s."id" IN (${ids}) AND s."slotId" = l."id" AND s."state" IN ('PREPARED', 'BROADCAST')`),
  )
}

/** A slot whose nonce another transaction has used. */
export async function closeSlot(db: Db, slotId: string): Promise<void> {
  await db.$executeRaw`UPDATE "Slot" SET "state" = 'filled' WHERE "id" = ${slotId}::uuid`
}
