import type { Db } from '../../db/database'
import { batchPerTick } from '../../db/database'
import { empty, sql, uuids } from '../../db/sql'
import type { Reason } from '../../x402/reasons/reasons'
import { listening } from '../statements/events'
import { historyOfMoved } from '../statements/history'
import { PURSE, SPENDING } from '../statements/landings'
import { type Counts, failuresOfMoved } from '../statements/payer-failures'
import type { FailedState, State } from '../states'

/** A signed transaction before its commit, with its fee (lamports) and a slot at which it had not happened yet. */
type NewSvmAttempt = {
  settlementId: string
  signature: string
  raw: string
  fee: bigint
  sinceSlot: bigint
  checkInMs: number
}

/** A settlement on Solana that is in flight. */
export type SvmSettlement = {
  settlementId: string
  state: State
  network: string
  signature: string
  raw: string
  /** The last block height at which it can land. */
  lastHeight: bigint
  sinceSlot: bigint
  /** The source account, the amount (atomic units) and the fee (lamports). */
  source: string
  amount: bigint
  fee: bigint
  /** The mint, and the wallet to pay. */
  asset: string
  payTo: string
}

/** A transaction that is in the chain. */
export type SvmLanding = { settlementId: string; slot: bigint }

// Only these statements move such a settlement while it is in flight: it has no slot of a lane that fences it.
const IN_FLIGHT = sql`"network" LIKE 'solana:%' AND "laneClass" <> 'remote' AND "state" IN ('PREPARED', 'BROADCAST')`

/**
 * The write-ahead of a send: commits a claim's one signed transaction before any byte is sent. False, and nothing written, when the claim
 * was freed meanwhile.
 */
export function commitSigned(db: Db, attempt: NewSvmAttempt): Promise<boolean> {
  return commitBatched(db, attempt)
}

const commitBatched = batchPerTick(async (db: Db, attempts: readonly NewSvmAttempt[]): Promise<boolean[]> => {
  const column = (of: (attempt: NewSvmAttempt) => string) => attempts.map(of)
  const rows = await db.query<{ id: string }>`
    WITH signed AS (
      SELECT * FROM unnest(${column(({ settlementId }) => settlementId)}::uuid[], ${column(({ signature }) => signature)}::text[],
        ${column(({ raw }) => raw)}::text[], ${column(({ fee }) => fee.toString())}::bigint[],
        ${column(({ sinceSlot }) => sinceSlot.toString())}::bigint[], ${attempts.map(({ checkInMs }) => checkInMs)}::int[])
        AS signed("id", "signature", "raw", "fee", "sinceSlot", "checkInMs")
    ), claim AS (
      SELECT s."id" FROM "Settlement" s JOIN signed ON signed."id" = s."id" WHERE s."state" = 'CLAIMED' ORDER BY s."id" FOR UPDATE OF s
    ), moved AS (
      UPDATE "Settlement" s SET "state" = 'PREPARED', "txHash" = signed."signature", "sinceBlock" = signed."sinceSlot",
        "nextCheckAt" = now() + signed."checkInMs" * interval '1 ms'
      FROM claim JOIN signed ON signed."id" = claim."id" WHERE s."id" = claim."id" RETURNING s."id"
    ), attempt AS (
      INSERT INTO "SvmAttempt" ("signature", "settlementId", "raw", "fee")
      SELECT signed."signature", signed."id", signed."raw", signed."fee" FROM signed JOIN moved ON moved."id" = signed."id"
    )
    SELECT "id"::text FROM moved`
  const moved = new Set(rows.map(({ id }) => id))
  return attempts.map(({ settlementId }) => moved.has(settlementId))
})

/** Records that a node took the bytes. Settlements that have moved further stay where they are. */
export function markSvmSent(db: Db, settlementId: string): Promise<void> {
  return markBatched(db, settlementId)
}

const markBatched = batchPerTick(async (db: Db, ids: readonly string[]): Promise<undefined[]> => {
  await db.execute`
    WITH under AS (
      SELECT "id" FROM "Settlement" WHERE "id" IN (${uuids([...ids])}) AND "state" = 'PREPARED' ORDER BY "id" FOR UPDATE
    ), sent AS (
      UPDATE "SvmAttempt" a SET "sentAt" = COALESCE(a."sentAt", now()) FROM under WHERE a."settlementId" = under."id"
    )
    UPDATE "Settlement" s SET "state" = 'BROADCAST' FROM under WHERE s."id" = under."id"`
  return ids.map(() => undefined)
})

/** The settlements among these that are in flight on Solana. */
export async function findSvm(db: Db, settlementIds: string[]): Promise<SvmSettlement[]> {
  if (settlementIds.length === 0) return []
  const rows = await db.query<Omit<SvmSettlement, 'amount'> & { amount: string }>`
    SELECT s."id" AS "settlementId", s."state", s."network", a."signature", a."raw", s."expiresAt" AS "lastHeight", s."sinceBlock" AS "sinceSlot",
      s."transfer" ->> 'source' AS "source", s."amount"::text AS "amount", a."fee", s."asset", s."payTo"
    FROM "Settlement" s JOIN "SvmAttempt" a ON a."settlementId" = s."id"
    WHERE s."id" IN (${uuids(settlementIds)}) AND ${IN_FLIGHT}`
  return rows.map((row) => ({ ...row, amount: BigInt(row.amount) }))
}

/** Keeps settlements that this instance watches out of other instances' rounds. Returns those still in flight. */
export async function keepSvm(db: Db, settlementIds: string[], againMs: number): Promise<Set<string>> {
  const rows = await db.query<{ id: string }>`
    WITH mine AS (
      SELECT "id" FROM "Settlement" WHERE "id" IN (${uuids(settlementIds)}) AND ${IN_FLIGHT} ORDER BY "id" FOR UPDATE
    )
    UPDATE "Settlement" s SET "nextCheckAt" = now() + ${againMs}::int * interval '1 ms' FROM mine WHERE s."id" = mine."id" RETURNING s."id"`
  return new Set(rows.map(({ id }) => id))
}

/** Records transfers on the chain: INCLUDED, with their history rows and fees in the same statement. Returns those that moved. */
export async function recordSvmIncluded(db: Db, landings: readonly SvmLanding[], checkInMs: number): Promise<string[]> {
  const ids = landings.map(({ settlementId }) => settlementId)
  const rows = await db.query<{ id: string }>`
    WITH seen AS (
      SELECT * FROM unnest(${ids}::uuid[], ${landings.map(({ slot }) => slot.toString())}::bigint[]) AS seen("id", "slot")
    ), mine AS (
      SELECT s."id" FROM "Settlement" s JOIN seen ON seen."id" = s."id" WHERE ${IN_FLIGHT} ORDER BY s."id" FOR UPDATE OF s
    ), moved AS (
      UPDATE "Settlement" s SET "state" = 'INCLUDED', "block" = seen."slot", "blockHash" = seen."slot"::text,
        "nextCheckAt" = now() + ${checkInMs}::int * interval '1 ms'
      FROM mine JOIN seen ON seen."id" = mine."id" WHERE s."id" = mine."id" RETURNING s.*
    ), ${landed(true)}, ${historyOfMoved(ids, { success: true })}
    SELECT "id"::text FROM moved`
  return rows.map(({ id }) => id)
}

/** Records the same transfer in another slot after a fork. */
export async function recordOtherSlot(db: Db, settlementId: string, slot: bigint): Promise<void> {
  await db.execute`
    UPDATE "Settlement" SET "block" = ${slot}, "blockHash" = ${slot.toString()} WHERE "id" = ${settlementId}::uuid AND "state" = 'INCLUDED'`
}

/**
 * A proven failure: on the chain with an error, or past the last height. `UNPAID`: of a transaction of ours, for which another one may be
 * signed now.
 */
export type SvmFailure = { to: 'REVERTED' | 'EXPIRED' | 'UNPAID'; reason: Reason; detail?: string | null; counts: Counts }

/** A blockhash lives for 150 blocks: a payer that brings one with less than half of them chose that. */
const HALF_A_LIFE = 75

/**
 * An expiry is its payer's failure only when a node took the bytes, and its blockhash was old or another payer's payment landed meanwhile.
 * Else our nodes or the cluster may be the reason. Ids of later claims are greater.
 */
const EXPIRY_OF_PAYER = sql`EXISTS (SELECT 1 FROM mine WHERE mine."id" = m."id" AND mine."taken") AND (
  COALESCE((m."transfer" ->> 'left')::int < ${HALF_A_LIFE}::int, false) OR EXISTS (
    SELECT 1 FROM "Settlement" o WHERE o."id" > m."id" AND o."network" = m."network" AND o."payer" <> m."payer" AND o."state" IN ('INCLUDED', 'FINAL')))`

const HEARD = sql`EXISTS (
  SELECT 1 FROM "Tenant" t CROSS JOIN LATERAL (SELECT 1 FROM ${listening(sql`'payment.failed'`)}) l WHERE t."id" = s."tenantId")`

/**
 * Records proven failures, with their history rows and the fees of those on the chain (`slot`), in one statement. One that had landed
 * becomes REVERSED and its row is corrected. The channel of a lost charge is due at once. Returns the states of those that were in flight.
 */
export async function recordSvmFailed(
  db: Db,
  { to, reason, detail, counts }: SvmFailure,
  failed: readonly { settlementId: string; slot: bigint | null }[],
): Promise<Map<string, FailedState>> {
  const ids = failed.map(({ settlementId }) => settlementId)
  // An event reports this failure. Only the merchant may charge it again then, not the service.
  const toldAt = to === 'UNPAID' ? sql`CASE WHEN mine.landed THEN s."toldAt" WHEN ${HEARD} THEN now() END` : sql`s."toldAt"`
  const receipts = failed.every(({ slot }) => slot !== null) ? sql`${landed(false)},` : empty
  const rows = await db.query<{ id: string; state: FailedState }>`
    WITH seen AS (
      SELECT * FROM unnest(${ids}::uuid[], ${failed.map(({ slot }) => slot?.toString() ?? '')}::text[]) AS seen("id", "slot")
    ), mine AS (
      SELECT s."id", s."state" = 'BROADCAST' AS "taken", EXISTS (SELECT 1 FROM "Step" t WHERE t."settlementId" = s."id" AND t."to" = 'INCLUDED') AS landed
      FROM "Settlement" s JOIN seen ON seen."id" = s."id" WHERE ${IN_FLIGHT} ORDER BY s."id" FOR UPDATE OF s
    ), moved AS (
      UPDATE "Settlement" s SET "state" = CASE WHEN mine.landed THEN 'REVERSED' ELSE ${to} END,
        "reason" = CASE WHEN mine.landed THEN 'settlement_reversed' ELSE ${reason} END,
        "detail" = CASE WHEN mine.landed THEN NULL ELSE ${detail ?? null} END, "toldAt" = ${toldAt}, "block" = NULLIF(seen."slot", '')::bigint
      FROM mine JOIN seen ON seen."id" = mine."id" WHERE s."id" = mine."id" RETURNING s.*
    ), ${lostCharges}, ${receipts} ${failuresOfMoved(counts, to === 'EXPIRED' ? EXPIRY_OF_PAYER : sql`true`)}, ${historyOfMoved(ids, { success: false })}
    SELECT "id"::text, "state" FROM moved`
  return new Map(rows.map(({ id, state }) => [id, state]))
}

// Before all others: the voucher of a charge ends soon.
const lostCharges = sql`
  due AS (
    UPDATE "UptoChannel" u SET "checkAt" = to_timestamp(0) FROM moved m
    WHERE u."network" = m."network" AND u."claimKey" = m."intentKey" AND u."closedAt" IS NULL AND m."kind" = 'payment'
  )`

// A transaction costs its fee once, by its first landing: landing again after a fork costs nothing.
const landed = (succeeded: boolean) => sql`
  attempted AS (
    SELECT a."signature", a."fee", a."slot" IS NULL AS "uncharged", s."block", s."tenantId", s."network", ${PURSE} AS "budget", s."freeFrom"
    FROM "SvmAttempt" a JOIN moved s ON s."id" = a."settlementId"
  ), noted AS (
    UPDATE "SvmAttempt" a SET "sentAt" = COALESCE(a."sentAt", now()), "slot" = attempted."block", "succeeded" = ${succeeded}
    FROM attempted WHERE a."signature" = attempted."signature"
  ), shares AS MATERIALIZED (
    SELECT "tenantId", "network", "budget", "freeFrom", sum("fee") AS "spent"
    FROM attempted WHERE "uncharged" GROUP BY "tenantId", "network", "budget", "freeFrom"
  ), ${SPENDING}`
