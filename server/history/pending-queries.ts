import { plans } from '../accounts/plans'
import { type OwnerFilter, ownershipsOf, ownersOf } from '../accounts/tenant-queries'
import type { Db } from '../db/database'
import { join, type Sql, sql } from '../db/sql'
import type { State } from '../ledger/states'
import { between, type ListFilter, paymentConditions } from './list-queries'
import type { HistoryRow } from './queries'

/** A payment without an outcome as a row of history, with its state. Its id is that of its settlement. */
export type PendingRow = HistoryRow & { state: State }

/** A younger payment is not pending: its settle still waits for it. */
const ANSWERED = sql`interval '20 seconds'`

// Literals, because PostgreSQL does not match parameters to a partial index.
const IN_FLIGHT = sql`"state" IN ('CLAIMED', 'PREPARED', 'BROADCAST')`

const COLUMNS = sql`
  s."id", s."id" AS "settlementId", s."createdAt", false AS "success", COALESCE(s."txHash", '') AS "txHash", s."network",
  s."amount"::text AS "amount", s."maximum"::text AS "maximum", s."symbol", t."ownerKind", t."ownerId", s."tenantId", s."payer", s."resource", s."payTo", s."plan",
  NULL AS "errorReason", s."state"`

/** The newest payments without an outcome that match a filter. None match one for outcomes, reasons or words. */
export async function readPending(db: Db, filter: ListFilter, limit: number): Promise<PendingRow[]> {
  const query = pendingQuery(filter, limit)
  return query ? db.queryUnprepared<PendingRow>(query) : []
}

/** The statement for these payments; null where none can match. */
export function pendingQuery(filter: ListFilter, limit: number): Sql | null {
  const conditions = conditionsOf(filter)
  return conditions && selection([...conditions, sql`"createdAt" < now() - ${ANSWERED}`], limit)
}

/** One payment without an outcome by the id of its settlement, if it matches this filter; null otherwise. */
export async function readPendingOne(db: Db, filter: ListFilter, id: string): Promise<PendingRow | null> {
  const conditions = conditionsOf(filter)
  if (!conditions) return null
  const [row] = await db.queryUnprepared<PendingRow>(selection([...conditions, sql`"id" = ${id}::uuid`], 1))
  return row ?? null
}

// Payments of keys without history are in no list.
function selection(conditions: readonly Sql[], limit: number): Sql {
  return sql`
    SELECT ${COLUMNS} FROM (
      SELECT * FROM "Settlement" WHERE ${IN_FLIGHT} AND "logged" AND ${join([...conditions], ' AND ')}
      ORDER BY "createdAt" DESC, "id" DESC LIMIT ${limit}
    ) s JOIN "Tenant" t ON t."id" = s."tenantId" ORDER BY s."createdAt" DESC, s."id" DESC`
}

function conditionsOf(filter: ListFilter): Sql[] | null {
  const { owner, success, reasons, entry, text } = filter
  if ([success, reasons, entry, text].some((asked) => asked !== undefined)) return null
  const given = Object.values(paymentConditions(filter)).filter((condition) => condition !== null)
  return [...(owner === undefined ? [] : ownedBy(owner)), ...given, ...between(filter)]
}

/** The payments of an owner's keys. The parties lead to them in an index, also after a change of plan. */
function ownedBy(owner: OwnerFilter): Sql[] {
  const tenants = sql`FROM "Tenant" WHERE ${join(
    ownershipsOf(owner, 'Tenant').map((own) => sql`(${own})`),
    ' OR ',
  )}`
  const shared = ownersOf(owner).flatMap(({ kind, id }) => [
    ...Object.keys(plans).map((plan) => `owner:${kind}:${id}:${plan}`),
    `wallet:${id}`,
  ])
  return [
    sql`"party" = ANY(ARRAY(SELECT 'tenant:' || "id" ${tenants}) || ${shared}::text[])`,
    sql`"tenantId" = ANY(ARRAY(SELECT "id" ${tenants}))`,
  ]
}
