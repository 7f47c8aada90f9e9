import { v7 as uuidv7 } from 'uuid'
import type { Db } from '../../db/database'
import { effectsOfWritten } from '../../db/outbox'
import { empty, type Sql, sql } from '../../db/sql'
import { creditsOfMoved } from './credits'
import { eventsOfMoved } from './events'
import { counting } from './usage'

/** A payment that was judged and failed before anything was claimed or sent. */
export type FailedJudgement = {
  id: string
  tenantId: string
  /** Who may look it up. */
  caller: string
  payer: string
  payTo: string
  network: string
  resource: string
  amount: bigint
  errorReason: string
  /** Rows of this kind that the caller may write in a month. */
  rowsMax: number
}

/**
 * Writes the history row of a judged failure, unless the tenant's logging is off at this moment or its caller has written
 * `rowsMax` of them this month.
 */
export async function recordFailedJudgement(db: Db, entry: FailedJudgement): Promise<void> {
  const counted = counting({
    ...{ subject: entry.caller, kind: 'failed judgements', period: 'month', cap: entry.rowsMax },
    where: sql`EXISTS (SELECT 1 FROM tenant)`,
  })
  await db.execute`
    WITH tenant AS (
      SELECT * FROM "Tenant" WHERE "id" = ${entry.tenantId}::uuid AND "historyEnabled"
    ), counted AS (${counted})
    INSERT INTO "History" ("id", "ownerKind", "ownerId", "tenantId", "payer", "payTo", "network", "resource", "plan", "amount", "success", "errorReason", "caller")
    SELECT ${entry.id}::uuid, t."ownerKind", t."ownerId", t."id", ${entry.payer}, ${entry.payTo}, ${entry.network}, ${entry.resource},
      t."plan", ${entry.amount.toString()}::numeric, false, ${entry.errorReason}, ${entry.caller}
    FROM tenant t, counted`
}

/**
 * Deletes some rows of judged failures that are older than `days`, of days whose sums are made. Those days are marked, so that
 * their sums stay as they are. Returns how many.
 */
export async function pruneFailedJudgements(db: Db, limit: number, days: number): Promise<number> {
  return db.execute`
    WITH due AS MATERIALIZED (
      SELECT h."id", d."tenantId", d."day" FROM "History" h
      JOIN "RollupDay" d ON d."tenantId" = h."tenantId" AND d."day" = (h."createdAt" AT TIME ZONE 'UTC')::date AND d."state" = 'rolled'
      WHERE h."caller" IS NOT NULL AND h."settlementId" IS NULL AND h."createdAt" < now() - ${days}::int * interval '24 hours'
      ORDER BY h."createdAt", h."id" LIMIT ${limit} FOR UPDATE OF h SKIP LOCKED
    ), held AS MATERIALIZED (
      SELECT d."tenantId", d."day" FROM "RollupDay" d
      WHERE (d."tenantId", d."day") IN (SELECT "tenantId", "day" FROM due) AND d."state" = 'rolled' ORDER BY 1, 2 FOR UPDATE
    ), marked AS (
      UPDATE "RollupDay" d SET "pruned" = true FROM held WHERE d."tenantId" = held."tenantId" AND d."day" = held."day"
      RETURNING d."tenantId", d."day"
    )
    DELETE FROM "History" h USING due JOIN marked USING ("tenantId", "day") WHERE h."id" = due."id"`
}

// The same word as `historyReason` writes for a judged failure.
const HISTORY_REASON = sql`CASE WHEN m."reason" LIKE '%\\_insufficient\\_balance' THEN 'insufficient_funds' ELSE m."reason" END`

/**
 * The common table expression that writes or corrects the one history row of each of these settlements, in the statement that moves
 * them, and credits what they bought; a row that says success for the first time brings its outbox rows with it, and any end those of whoever
 * listens for it. The error is the settlement's own reason, and so is its transaction unless one is told. It reads from an expression named `moved` that returns whole "Settlement" rows.
 */
export function historyOfMoved(settlementIds: readonly string[], outcome: { success: boolean; txHash?: string }): Sql {
  const txHash = outcome.txHash === undefined ? sql`m."txHash"` : sql`${outcome.txHash}`
  const rowIds = JSON.stringify(Object.fromEntries(settlementIds.map((id) => [id, uuidv7()])))
  return sql`
    written AS (
      INSERT INTO "History" ("id", "settlementId", "ownerKind", "ownerId", "tenantId", "payer", "payTo", "network", "resource", "plan", "amount", "success", "txHash", "errorReason")
      SELECT (${rowIds}::jsonb ->> m."id"::text)::uuid, m."id", t."ownerKind", t."ownerId", m."tenantId", m."payer", m."payTo", m."network", m."resource",
        m."plan", m."amount", ${outcome.success}, ${txHash}, ${HISTORY_REASON}
      FROM moved m JOIN "Tenant" t ON t."id" = m."tenantId"
      WHERE m."logged"
      ON CONFLICT ("settlementId") DO UPDATE
        SET "success" = EXCLUDED."success", "txHash" = EXCLUDED."txHash", "errorReason" = EXCLUDED."errorReason"
      RETURNING "settlementId", xmax = 0 AS "first"
    ), ${creditsOfMoved(outcome)} ${outcome.success ? effectsOfWritten : empty} ${eventsOfMoved(outcome)}`
}
