import type { Db } from '../../db/database'
import { type Sql, sql, uuids } from '../../db/sql'
import type { Finality } from '../../x402/finality'
import { eventData, listening } from './events'

// A literal: the database cannot tell the type of a parameter inside JSON.
const FINALIZED_EVENT = sql`'payment.finalized'::text`

/** Whether a FINAL settlement is in a block that its network finalized. On Solana only finalized ones become FINAL. */
const isFinalized = (s: Sql) => sql`(${s}."network" LIKE 'solana:%'
  OR ${s}."block" <= (SELECT w."finalized" FROM "WatchCursor" w WHERE w."network" = ${s}."network"))`

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

/** Whether a transfer is on the chain and its answer waits for more finality. */
export async function awaitsFinality(db: Db, id: string): Promise<boolean> {
  const rows = await db.query<unknown>`
    SELECT 1 FROM "Settlement" s WHERE s."id" = ${id}::uuid AND s."state" IN ('PRECONFIRMED', 'INCLUDED', 'FINAL') AND NOT ${isAnswerable(sql`s`)}`
  return rows.length === 1
}

/** The common table expression that notes which final settlements have an event to come. It reads from `moved`, whole "Settlement" rows. */
export const finalizedEventsExpected = sql`
  expected AS (
    INSERT INTO "Outbox" ("kind", "key", "network")
    SELECT 'finality', m."id"::text, m."network" FROM moved m JOIN "Tenant" t ON t."id" = m."tenantId"
    WHERE EXISTS (SELECT 1 FROM ${listening(FINALIZED_EVENT)})
    ORDER BY 2 ON CONFLICT ("kind", "key") WHERE "doneAt" IS NULL DO NOTHING
  )`

/** Where the transfer of a settlement is, and how certain that is. */
export type Place = {
  asset: string
  logIndex: number | null
  block: bigint | null
  nonce: string | null
  finality: Finality | null
}

/** The place of a settlement's transfer; null for an unknown settlement. */
export async function readPlace(db: Db, settlementId: string): Promise<Place | null> {
  const [place] = await db.query<Place>`
    SELECT s."asset", s."logIndex", s."block", s."transfer" #>> '{authorization,nonce}' AS "nonce", ${finalityOf(sql`s`)} AS "finality"
    FROM "Settlement" s WHERE s."id" = ${settlementId}::uuid`
  return place ?? null
}

/** The newest blocks of a network that an instance saw, and that the network finalized. Null before the first. */
export async function readFinalized(db: Db, network: string): Promise<{ seen: bigint | null; finalized: bigint | null }> {
  const [row] = await db.query<{ seen: bigint | null; finalized: bigint | null }>`
    SELECT "block" AS "seen", "finalized" FROM "WatchCursor" WHERE "network" = ${network}`
  return row ?? { seen: null, finalized: null }
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

/** Records the newest finalized block of a network; it never goes back. */
export async function recordFinalized(db: Db, network: string, block: bigint): Promise<void> {
  await db.execute`
    INSERT INTO "WatchCursor" AS w ("network", "finalized") VALUES (${network}, ${block})
    ON CONFLICT ("network") DO UPDATE SET "finalized" = GREATEST(w."finalized", EXCLUDED."finalized")`
}

/** A finalized settlement whose event is due. */
export type FinalizedRow = { settlementId: string; block: bigint; blockHash: string }

/** The oldest finalized settlements of a network with an event to come, and whether others wait for their block. */
export async function findFinalized(db: Db, network: string, limit: number): Promise<{ due: FinalizedRow[]; waiting: boolean }> {
  const rows = await db.query<FinalizedRow & { finalized: boolean }>(finalizedQuery(network, limit))
  return { due: rows.filter(({ finalized }) => finalized), waiting: rows.some(({ finalized }) => !finalized) }
}

/** The statement of `findFinalized`, which reads one network's part of an index. */
export const finalizedQuery = (network: string, limit: number) => sql`
  SELECT s."id" AS "settlementId", s."block", s."blockHash", ${isFinalized(sql`s`)} AS "finalized"
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
    FROM ended JOIN "Settlement" m ON m."id" = ended."key"::uuid
    ORDER BY 2 ON CONFLICT ("kind", "key") WHERE "doneAt" IS NULL DO NOTHING`
}

/** Gives up the events of settlements whose block the finalized chain does not have. */
export async function giveUpFinalized(db: Db, settlementIds: readonly string[]): Promise<void> {
  if (settlementIds.length === 0) return
  await db.execute`
    UPDATE "Outbox" SET "doneAt" = now(), "gaveUp" = true
    WHERE "kind" = 'finality' AND "doneAt" IS NULL AND "key" = ANY(${[...settlementIds]}::text[])`
}

/** The settlements among these that have an outcome for their request, or whose claim was freed. */
export async function findAnswerable(db: Db, settlementIds: string[]): Promise<string[]> {
  const rows = await db.query<{ id: string }>`
    SELECT s."id" FROM "Settlement" s WHERE s."id" IN (${uuids(settlementIds)}) AND (s."state" = 'REJECTED' OR ${isAnswerable(sql`s`)})`
  return rows.map(({ id }) => id)
}
