import { SANDBOX_TENANT } from '../accounts/caller'
import { chargedBy, type Owner } from '../accounts/tenant-queries'
import type { Db } from '../db/database'
import { type Sql, sql } from '../db/sql'
import type { Environment } from '../x402/networks/networks'
import type { Declaration } from './bazaar'
import { RETENTION } from './entry-queries'

/** Whose payments a report is about: all keys of an owner, one key, or an address of the sandbox as `Caller.id` names it. */
export type Reported = { by: 'owner'; owner: Owner } | { by: 'key'; tenantId: string } | { by: 'sandbox'; caller: string }

/** A resource that was paid for, with what its newest payment declared. */
export type PaidRow = Omit<Declaration, 'declared' | 'amount' | 'scheme'> & {
  /** The id of its newest payment in the history. */
  id: string
  amount: string
  /** What the payer signed at most, by `upto`. */
  maximum: string | null
  declared: unknown
  lastPaid: Date
  /** Its payments among the rows that were read. */
  calls: number
}

/** What the newest successful payments were for: one row for each resource without its query, newest first. */
export function readPaid(db: Db, whose: Reported, { rows, resources }: { rows: number; resources: number }): Promise<PaidRow[]> {
  return db.queryUnprepared<PaidRow>`
    SELECT n."id", n."createdAt" AS "lastPaid", n."calls", s."resource", s."network", s."asset", s."payTo", s."amount"::text AS "amount", s."maximum"::text AS "maximum", s."declared"
    FROM (
      SELECT h.*, count(*) OVER route::int AS "calls", row_number() OVER (route ORDER BY h."createdAt" DESC, h."id" DESC) AS "place" FROM (
        SELECT "id", "settlementId", "createdAt", "resource", "success" FROM "History"
        WHERE ${paidThrough(whose)} ORDER BY "createdAt" DESC, "id" DESC LIMIT ${rows}::int
      ) h WHERE h."success" AND ${paidBy(whose)}
      WINDOW route AS (PARTITION BY split_part(h."resource", '?', 1))
    ) n JOIN "Settlement" s ON s."id" = n."settlementId"
    WHERE n."place" = 1 ORDER BY n."createdAt" DESC, n."id" DESC LIMIT ${resources}::int`
}

function paidThrough(whose: Reported): Sql {
  if (whose.by === 'owner') return chargedBy(whose.owner, 'History')
  return sql`"tenantId" = ${whose.by === 'key' ? whose.tenantId : SANDBOX_TENANT}::uuid`
}

function paidBy(whose: Reported): Sql {
  if (whose.by !== 'sandbox') return sql`true`
  return sql`EXISTS (SELECT 1 FROM "Settlement" s WHERE s."id" = h."settlementId" AND s."caller" = ${whose.caller})`
}

/** An entry of the catalog as its owner, or another one, may know it. */
export type EntryState = {
  url: string
  own: boolean
  /** False once no payment has renewed it for 90 days. */
  listed: boolean
  /** When it expires without another payment. */
  until: Date
  /** Whom its owner is paid at: the catalog shows them to all. */
  payees: { network: string; payTo: string }[]
}

/** The entries at these URLs, and the newest of the reader's own ones. */
export function readEntries(
  db: Db,
  whose: Reported,
  { environment, urls, most }: { environment: Environment; urls: readonly string[]; most: number },
): Promise<EntryState[]> {
  return db.queryUnprepared<EntryState>`
    WITH mine AS (${ownersOf(whose)}
    ), near AS (
      SELECT r."id" FROM "Resource" r WHERE r."environment" = ${environment} AND r."url" = ANY(${[...urls]}::text[])
      UNION
      (SELECT r."id" FROM "Resource" r JOIN mine ON r."owner" = mine."owner" WHERE r."environment" = ${environment}
        ORDER BY r."lastSeen" DESC, r."id" LIMIT ${most}::int)
    )
    SELECT r."url", r."owner" IN (SELECT "owner" FROM mine) AS "own", r."lastSeen" > now() - ${RETENTION} AS "listed",
      r."lastSeen" + ${RETENTION} AS "until",
      COALESCE((SELECT jsonb_agg(jsonb_build_object('network', a."network", 'payTo', a."payTo") ORDER BY a."network", a."payTo")
        FROM "ResourceAccept" a WHERE a."resourceId" = r."id" AND a."owner" = r."owner"), '[]') AS "payees"
    FROM near JOIN "Resource" r ON r."id" = near."id" ORDER BY r."lastSeen" DESC, r."id"`
}

// A merchant's keys are one owner: any of them may hold an entry.
function ownersOf(whose: Reported): Sql {
  if (whose.by === 'sandbox') return sql`SELECT ${whose.caller}::text AS "owner"`
  if (whose.by === 'owner')
    return sql`SELECT 'tenant:' || "id" AS "owner" FROM "Tenant" WHERE ${chargedBy(whose.owner, 'Tenant')}`
  return sql`
    SELECT 'tenant:' || t."id" AS "owner" FROM "Tenant" me JOIN "Tenant" t ON (t."ownerKind", t."ownerId") = (me."ownerKind", me."ownerId")
    WHERE me."id" = ${whose.tenantId}::uuid`
}

/** The live keys without history, which list nothing: their ids and names, newest first. */
export function readKeysWithoutHistory(db: Db, whose: Reported, most: number): Promise<{ id: string; name: string }[]> {
  if (whose.by === 'sandbox') return Promise.resolve([])
  const its = whose.by === 'owner' ? chargedBy(whose.owner, 'Tenant') : sql`"id" = ${whose.tenantId}::uuid`
  return db.queryUnprepared<{ id: string; name: string }>`
    SELECT "id", "name" FROM "Tenant" WHERE ${its} AND "revokedAt" IS NULL AND NOT "historyEnabled" ORDER BY "id" DESC LIMIT ${most}::int`
}
