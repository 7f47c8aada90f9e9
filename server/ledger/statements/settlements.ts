import { batchPerTick, type Db } from '../../db/database'
import { isGone } from '../../db/notices'
import { empty, type Sql, sql, uuids } from '../../db/sql'
import type { Finality } from '../../x402/networks/finality'
import type { State } from '../states'
import { finalityOf, isAnswerable } from './finality'

/** The settlement that holds an intent, with the facts that a second request needs. */
export type KnownSettlement = {
  id: string
  tenantId: string
  caller: string
  payer: string
  requestHash: Uint8Array
  /** What it moves: atomic units as digits. */
  amount: string
  state: State
  txHash: string | null
  /** Whether its outcome was delivered to a request. */
  delivered: boolean
}

/** The ledger lets the next request wait this long after the waiting one gave up, milliseconds. */
export const GRACE_MS = 2_000

/** Its columns, and the states in which a settlement holds its intent. */
export const KNOWN = sql`"id", "tenantId", "caller", "payer", "requestHash", "amount"::text AS "amount", "state", "txHash", "deliveredAt" IS NOT NULL AS "delivered"`
export const HOLDS_INTENT = sql`"state" NOT IN ('REJECTED', 'UNPAID')`

/** The settlement that holds an intent; null without one. */
export function findIntent(db: Db, intentKey: Uint8Array): Promise<KnownSettlement | null> {
  return findBatched(db, Buffer.from(intentKey).toString('hex'))
}

const findBatched = batchPerTick(async (db: Db, keys: readonly string[]): Promise<(KnownSettlement | null)[]> => {
  const rows = await db.query<KnownSettlement & { key: string }>`
    SELECT encode("intentKey", 'hex') AS "key", ${KNOWN}
    FROM "Settlement" WHERE "intentKey" IN (SELECT decode(unnest(${keys}::text[]), 'hex')) AND ${HOLDS_INTENT}`
  const found = new Map(rows.map(({ key, ...known }) => [key, known]))
  return keys.map((key) => found.get(key) ?? null)
})

/**
 * Makes this the one request that waits for a settlement: only for the same caller and request, while no other waits and no outcome was
 * delivered. False otherwise. With `locksNames`, a request whose process ended does not wait any more.
 */
export async function attachWaiter(
  db: Db,
  by: {
    id: string
    tenantId: string
    caller: string
    requestHash: Uint8Array
    waiter: string
    deadlineMs: number
    waitUntil: Finality | null
  },
  locksNames: boolean,
): Promise<boolean> {
  const died = locksNames ? sql` OR ${isGone(sql`split_part("waiter", ':', 1)`)}` : empty
  const rows = await db.query<unknown>`
    UPDATE "Settlement" SET "waiter" = ${by.waiter}, "waiterUntil" = now() + ${by.deadlineMs + GRACE_MS}::int * interval '1 ms',
      "waitUntil" = ${by.waitUntil}
    WHERE "id" = ${by.id}::uuid AND "tenantId" = ${by.tenantId}::uuid AND "caller" = ${by.caller} AND "requestHash" = ${by.requestHash}
      AND "state" <> 'REJECTED' AND "deliveredAt" IS NULL AND ("waiter" IS NULL OR "waiterUntil" < now()${died})
    RETURNING 1`
  return rows.length === 1
}

/**
 * Stops waiting for a settlement (deadline or hang-up), so that a retry may wait for it. Returns its state, also when another request
 * waits by now.
 */
export async function detachWaiter(db: Db, id: string, waiter: string): Promise<SettlementStatus | null> {
  const [status] = await db.query<SettlementStatus>`
    UPDATE "Settlement" SET "waiter" = NULLIF("waiter", ${waiter}),
      "waiterUntil" = CASE WHEN "waiter" = ${waiter} THEN NULL ELSE "waiterUntil" END
    WHERE "id" = ${id}::uuid RETURNING "state", "txHash", "reason", "detail"`
  return status ?? null
}

/** A settlement's state, its transaction and, if it failed, the reason and a sentence of facts where there is one. */
type SettlementStatus = { state: State; txHash: string | null; reason: string | null; detail: string | null }

/** A settlement's status with its place on the chain, as far as it is known, and how certain it is; null where no transfer landed. */
export type Outcome = SettlementStatus & {
  block: bigint | null
  logIndex: number | null
  finality: Finality | null
  version: number
}

/**
 * Delivers a settlement's outcome to this waiter, once; `name` is the request's, if it has one. Null without an outcome, or when another
 * waiter has it.
 */
export function deliver(db: Db, id: string, waiter: string, name: string | null = null): Promise<Outcome | null> {
  return deliverBatched(db, { id, waiter, name })
}

/** The columns of an outcome, of the settlement `s`. */
export const OUTCOME = sql`s."state", s."txHash", s."reason", s."detail", s."block", s."logIndex", s."version",
  ${finalityOf(sql`s`)} AS "finality"`

/** A settlement, the request that waits for its outcome, and the name of that request if it has one. */
export type Delivery = { id: string; waiter: string; name: string | null }

/** These deliveries as the rows `delivery`. */
export function deliveriesOf(deliveries: readonly Delivery[]): Sql {
  const column = (of: (delivery: Delivery) => string | null) => deliveries.map(of)
  return sql`unnest(${column(({ id }) => id)}::uuid[], ${column(({ waiter }) => waiter)}::text[],
    ${column(({ name }) => name)}::text[]) AS delivery("id", "waiter", "name")`
}

// The members of a batch land together. Rows are locked in one order, so that two statements cannot deadlock.
const deliverBatched = batchPerTick(async (db: Db, deliveries: readonly Delivery[]): Promise<(Outcome | null)[]> => {
  const rows = await db.query<Outcome & { id: string; waiter: string }>`
    WITH mine AS (
      SELECT s."id", delivery."waiter", delivery."name"
      FROM "Settlement" s JOIN ${deliveriesOf(deliveries)} ON delivery."id" = s."id" AND delivery."waiter" = s."waiter"
      WHERE s."deliveredAt" IS NULL AND ${isAnswerable(sql`s`)}
      ORDER BY s."id" FOR UPDATE OF s
    )
    UPDATE "Settlement" s SET "deliveredAt" = now(), "deliveredTo" = mine."name", "waiter" = NULL, "waiterUntil" = NULL
    FROM mine WHERE s."id" = mine."id" AND s."deliveredAt" IS NULL
    RETURNING s."id", mine."waiter", ${OUTCOME}`
  const outcomes = new Map(rows.map(({ id, waiter, ...outcome }) => [`${id} ${waiter}`, outcome]))
  return deliveries.map(({ id, waiter }) => {
    const outcome = outcomes.get(`${id} ${waiter}`) ?? null
    // Once, even when the same waiter calls twice in one tick.
    outcomes.delete(`${id} ${waiter}`)
    return outcome
  })
})

/** Whether the payer of the settlement `s` has paid by it: an escrow of a channel may go back to it, and costs it nothing. */
export const SHOWS_PAYER = sql`(s."amount" > 0 AND s."kind" <> 'escrow')`

/** Whether a payment of this payer for this caller is final. */
export async function hasPaid(db: Db, caller: string, payer: string): Promise<boolean> {
  const rows = await db.query<unknown>`
    SELECT 1 FROM "Settlement" s WHERE s."caller" = ${caller} AND s."payer" = ${payer} AND s."state" = 'FINAL' AND ${SHOWS_PAYER} LIMIT 1`
  return rows.length === 1
}

/** Whether a transfer that had landed was undone. */
export async function isUndone(db: Db, id: string): Promise<boolean> {
  const rows = await db.query<unknown>`SELECT 1 FROM "Settlement" WHERE "id" = ${id}::uuid AND "state" = 'REVERSED'`
  return rows.length === 1
}

/** A settlement's outcome as of now, if a request with this name received it. */
export async function findOutcome(db: Db, id: string, name: string): Promise<Outcome | null> {
  const [outcome] = await db.query<Outcome>`
    SELECT ${OUTCOME} FROM "Settlement" s
    WHERE s."id" = ${id}::uuid AND s."deliveredTo" = ${name} AND s."state" NOT IN ('CLAIMED', 'PREPARED', 'BROADCAST', 'REJECTED')`
  return outcome ?? null
}

/** A settlement whose check is due. */
export type Due = { id: string; network: string; state: State; waiting: boolean }

/** Reserves due settlements on these networks for a while, so that other instances check other ones. */
export function takeDue(db: Db, networks: string[], by: { againMs: number; limit: number }): Promise<Due[]> {
  return db.query<Due>`
    UPDATE "Settlement" s SET "nextCheckAt" = now() + ${by.againMs}::int * interval '1 ms'
    FROM (
      SELECT "id" FROM "Settlement"
      WHERE "nextCheckAt" <= now() AND "state" IN ('CLAIMED', 'PREPARED', 'BROADCAST', 'PRECONFIRMED', 'INCLUDED')
        AND "network" = ANY(${networks})
      ORDER BY "nextCheckAt", "id" LIMIT ${by.limit} FOR UPDATE SKIP LOCKED
    ) due WHERE s."id" = due."id"
    RETURNING s."id", s."network", s."state", COALESCE(s."waiterUntil" > now(), false) AS "waiting"`
}

/** Checks landed settlements again only after a while. */
export async function postponeLanded(db: Db, settlementIds: readonly string[], checkInMs: number): Promise<void> {
  await db.execute`
    UPDATE "Settlement" SET "nextCheckAt" = now() + ${checkInMs}::int * interval '1 ms'
    WHERE "id" IN (${uuids([...settlementIds])}) AND "state" = 'INCLUDED'`
}

/** Makes every unfinished settlement due now and removes its waiter. Call only at a start on a database that no other process can use. */
export async function abandonAll(db: Db): Promise<void> {
  await db.execute`
    UPDATE "Settlement" SET "nextCheckAt" = now(), "waiter" = NULL, "waiterUntil" = NULL
    WHERE "state" IN ('CLAIMED', 'PREPARED', 'BROADCAST', 'PRECONFIRMED', 'INCLUDED')`
}
