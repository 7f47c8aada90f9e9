import { v7 as uuidv7 } from 'uuid'
import { z } from 'zod'
import type { Db } from '../../db/database'
import { type Sql, sql, uuids, withoutDisk } from '../../db/sql'
import { moves, type State } from '../states'
import type { Lease } from './lanes'

/** The kind of a slot's transaction: one transfer, several, only the nonce, or ether for a payer's approval. */
export type AttemptKind = 'pay' | 'batch' | 'noop' | 'fund'

/** A signed transaction that is about to be committed. Fees are wei per gas. */
export type NewAttempt = { kind: AttemptKind; hash: string; raw: string; gas: bigint; maxFeePerGas: bigint; tipPerGas: bigint }

/** A settlement in a slot. Times are Unix seconds. */
export type Member = {
  settlementId: string
  state: State
  tier: string
  asset: string
  transfer: unknown
  expiresAt: bigint
  claimedAt: bigint
}

/** A nonce of a lane with all transactions signed for it, oldest first, and the settlements still in it. */
export type OpenSlot = {
  slotId: string
  laneId: string
  network: string
  /** The lane's address. */
  signer: string
  nonce: bigint
  attempts: NewAttempt[]
  members: Member[]
}

/** The result of a write-ahead: written; or not, because the lease or nonce is not ours, or because only these claims are left. */
type Committed = { slotId: string } | { lost: 'lane' } | { lost: 'claims'; left: string[] }

type CommitFacts = { slotId: string | null; held: boolean; left: string[] }

/**
 * The write-ahead of a send: commits nonce, signed bytes and membership in one statement, before any byte is sent. All members or none,
 * because the signed bytes hold all.
 */
export async function commitSlot(
  db: Db,
  lease: Lease,
  nonce: bigint,
  settlementIds: string[],
  attempt: NewAttempt,
  recheckMs: number,
): Promise<Committed> {
  const [facts] = await db.query<CommitFacts>`
    WITH lane AS (
      SELECT "id" FROM "Lane"
      WHERE "id" = ${lease.laneId}::uuid AND "holder" = ${lease.holder} AND "epoch" = ${lease.epoch} AND "leaseUntil" > now()
        AND "nextNonce" = ${nonce} AND "status" = 'ready' FOR UPDATE
    ), member AS (
      SELECT s."id" FROM "Settlement" s, lane WHERE s."id" IN (${uuids(settlementIds)}) AND s."state" = 'CLAIMED' ORDER BY s."id" FOR UPDATE OF s
    ), slot AS (
      INSERT INTO "Slot" ("id", "laneId", "nonce", "kind") SELECT ${uuidv7()}::uuid, lane."id", ${nonce}, ${attempt.kind} FROM lane
      WHERE (SELECT count(*) FROM member) = ${settlementIds.length} RETURNING "id"
    ), attempt AS (${insertAttempt(sql`slot."id" FROM slot`, attempt)}
    ), membership AS (
      INSERT INTO "SlotMember" ("slotId", "settlementId") SELECT slot."id", member."id" FROM slot, member
    ), advanced AS (
      UPDATE "Lane" l SET "nextNonce" = l."nextNonce" + 1 FROM lane, slot WHERE l."id" = lane."id"
    ), moved AS (
      UPDATE "Settlement" s SET "state" = 'PREPARED', "slotId" = slot."id", "txHash" = ${attempt.hash},
        "nextCheckAt" = now() + ${recheckMs}::int * interval '1 ms'
      FROM slot, member WHERE s."id" = member."id"
    )
    SELECT (SELECT "id" FROM slot) AS "slotId", EXISTS (SELECT 1 FROM lane) AS "held", ARRAY(SELECT "id"::text FROM member) AS "left"`
  if (facts?.slotId) return { slotId: facts.slotId }
  return facts?.held ? { lost: 'claims', left: facts.left } : { lost: 'lane' }
}

/** The write-ahead of a replacement: other bytes for an unused nonce. False, and nothing written, without the lease or the slot. */
export async function commitReplacement(db: Db, lease: Lease, slotId: string, attempt: NewAttempt): Promise<boolean> {
  const rows = await db.query<unknown>`
    WITH slot AS (
      SELECT l."id" FROM "Slot" l JOIN "Lane" lane ON lane."id" = l."laneId"
      WHERE l."id" = ${slotId}::uuid AND l."state" = 'open' AND lane."id" = ${lease.laneId}::uuid AND lane."holder" = ${lease.holder}
        AND lane."epoch" = ${lease.epoch} AND lane."leaseUntil" > now() FOR UPDATE OF l, lane
    ), attempt AS (${insertAttempt(sql`slot."id" FROM slot`, attempt)} RETURNING "slotId"
    ), hashed AS (
      UPDATE "Settlement" s SET "txHash" = ${attempt.hash} FROM attempt
      WHERE s."slotId" = attempt."slotId" AND s."state" IN ('PREPARED', 'BROADCAST') AND ${attempt.kind} <> 'noop'
    )
    SELECT 1 FROM attempt`
  return rows.length === 1
}

export const insertAttempt = (source: Sql, { kind, hash, raw, gas, maxFeePerGas, tipPerGas }: NewAttempt) => sql`
  INSERT INTO "Attempt" ("kind", "hash", "raw", "gas", "maxFeePerGas", "tipPerGas", "slotId")
  SELECT ${kind}, ${hash}, ${raw}, ${gas}, ${maxFeePerGas}, ${tipPerGas}, ${source}`

/**
 * Records that a node took the bytes. Settlements that have moved further stay where they are. A crash of the database may lose the mark:
 * then the bytes count as not sent yet, as they do when we crash before it.
 */
export async function markSent(db: Db, slotId: string, hash: string): Promise<void> {
  await db.execute`
    WITH sent AS (UPDATE "Attempt" SET "sentAt" = COALESCE("sentAt", now()) WHERE "hash" = ${hash})
    UPDATE "Settlement" SET "state" = 'BROADCAST' WHERE "slotId" = ${slotId}::uuid AND "state" = 'PREPARED' AND ${withoutDisk}`
}

/** Closes a slot whose nonce another transaction has used. */
export async function closeSlot(db: Db, slotId: string): Promise<void> {
  await db.execute`UPDATE "Slot" SET "state" = 'filled' WHERE "id" = ${slotId}::uuid`
}

/** The bytes that filled these nonces of a lane, in their order: the mined ones, as far as that is known. */
export async function bytesOfFilled(db: Db, laneId: string, nonces: { from: bigint; below: bigint }): Promise<string[]> {
  const rows = await db.query<{ raw: string }>`
    SELECT DISTINCT ON (l."nonce") a."raw" FROM "Slot" l JOIN "Attempt" a ON a."slotId" = l."id"
    WHERE l."laneId" = ${laneId}::uuid AND l."state" = 'filled' AND l."nonce" >= ${nonces.from} AND l."nonce" < ${nonces.below}
    ORDER BY l."nonce", a."block" IS NULL, a."kind" = 'noop' DESC, a."maxFeePerGas" DESC
    LIMIT 1000`
  return rows.map(({ raw }) => raw)
}

/** A lane's unfilled slots in nonce order, with settlements of any state: nonces must not gap. */
export function openSlotsOfLane(db: Db, laneId: string): Promise<OpenSlot[]> {
  return readSlots(db, sql`l."laneId" = ${laneId}::uuid AND l."state" = 'open'`)
}

/** The unfilled slots of a network except the known ones, on lanes of any instance. */
export function openSlotsExcept(db: Db, network: string, known: string[]): Promise<OpenSlot[]> {
  return readSlots(db, sql`lane."network" = ${network} AND l."state" = 'open' AND l."id" NOT IN (${uuids(known)})`)
}

/** The unfilled slots of a network, on lanes of any instance, and the known ones, which may be filled. */
export function openSlotsAnd(db: Db, network: string, known: string[]): Promise<OpenSlot[]> {
  return readSlots(
    db,
    sql`l."id" IN (
      SELECT o."id" FROM "Slot" o JOIN "Lane" on_lane ON on_lane."id" = o."laneId" WHERE on_lane."network" = ${network} AND o."state" = 'open'
      UNION ALL ${uuids(known)})`,
  )
}

/** The slots in which these settlements are in flight, in nonce order. */
export async function openSlotsOf(db: Db, settlementIds: string[]): Promise<OpenSlot[]> {
  if (settlementIds.length === 0) return []
  return readSlots(
    db,
    sql`l."id" IN (SELECT "slotId" FROM "Settlement" WHERE "id" IN (${uuids(settlementIds)}) AND "state" IN ('PREPARED', 'BROADCAST', 'PRECONFIRMED'))`,
  )
}

const digits = z.string().transform(BigInt)
const states = Object.keys(moves) as [State, ...State[]]
const storedAttempt = z.object({
  kind: z.enum(['pay', 'batch', 'noop', 'fund']),
  hash: z.string(),
  raw: z.string(),
  gas: digits,
  maxFeePerGas: digits,
  tipPerGas: digits,
})
const storedMember = z.object({
  settlementId: z.string(),
  state: z.enum(states),
  tier: z.string(),
  asset: z.string(),
  transfer: z.unknown(),
  expiresAt: digits,
  claimedAt: digits,
})
const stored = z.object({ attempts: z.array(storedAttempt), members: z.array(storedMember) })

type SlotRow = Omit<OpenSlot, 'attempts' | 'members'> & { attempts: unknown; members: unknown }

async function readSlots(db: Db, which: Sql): Promise<OpenSlot[]> {
  const rows = await db.query<SlotRow>`
    SELECT l."id" AS "slotId", l."laneId", lane."network", lane."address" AS "signer", l."nonce",
      (SELECT COALESCE(json_agg(json_build_object('kind', a."kind", 'hash', a."hash", 'raw', a."raw", 'gas', a."gas"::text,
          'maxFeePerGas', a."maxFeePerGas"::text, 'tipPerGas', a."tipPerGas"::text) ORDER BY a."kind" = 'noop', a."maxFeePerGas", a."hash"), '[]')
        FROM "Attempt" a WHERE a."slotId" = l."id") AS "attempts",
      (SELECT COALESCE(json_agg(json_build_object('settlementId', s."id", 'state', s."state", 'tier', s."tier", 'asset', s."asset", 'transfer', s."transfer",
          'expiresAt', s."expiresAt"::text,
          'claimedAt', extract(epoch FROM s."createdAt")::bigint::text) ORDER BY s."id"), '[]')
        FROM "SlotMember" m JOIN "Settlement" s ON s."id" = m."settlementId" AND s."slotId" = l."id" WHERE m."slotId" = l."id") AS "members"
    FROM "Slot" l JOIN "Lane" lane ON lane."id" = l."laneId"
    WHERE ${which}
    ORDER BY l."laneId", l."nonce"`
  return rows.map((row) => ({ ...row, ...stored.parse({ attempts: row.attempts, members: row.members }) }))
}
