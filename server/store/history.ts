import { v7 as uuidv7 } from 'uuid'
import { Prisma } from '../../generated/prisma/client'
import { creditsOfMoved } from './credits'
import type { Db } from './database'
import { effectsOfWritten } from './outbox'
import { eventsOfMoved } from './webhook-events'

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
}

/** Writes the history row of a judged failure, unless the tenant's logging is off at this moment. */
export async function recordFailedJudgement(db: Db, entry: FailedJudgement): Promise<void> {
  await db.$executeRaw`
    INSERT INTO "History" ("id", "ownerKind", "ownerId", "tenantId", "payer", "payTo", "network", "resource", "plan", "amount", "success", "errorReason", "caller")
    SELECT ${entry.id}::uuid, t."ownerKind", t."ownerId", t."id", ${entry.payer}, ${entry.payTo}, ${entry.network}, ${entry.resource},
      t."plan", ${entry.amount.toString()}::numeric, false, ${entry.errorReason}, ${entry.caller}
    FROM "Tenant" t WHERE t."id" = ${entry.tenantId}::uuid AND t."historyEnabled"`
}

// The same word as `historyReason` writes for a judged failure.
const HISTORY_REASON = Prisma.sql`CASE WHEN m."reason" LIKE '%\\_insufficient\\_balance' THEN 'insufficient_funds' ELSE m."reason" END`

/**
 * The common table expression that writes or corrects the one history row of each of these settlements, in the statement that moves
 * them, and credits what they bought; a row that says success for the first time brings its outbox rows with it, and any end those of whoever
 * listens for it. The error is the settlement's own reason, and so is its transaction unless one is told. It reads from an expression named `moved` that returns whole "Settlement" rows.
 */
export function historyOfMoved(settlementIds: readonly string[], outcome: { success: boolean; txHash?: string }): Prisma.Sql {
  const txHash = outcome.txHash === undefined ? Prisma.sql`m."txHash"` : Prisma.sql`${outcome.txHash}`
  const rowIds = JSON.stringify(Object.fromEntries(settlementIds.map((id) => [id, uuidv7()])))
  return Prisma.sql`
    written AS (
      INSERT INTO "History" ("id", "settlementId", "ownerKind", "ownerId", "tenantId", "payer", "payTo", "network", "resource", "plan", "amount", "success", "txHash", "errorReason")
      SELECT (${rowIds}::jsonb ->> m."id"::text)::uuid, m."id", t."ownerKind", t."ownerId", m."tenantId", m."payer", m."payTo", m."network", m."resource",
        m."plan", m."amount", ${outcome.success}, ${txHash}, ${HISTORY_REASON}
      FROM moved m JOIN "Tenant" t ON t."id" = m."tenantId"
      WHERE m."logged"
      ON CONFLICT ("settlementId") DO UPDATE
        SET "success" = EXCLUDED."success", "txHash" = EXCLUDED."txHash", "errorReason" = EXCLUDED."errorReason"
      RETURNING "settlementId", xmax = 0 AS "first"
    ), ${creditsOfMoved(outcome)} ${outcome.success ? effectsOfWritten : Prisma.empty} ${eventsOfMoved(outcome)}`
}
