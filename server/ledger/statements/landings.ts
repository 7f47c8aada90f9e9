import type { Db } from '../../db/database'
import { empty, type Sql, sql, uuids } from '../../db/sql'
import type { Reason } from '../../x402/reasons/reasons'
import type { FailedState } from '../states'
import { isAnswerableOnceIncluded } from './finality'
import { historyOfMoved } from './history'
import { type Counts, failuresOfMoved } from './payer-failures'
import { type Delivery, deliveriesOf, OUTCOME, type Outcome } from './settlements'
import { FREE_PURSE, freePurseOf, purseOf, TODAY } from './usage'

/** The facts of a receipt for the ledger and the gas meter. Prices are wei. */
export type Landing = {
  hash: string
  block: bigint
  blockHash: string
  succeeded: boolean
  gasUsed: bigint
  gasPrice: bigint
  l1Fee: bigint
}

/** A proven failure: its state, its reason, a sentence of facts where the reason lacks them, and where it counts. */
export type Failing<To extends FailedState = FailedState> = {
  to: To
  reason: Reason
  txHash: string
  detail?: string | null
  counts: Counts
}

/** A transfer that landed, and the index of its Transfer log in the block; null where it is not known. */
export type LandedMember = { settlementId: string; logIndex: number | null }

/** A settlement in a slot. The pair fences every statement below, because a settlement may move to another slot. */
export type SlotPosition = { settlementId: string; slotId: string }

// A transaction's gas is charged to its tenants once, by its first receipt: a reorganisation does not charge again.
const landed = (landing: Landing) => sql`
  attempted AS (
    SELECT "hash", "slotId", "gasUsed" IS NULL AS "uncharged" FROM "Attempt" WHERE "hash" = ${landing.hash} FOR UPDATE
  ), landed AS (
    UPDATE "Attempt" a SET "sentAt" = COALESCE(a."sentAt", now()), "block" = ${landing.block}, "succeeded" = ${landing.succeeded},
      "gasUsed" = ${landing.gasUsed}, "gasPrice" = ${landing.gasPrice}, "l1Fee" = ${landing.l1Fee}
    FROM attempted WHERE a."hash" = attempted."hash" RETURNING a."slotId"
  ), filled AS (
    UPDATE "Slot" SET "state" = 'filled' FROM landed WHERE "Slot"."id" = landed."slotId"
  ), ${charged(landing.gasUsed * landing.gasPrice + landing.l1Fee)}`

/** Records a mined transaction that ends no settlement: fills its slot and stores its gas. */
export async function recordMined(db: Db, landing: Landing): Promise<void> {
  await db.execute`WITH ${landed(landing)} SELECT 1`
}

/** A settlement that became INCLUDED, and the outcome that its waiting request got with it; null when none did. */
type IncludedRow = { id: string; delivered: Outcome | null }

/**
 * Records transfers on the chain: the settlements become INCLUDED, with their history rows in the same statement. It also delivers the
 * outcomes for which these requests wait, each once as `deliver` does. Returns those that moved; the others were not in flight in that
 * slot.
 */
export async function recordIncluded(
  db: Db,
  slotId: string,
  members: readonly LandedMember[],
  landing: Landing,
  checkInMs: number,
  waiting: readonly Delivery[] = [],
): Promise<IncludedRow[]> {
  const settlementIds = members.map(({ settlementId }) => settlementId)
  const logIndexes = JSON.stringify(Object.fromEntries(members.map(({ settlementId, logIndex }) => [settlementId, logIndex])))
  const rows = await db.query<Outcome & { id: string; answered: boolean }>`
    WITH mine AS MATERIALIZED (
      SELECT s."id", delivery."name" FROM "Settlement" s JOIN ${deliveriesOf(waiting)} ON delivery."id" = s."id" AND delivery."waiter" = s."waiter"
      WHERE s."slotId" = ${slotId}::uuid AND s."deliveredAt" IS NULL AND ${isAnswerableOnceIncluded(sql`s`)}
      ORDER BY s."id" FOR UPDATE OF s
    ), members AS MATERIALIZED (
      SELECT one."id", mine."id" IS NOT NULL AS "answered", mine."name"
      FROM unnest(${settlementIds}::uuid[]) AS one("id") LEFT JOIN mine ON mine."id" = one."id"
    ), moved AS (
      UPDATE "Settlement" s SET "state" = 'INCLUDED', "txHash" = ${landing.hash}, "block" = ${landing.block}, "blockHash" = ${landing.blockHash},
        "logIndex" = (${logIndexes}::jsonb ->> s."id"::text)::int, "nextCheckAt" = now() + ${checkInMs}::int * interval '1 ms',
        "deliveredAt" = CASE WHEN m."answered" THEN now() ELSE s."deliveredAt" END,
        "deliveredTo" = CASE WHEN m."answered" THEN m."name" ELSE s."deliveredTo" END,
        "waiter" = CASE WHEN m."answered" THEN NULL ELSE s."waiter" END,
        "waiterUntil" = CASE WHEN m."answered" THEN NULL ELSE s."waiterUntil" END
      FROM members m
      WHERE s."id" = m."id" AND s."slotId" = ${slotId}::uuid AND s."state" IN ('PREPARED', 'BROADCAST', 'PRECONFIRMED')
      RETURNING s.*, m."answered"
    ), ${landed(landing)}, ${historyOfMoved(settlementIds, { success: true, txHash: landing.hash })}
    SELECT s."id", s."answered", ${OUTCOME} FROM moved s`
  return rows.map(({ id, answered, ...outcome }) => ({ id, delivered: answered ? outcome : null }))
}

/**
 * Records preconfirmed transfers: answerable as successes, with their history rows, and watched until a block has them. Returns those
 * that moved.
 */
export async function recordPreconfirmed(db: Db, slotId: string, settlementIds: string[], hash: string): Promise<string[]> {
  const rows = await db.query<{ id: string }>`
    WITH moved AS (
      UPDATE "Settlement" SET "state" = 'PRECONFIRMED', "txHash" = ${hash}
      WHERE "id" IN (${uuids(settlementIds)}) AND "slotId" = ${slotId}::uuid AND "state" IN ('PREPARED', 'BROADCAST') RETURNING *
    ), ${historyOfMoved(settlementIds, { success: true, txHash: hash })}
    SELECT "id" FROM moved`
  return rows.map(({ id }) => id)
}

/** Records that the chain lacks a preconfirmed transfer: it is in flight again. Its history row is corrected at its terminal state. */
export async function recordUnpreconfirmed(db: Db, { settlementId, slotId }: SlotPosition): Promise<void> {
  await db.execute`
    UPDATE "Settlement" SET "state" = 'BROADCAST' WHERE "id" = ${settlementId}::uuid AND "slotId" = ${slotId}::uuid AND "state" = 'PRECONFIRMED'`
}

/**
 * Records transfers whose nonce was used without them and which can still happen: they are claims again, to be sent alone. Returns those
 * that moved.
 */
export async function recordReturned(db: Db, slotId: string, settlementIds: string[], landing: Landing): Promise<string[]> {
  const rows = await db.query<{ id: string }>`
    WITH moved AS (
      UPDATE "Settlement" SET "state" = 'CLAIMED', "slotId" = NULL, "txHash" = ${landing.hash}, "returns" = "returns" + 1, "nextCheckAt" = now()
      WHERE "id" IN (${uuids(settlementIds)}) AND "slotId" = ${slotId}::uuid AND "state" IN ('PREPARED', 'BROADCAST') RETURNING "id"
    ), ${landed(landing)}
    SELECT "id" FROM moved`
  return rows.map(({ id }) => id)
}

// Whether a settlement was ever answerable as a success, and the name of its failure then.
const beforehand = (settlementId: string) => sql`
  before AS (
    SELECT EXISTS (SELECT 1 FROM "Step" WHERE "settlementId" = ${settlementId}::uuid AND "to" IN ('INCLUDED', 'PRECONFIRMED')) AS landed
  )`
const failedTo = ({ to, reason, detail }: Failing) => sql`
  "state" = CASE WHEN before.landed THEN 'REVERSED' ELSE ${to} END, "reason" = CASE WHEN before.landed THEN 'settlement_reversed' ELSE ${reason} END,
  "detail" = CASE WHEN before.landed THEN NULL ELSE ${detail ?? null} END`

/**
 * Records a proven failure: terminal, with its history row and receipt in the same statement. One that had landed becomes REVERSED and
 * its row is corrected. Returns the state; null when it was not in flight in that slot.
 */
export async function recordFailed(
  db: Db,
  position: SlotPosition,
  failed: Failing & { landing: Landing | null },
): Promise<FailedState | null> {
  const receipt = failed.landing ? sql`${landed(failed.landing)},` : empty
  const [moved] = await db.query<{ state: FailedState }>`
    WITH ${beforehand(position.settlementId)}, moved AS (
      UPDATE "Settlement" SET ${failedTo(failed)} FROM before
      WHERE "id" = ${position.settlementId}::uuid AND "slotId" = ${position.slotId}::uuid AND "state" IN ('PREPARED', 'BROADCAST', 'PRECONFIRMED')
      RETURNING "Settlement".*
    ), ${receipt} ${failuresOfMoved(failed.counts)}, ${historyOfMoved([position.settlementId], { success: false, txHash: failed.txHash })}
    SELECT "state" FROM moved`
  return moved?.state ?? null
}

/**
 * Ends a claim whose earlier transactions were mined without it: terminal, with its history row. One that was answered as a success
 * becomes REVERSED and its row is corrected. Returns the state; null when it was no such claim.
 */
export async function recordUnsent(
  db: Db,
  settlementId: string,
  failed: Failing<'USED_ELSEWHERE' | 'EXPIRED' | 'UNPAID'>,
): Promise<FailedState | null> {
  const [moved] = await db.query<{ state: FailedState }>`
    WITH ${beforehand(settlementId)}, moved AS (
      UPDATE "Settlement" SET ${failedTo(failed)} FROM before
      WHERE "id" = ${settlementId}::uuid AND "state" = 'CLAIMED' AND "returns" > 0 RETURNING "Settlement".*
    ), ${failuresOfMoved(failed.counts)}, ${historyOfMoved([settlementId], { success: false, txHash: failed.txHash })}
    SELECT "state" FROM moved`
  return moved?.state ?? null
}

/** Ends a claim of which the merchant charges nothing. False when it was freed meanwhile. */
export async function recordUncharged(db: Db, settlementId: string): Promise<boolean> {
  const rows = await db.query<unknown>`
    WITH moved AS (
      UPDATE "Settlement" SET "state" = 'UNCHARGED' WHERE "id" = ${settlementId}::uuid AND "state" = 'CLAIMED' AND "amount" = 0 RETURNING *
    ), ${historyOfMoved([settlementId], { success: true, txHash: '' })}
    SELECT 1 FROM moved`
  return rows.length === 1
}

/** A landed settlement, in a slot or, with null, by another facilitator. */
type LandedPosition = { settlementId: string; slotId: string | null }

/** A landed settlement that is watched until it is final. */
export type LandedRow = LandedPosition & {
  network: string
  asset: string
  transfer: unknown
  txHash: string
  block: bigint
  blockHash: string
}

/** The landed settlements among these. */
export async function findLanded(db: Db, settlementIds: string[]): Promise<LandedRow[]> {
  if (settlementIds.length === 0) return []
  return db.query<LandedRow>`
    SELECT "id" AS "settlementId", "slotId", "network", "asset", "transfer", "txHash", "block", "blockHash"
    FROM "Settlement" WHERE "id" IN (${uuids(settlementIds)}) AND "state" = 'INCLUDED' ORDER BY "id"`
}

/** Records the same transfer in another block after a reorganisation. */
export async function recordOtherBlock(
  db: Db,
  position: LandedPosition,
  landing: Landing,
  logIndex: number | null,
): Promise<void> {
  await db.execute`
    WITH ${landed(landing)}
    UPDATE "Settlement" SET "txHash" = ${landing.hash}, "block" = ${landing.block}, "blockHash" = ${landing.blockHash}, "logIndex" = ${logIndex}::int
    WHERE "id" = ${position.settlementId}::uuid AND "slotId" IS NOT DISTINCT FROM ${position.slotId}::uuid AND "state" = 'INCLUDED'`
}

/** Records that a reorganisation removed the transfer: it is in flight again and due at once. */
export async function recordUnlanded(db: Db, position: LandedPosition): Promise<void> {
  await db.execute`
    WITH moved AS (
      UPDATE "Settlement" SET "state" = 'BROADCAST', "block" = NULL, "blockHash" = NULL, "logIndex" = NULL, "nextCheckAt" = now()
      WHERE "id" = ${position.settlementId}::uuid AND "slotId" IS NOT DISTINCT FROM ${position.slotId}::uuid AND "state" = 'INCLUDED' RETURNING "slotId"
    )
    UPDATE "Slot" SET "state" = 'open' FROM moved WHERE "Slot"."id" = moved."slotId"`
}

/**
 * The common table expression that charges the cost of a transaction (smallest unit of its network) to its members' tenants, each by its
 * share. It reads from `attempted`.
 */
export function charged(cost: bigint): Sql {
  return sql`
    shares AS MATERIALIZED (
      SELECT s."tenantId", s."network", ${PURSE} AS "budget", s."freeFrom",
        ceil(${cost.toString()}::numeric * count(*) / (SELECT count(*) FROM "SlotMember" x WHERE x."slotId" = attempted."slotId")) AS "spent"
      FROM attempted JOIN "SlotMember" m ON m."slotId" = attempted."slotId" JOIN "Settlement" s ON s."id" = m."settlementId"
      WHERE attempted."uncharged"
      GROUP BY attempted."slotId", s."tenantId", s."network", 3, s."freeFrom"
    ), ${SPENDING}`
}

/** The budget of the settlement `s`. */
export const PURSE = purseOf(sql`s."tenantId"`, sql`s."party"`)

/**
 * The common table expressions that add today's spending of tenants and of budgets. They read from `shares`: "tenantId", "network", "budget",
 * "freeFrom" and "spent". Tenants come first in each statement, so that two statements never deadlock.
 */
export const SPENDING = sql`
  charged AS (
    INSERT INTO "SponsorSpend" ("day", "tenantId", "network", "spent")
    SELECT ${TODAY}, "tenantId", "network", sum("spent") FROM shares GROUP BY "tenantId", "network" ORDER BY "tenantId", "network"
    ON CONFLICT ("day", "tenantId", "network") DO UPDATE SET "spent" = "SponsorSpend"."spent" + EXCLUDED."spent"
    RETURNING "tenantId"
  ), budgets AS (
    INSERT INTO "GasSpend" ("day", "budget", "network", "spent")
    SELECT ${TODAY}, p."budget", s."network", sum(s."spent")
    FROM shares s CROSS JOIN LATERAL (VALUES (s."budget"), (CASE WHEN s."freeFrom" IS NOT NULL THEN ${FREE_PURSE} END),
      (${freePurseOf(sql`s."freeFrom"`)})) p("budget")
    WHERE p."budget" IS NOT NULL AND (SELECT count(*) FROM charged) > 0
    GROUP BY p."budget", s."network" ORDER BY p."budget", s."network"
    ON CONFLICT ("day", "budget", "network") DO UPDATE SET "spent" = "GasSpend"."spent" + EXCLUDED."spent"
  )`
