import type { Db } from '../db/database'
import { sql } from '../db/sql'
import type { State } from '../ledger/states'

/** A settlement or failed judgement as its caller may see it. Amounts are decimal strings; the transaction is the current one. */
export type FoundSettlement = {
  id: string
  /** Null for a payment that failed its judgement: nothing was claimed. */
  state: State | null
  reason: string | null
  /** The facts of a failure as a sentence, where the reason lacks them. */
  detail: string | null
  txHash: string | null
  network: string
  payer: string
  payTo: string
  amount: string
  resource: string
  createdAt: Date
}

const MEMBERS_MAX = 100

const columns = sql`"id", "network", "payer", "payTo", "amount"::text AS "amount", "resource", "createdAt"`

/** A caller's settlement with this id, or the failed judgement that was answered with it. */
export async function findById(db: Db, by: { tenantId: string; caller: string }, id: string): Promise<FoundSettlement[]> {
  return db.queryUnprepared<FoundSettlement>`
    SELECT ${columns}, "state", "reason", "detail", "txHash" FROM "Settlement"
    WHERE "id" = ${id}::uuid AND "tenantId" = ${by.tenantId}::uuid AND "caller" = ${by.caller}
    UNION ALL
    SELECT ${columns}, NULL, "errorReason", NULL, NULL FROM "History"
    WHERE "id" = ${id}::uuid AND "tenantId" = ${by.tenantId}::uuid AND "caller" = ${by.caller} AND "settlementId" IS NULL`
}

/** A caller's settlements in any transaction of ours with this hash, oldest first. */
export async function findByTransaction(
  db: Db,
  by: { tenantId: string; caller: string },
  hash: string,
): Promise<FoundSettlement[]> {
  return db.queryUnprepared<FoundSettlement>`
    SELECT ${columns}, "state", "reason", "detail", "txHash" FROM "Settlement"
    WHERE "id" IN (
        SELECT m."settlementId" FROM "Attempt" a JOIN "SlotMember" m ON m."slotId" = a."slotId" WHERE a."hash" = ${hash}
        UNION ALL SELECT v."settlementId" FROM "SvmAttempt" v WHERE v."signature" = ${hash}
        UNION ALL SELECT r."id" FROM "Settlement" r WHERE r."txHash" = ${hash} AND r."laneClass" = 'remote')
      AND "tenantId" = ${by.tenantId}::uuid AND "caller" = ${by.caller}
    ORDER BY "createdAt", "id" LIMIT ${MEMBERS_MAX}`
}
