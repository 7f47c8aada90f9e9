import type { Db } from '../db/database'
import { sql } from '../db/sql'

// Final states: no settlement leaves them (server/ledger/states.ts).
const ENDED = sql`('FINAL', 'REJECTED', 'REVERTED', 'USED_ELSEWHERE', 'EXPIRED', 'UNPAID', 'REVERSED')`

/**
 * Scrubs settlements without history a day after their end: removes signed bytes, authorization, declarations and resource; keeps the
 * intent key, the outcome and the amounts. A shared transaction keeps its bytes until all its settlements ended and its nonce is used.
 * Returns how many settlements.
 */
export async function scrubUnlogged(db: Db, limit: number): Promise<number> {
  const [row] = await db.query<{ count: number }>`
    WITH old AS MATERIALIZED (
      SELECT s."id" FROM "Settlement" s
      WHERE NOT s."logged" AND s."scrubbedAt" IS NULL AND s."createdAt" < now() - interval '24 hours' AND s."state" IN ${ENDED}
        AND EXISTS (SELECT 1 FROM "Step" t WHERE t."settlementId" = s."id" AND t."seq" = s."version" AND t."at" < now() - interval '24 hours')
        AND NOT EXISTS (
          SELECT 1 FROM "SlotMember" m JOIN "Slot" l ON l."id" = m."slotId" JOIN "SlotMember" fellow ON fellow."slotId" = l."id"
            JOIN "Settlement" f ON f."id" = fellow."settlementId"
          WHERE m."settlementId" = s."id" AND (l."state" = 'open' OR f."state" NOT IN ${ENDED})
        )
      ORDER BY s."createdAt", s."id" LIMIT ${limit} FOR UPDATE OF s SKIP LOCKED
    ), evm AS (
      UPDATE "Attempt" a SET "raw" = '' FROM old JOIN "SlotMember" m ON m."settlementId" = old."id" WHERE a."slotId" = m."slotId"
    ), svm AS (
      UPDATE "SvmAttempt" a SET "raw" = '' FROM old WHERE a."settlementId" = old."id"
    ), scrubbed AS (
      UPDATE "Settlement" s SET "transfer" = '{}', "declared" = '{}', "resource" = '', "scrubbedAt" = now() FROM old WHERE s."id" = old."id" RETURNING 1
    )
    SELECT count(*)::int AS "count" FROM scrubbed`
  return row?.count ?? 0
}
