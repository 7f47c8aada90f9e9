import type { Db } from '../../db/database'
import { notifying } from '../../db/notices'
import { type Sql, sql, uuids } from '../../db/sql'
import type { Finality } from '../../x402/networks/finality'
import { eventData, listening } from './events'

// A literal: the database cannot tell the type of a parameter inside JSON.
const FINALIZED_EVENT = sql`'payment.finalized'::text`

/** Whether the finalized chain has the block of a FINAL settlement. On Solana only finalized ones become FINAL. */
const isFinalized = (s: Sql) =>
  sql`NOT EXISTS (SELECT 1 FROM "FinalityCheck" f WHERE f."settlementId" = ${s}."id" AND f."checkedAt" IS NULL)`

/** The finality of the settlement `s`; null unless its transfer is on the chain. */
export const finalityOf = (s: Sql) => sql`
  CASE ${s}."state" WHEN 'PRECONFIRMED' THEN 'preconfirmed' WHEN 'INCLUDED' THEN 'included'
    WHEN 'FINAL' THEN CASE WHEN ${isFinalized(s)} THEN 'finalized' ELSE 'safe' END END`

/** Whether the settlement `s` has an outcome, and the finality for which its answer waits. */
export const isAnswerable = (s: Sql) => sql`(
  ${s}."state" NOT IN ('CLAIMED', 'PREPARED', 'BROADCAST', 'REJECTED') AND (
    ${s}."waitUntil" IS NULL OR ${s}."waitUntil" = 'preconfirmed' OR ${s}."state" NOT IN ('PRECONFIRMED', 'INCLUDED', 'FINAL')
    OR (${s}."waitUntil" = 'included' AND ${s}."state" <> 'PRECONFIRMED')
    OR (${s}."state" = 'FINAL' AND (${s}."waitUntil" <> 'finalized' OR ${isFinalized(s)}))))`

/** Whether the settlement `s` has an outcome as soon as it is INCLUDED. */
export const isAnswerableOnceIncluded = (s: Sql) => sql`COALESCE(${s}."waitUntil", 'included') IN ('preconfirmed', 'included')`

/** Whether a transfer is on the chain and its answer waits for more finality. */
export async function awaitsFinality(db: Db, id: string): Promise<boolean> {
  const rows = await db.query<unknown>`
    SELECT 1 FROM "Settlement" s WHERE s."id" = ${id}::uuid AND s."state" IN ('PRECONFIRMED', 'INCLUDED', 'FINAL') AND NOT ${isAnswerable(sql`s`)}`
  return rows.length === 1
}

/** The common table expression that notes which final settlements have an event to come. It reads from `moved`, whole "Settlement" rows. */
const finalizedEventsExpected = sql`
  expected AS (
    INSERT INTO "Outbox" ("kind", "key", "network")
    SELECT 'finality', m."id"::text, m."network" FROM moved m JOIN "Tenant" t ON t."id" = m."tenantId"
    WHERE EXISTS (SELECT 1 FROM ${listening(FINALIZED_EVENT)})
    ORDER BY 2 ON CONFLICT ("kind", "key") WHERE "doneAt" IS NULL DO NOTHING
  )`

/** The common table expression that has the blocks of EVM settlements compared once they are finalized. It reads from `moved`. */
const checksExpected = sql`
  awaited AS (
    INSERT INTO "FinalityCheck" ("settlementId", "network", "block")
    SELECT m."id", m."network", m."block" FROM moved m WHERE m."network" NOT LIKE 'solana:%' ORDER BY 1
    ON CONFLICT ("settlementId") DO UPDATE SET "block" = EXCLUDED."block", "checkedAt" = NULL
  )`

/** A settlement that became final, and whether a request waits for it. */
type FinalRow = { id: string; network: string; waited: boolean }

/**
 * Makes settlements final that are deep enough in these blocks. Returns those that became it. The same statement notifies the other
 * instances, because this one may end before their network has finalized the blocks.
 */
export async function recordFinal(db: Db, rows: { settlementId: string; blockHash: string }[]): Promise<FinalRow[]> {
  const ids = rows.map(({ settlementId }) => settlementId)
  const blocks = rows.map(({ blockHash }) => blockHash)
  return db.query<FinalRow>`
    WITH moved AS (
      UPDATE "Settlement" s SET "state" = 'FINAL' FROM unnest(${ids}::uuid[], ${blocks}::text[]) AS deep("id", "blockHash")
      WHERE s."id" = deep."id" AND s."state" = 'INCLUDED' AND s."blockHash" = deep."blockHash" RETURNING s.*
    ), ${checksExpected}, ${finalizedEventsExpected}, announced AS (
      SELECT ${notifying(sql`'final ' || "network" || ' ' || max("block")`)} FROM moved GROUP BY "network"
    )
    SELECT "id", "network", "waiter" IS NOT NULL AS "waited" FROM moved WHERE (SELECT count(*) FROM announced) > 0`
}

/** Where the transfer of a settlement is, and how certain that is. */
export type Place = {
  asset: string
  logIndex: number | null
  block: bigint | null
  nonce: string | null
  finality: Finality | null
  /** How often the settlement has moved. */
  version: number
}

/** The place of a settlement's transfer; null for an unknown settlement. */
export async function readPlace(db: Db, settlementId: string): Promise<Place | null> {
  const [place] = await db.query<Place>`
    SELECT s."asset", s."logIndex", s."block", s."transfer" #>> '{authorization,nonce}' AS "nonce", ${finalityOf(sql`s`)} AS "finality", s."version"
    FROM "Settlement" s WHERE s."id" = ${settlementId}::uuid`
  return place ?? null
}

/** The newest block that a network finalized; null before the first. */
export async function readFinalized(db: Db, network: string): Promise<bigint | null> {
  const [row] = await db.query<{ finalized: bigint | null }>`
    SELECT "finalized" FROM "WatchCursor" WHERE "network" = ${network}`
  return row?.finalized ?? null
}

/** Whether settlements of a network wait until their block is finalized. */
export async function awaitsChecks(db: Db, network: string): Promise<boolean> {
  const rows = await db.query<unknown>`
    SELECT 1 FROM "FinalityCheck" WHERE "network" = ${network} AND "checkedAt" IS NULL LIMIT 1`
  return rows.length === 1
}

/** The lowest final settlements of a network whose block is finalized and was not compared yet. */
export function findUnchecked(db: Db, network: string, limit: number): Promise<FinalizedRow[]> {
  return db.query<FinalizedRow>(uncheckedQuery(network, limit))
}

/** The statement of `findUnchecked`, which reads one network's part of an index. */
export const uncheckedQuery = (network: string, limit: number) => sql`
  SELECT f."settlementId", f."block", s."blockHash" FROM "FinalityCheck" f JOIN "Settlement" s ON s."id" = f."settlementId"
  WHERE f."network" = ${network} AND f."checkedAt" IS NULL
    AND f."block" <= (SELECT w."finalized" FROM "WatchCursor" w WHERE w."network" = ${network})
  ORDER BY f."block" LIMIT ${limit}`

/** Records that the finalized chain has the blocks of these settlements. */
export async function recordChecked(db: Db, rows: readonly FinalizedRow[]): Promise<void> {
  if (rows.length === 0) return
  await db.execute`
    UPDATE "FinalityCheck" f SET "checkedAt" = now()
    FROM unnest(${idsOf(rows)}::uuid[], ${rows.map(({ block }) => block)}::bigint[]) AS seen("id", "block")
    WHERE f."settlementId" = seen."id" AND f."block" = seen."block" AND f."checkedAt" IS NULL`
}

/**
 * Records that the finalized chain has another block at the place of these settlements: they are watched again, and what became of their
 * transfers is looked for at once. Returns those that moved.
 */
export async function recordDoubted(db: Db, rows: readonly FinalizedRow[]): Promise<string[]> {
  if (rows.length === 0) return []
  const moved = await db.query<{ id: string }>`
    WITH moved AS (
      UPDATE "Settlement" s SET "state" = 'INCLUDED', "nextCheckAt" = now()
      FROM unnest(${idsOf(rows)}::uuid[], ${rows.map(({ blockHash }) => blockHash)}::text[]) AS lost("id", "blockHash")
      WHERE s."id" = lost."id" AND s."state" = 'FINAL' AND s."blockHash" = lost."blockHash"
        AND s."scrubbedAt" IS NULL
      RETURNING s."id"
    ), unchecked AS (
      DELETE FROM "FinalityCheck" f USING moved WHERE f."settlementId" = moved."id"
    ), unannounced AS (
      UPDATE "Outbox" o SET "doneAt" = now(), "gaveUp" = true FROM moved
      WHERE o."kind" = 'finality' AND o."doneAt" IS NULL AND o."key" = moved."id"::text
    )
    SELECT "id" FROM moved`
  return moved.map(({ id }) => id)
}

const idsOf = (rows: readonly FinalizedRow[]) => rows.map(({ settlementId }) => settlementId)

/** Deletes comparisons older than an hour: until then a network may take back what it finalized. */
export function pruneChecks(db: Db, limit: number): Promise<number> {
  return db.execute`
    DELETE FROM "FinalityCheck" WHERE "settlementId" IN (
      SELECT "settlementId" FROM "FinalityCheck" WHERE "checkedAt" < now() - interval '1 hour' ORDER BY "checkedAt" LIMIT ${limit}
      FOR UPDATE SKIP LOCKED)`
}

/** Whether this instance asks the network now: one instance does in each pause, and the others read what it recorded. */
export async function takeFinalityTurn(db: Db, network: string, pauseMs: number): Promise<boolean> {
  const rows = await db.query<unknown>`
    INSERT INTO "WatchCursor" AS w ("network", "finalizedAskedAt") VALUES (${network}, now())
    ON CONFLICT ("network") DO UPDATE SET "finalizedAskedAt" = now()
    WHERE w."finalizedAskedAt" IS NULL OR w."finalizedAskedAt" <= now() - ${pauseMs}::int * interval '1 ms'
    RETURNING 1`
  return rows.length === 1
}

/** Records the newest finalized block of a network. If it goes back, the blocks above it are compared again later. */
export async function recordFinalized(db: Db, network: string, block: bigint): Promise<void> {
  await db.execute`
    WITH before AS MATERIALIZED (
      SELECT "finalized" FROM "WatchCursor" WHERE "network" = ${network}
    ), recorded AS (
      INSERT INTO "WatchCursor" ("network", "finalized") VALUES (${network}, ${block}::bigint)
      ON CONFLICT ("network") DO UPDATE SET "finalized" = EXCLUDED."finalized"
    )
    UPDATE "FinalityCheck" f SET "checkedAt" = NULL FROM before
    WHERE before."finalized" > ${block}::bigint AND f."network" = ${network} AND f."block" > ${block}::bigint AND f."checkedAt" IS NOT NULL`
}

/** A final settlement and the block that has its transfer. */
export type FinalizedRow = { settlementId: string; block: bigint; blockHash: string }

/** The oldest finalized settlements of a network with an event to come, and whether others wait for their block. */
export async function findFinalized(db: Db, network: string, limit: number): Promise<{ due: string[]; waiting: boolean }> {
  const rows = await db.query<{ settlementId: string; finalized: boolean }>(finalizedQuery(network, limit))
  const due = rows.flatMap(({ settlementId, finalized }) => (finalized ? [settlementId] : []))
  return { due, waiting: due.length < rows.length }
}

/** The statement of `findFinalized`, which reads one network's part of an index. */
export const finalizedQuery = (network: string, limit: number) => sql`
  SELECT s."id" AS "settlementId", ${isFinalized(sql`s`)} AS "finalized"
  FROM "Outbox" o JOIN "Settlement" s ON s."id" = o."key"::uuid
  WHERE o."kind" = 'finality' AND o."doneAt" IS NULL AND o."network" = ${network} AND s."state" = 'FINAL'
  ORDER BY o."nextAt", o."id" LIMIT ${limit}`

/** Ends the wait of these settlements for finality, and enqueues their events in the same statement: each once. */
export async function enqueueFinalized(db: Db, settlementIds: readonly string[]): Promise<void> {
  if (settlementIds.length === 0) return
  await db.execute`
    WITH ended AS (
      UPDATE "Outbox" SET "doneAt" = now()
      WHERE "kind" = 'finality' AND "doneAt" IS NULL AND "key" = ANY(${[...settlementIds]}::text[]) RETURNING "key"
    )
    INSERT INTO "Outbox" ("kind", "key", "data")
    SELECT 'webhooks', ${FINALIZED_EVENT} || ' ' || m."id", ${eventData(FINALIZED_EVENT, sql`m."txHash"`)}
    FROM ended JOIN "Settlement" m ON m."id" = ended."key"::uuid AND m."kind" = 'payment'
    ORDER BY 2 ON CONFLICT ("kind", "key") WHERE "doneAt" IS NULL DO NOTHING`
}

/** The settlements among these that have an outcome for their request, or whose claim was freed. */
export async function findAnswerable(db: Db, settlementIds: string[]): Promise<string[]> {
  const rows = await db.query<{ id: string }>`
    SELECT s."id" FROM "Settlement" s WHERE s."id" IN (${uuids(settlementIds)}) AND (s."state" = 'REJECTED' OR ${isAnswerable(sql`s`)})`
  return rows.map(({ id }) => id)
}
