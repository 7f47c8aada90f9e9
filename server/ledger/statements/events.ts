import type { Db } from '../../db/database'
import { empty, type Sql, sql } from '../../db/sql'
import type { PaymentEvent, State } from '../states'

/** An event in the outbox: the settlement at that moment. Amounts are decimal strings. */
export type EventData = {
  type: PaymentEvent
  /** ISO 8601, in any zone. */
  at: string
  settlementId: string
  tenantId: string
  /** Whether its key has logging on. */
  logged: boolean
  txHash: string
  network: string
  amount: string
  payer: string
  payTo: string
  resource: string
  plan: string
  reason: string | null
  /** The token of the amount. Rows written by earlier versions have none. */
  symbol?: string
  /** The facts of a failure as a sentence. Rows written by earlier versions have none, nor what follows. */
  detail?: string | null
  block?: number | string | null
  logIndex?: number | null
  nonce?: string | null
  state?: State
  /** What the payer signed at most, where the amount is what was charged. */
  maximum?: string | null
}

/** The endpoints of a tenant's owner (`t`) that receive an event. A wallet's are for what it charges, not for its credits. */
export const listening = (event: Sql) => sql`
  "WebhookEndpoint" w WHERE w."ownerKind" = t."ownerKind" AND w."ownerId" = t."ownerId" AND t."plan" <> 'agent' AND w."disabledAt" IS NULL
    AND ${event} = ANY(w."events") AND (w."tenantIds" = '{}' OR t."id" = ANY(w."tenantIds"))`

/** The `EventData` of an event about the settlement `m`. */
export const eventData = (type: Sql, txHash: Sql) => sql`
  jsonb_build_object('type', ${type}, 'at', clock_timestamp(), 'settlementId', m."id", 'tenantId', m."tenantId", 'logged', m."logged",
    'txHash', ${txHash}, 'network', m."network", 'amount', m."amount"::text, 'maximum', m."maximum"::text, 'symbol', m."symbol", 'payer', m."payer", 'payTo', m."payTo", 'resource', m."resource",
    'plan', m."plan", 'reason', m."reason", 'detail', m."detail", 'block', m."block", 'logIndex', m."logIndex",
    'nonce', m."transfer" #>> '{authorization,nonce}', 'state', m."state")`

/**
 * The common table expression that enqueues webhooks for terminal states, in the statement that ends the settlements, where an endpoint
 * listens. A success is enqueued once, even if the chain changes later. It reads from `moved`, whole "Settlement" rows.
 */
export function eventsOfMoved(outcome: { success: boolean; txHash?: string }): Sql {
  const txHash = outcome.txHash === undefined ? sql`COALESCE(m."txHash", '')` : sql`${outcome.txHash}::text`
  const type: Sql = outcome.success
    ? sql`'payment.settled'`
    : sql`CASE m."state" WHEN 'REVERSED' THEN 'payment.reversed' ELSE 'payment.failed' END`
  // This statement cannot see its own step.
  const first = outcome.success
    ? sql`AND NOT EXISTS (SELECT 1 FROM "Step" s WHERE s."settlementId" = m."id" AND s."to" IN ('INCLUDED', 'PRECONFIRMED'))`
    : empty
  return sql`
    , events AS (
      INSERT INTO "Outbox" ("kind", "key", "data")
      SELECT 'webhooks', ${type} || ' ' || m."id", ${eventData(type, txHash)}
      FROM moved m JOIN "Tenant" t ON t."id" = m."tenantId"
      WHERE m."kind" = 'payment' AND EXISTS (SELECT 1 FROM ${listening(type)}) ${first}
      ORDER BY 2
      ON CONFLICT ("kind", "key") WHERE "doneAt" IS NULL DO NOTHING
    )`
}

/** The endpoints that receive a tenant's event now. */
export async function findListening(db: Db, tenantId: string, event: PaymentEvent): Promise<string[]> {
  const rows = await db.query<{ id: string }>`
    SELECT l."id" FROM "Tenant" t CROSS JOIN LATERAL (SELECT w."id" FROM ${listening(sql`${event}`)}) l
    WHERE t."id" = ${tenantId}::uuid ORDER BY l."id"`
  return rows.map(({ id }) => id)
}
