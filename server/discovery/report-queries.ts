import { SANDBOX_TENANT } from '../accounts/caller'
import { chargedBy, type Owner } from '../accounts/tenant-queries'
import type { Db } from '../db/database'
import { type Sql, sql } from '../db/sql'
import { landedStates } from '../ledger/states'
import type { Environment } from '../x402/networks/networks'
import type { Declaration } from './bazaar'
import { type PaidTerms, RETENTION } from './entry-queries'

/** Whose payments a report is about: all keys of an owner, one key, or an address of the sandbox as `Caller.id` names it. */
export type Reported = { by: 'owner'; owner: Owner } | { by: 'key'; tenantId: string } | { by: 'sandbox'; caller: string }

/** A resource that was paid for, with what its newest payment declared. */
export type PaidRow = Omit<Declaration, 'declared' | 'amount' | 'scheme'> &
  PaidTerms & {
    /** The id of its newest payment in the history; null for a deposit, which is in none. */
    id: string | null
    lastPaid: Date
    /** Its payments and deposits among the rows that were read. */
    calls: number
  }

/**
 * What the newest successful payments, and deposits of keys with history, were for: one row for each resource without its query, newest
 * first.
 */
export function readPaid(db: Db, whose: Reported, { rows, resources }: { rows: number; resources: number }): Promise<PaidRow[]> {
  return db.queryUnprepared<PaidRow>`
    SELECT n."id", n."createdAt" AS "lastPaid", n."calls", s."kind", s."resource", s."network", s."asset", s."payTo", s."amount"::text AS "amount", s."maximum"::text AS "maximum", s."declared"
    FROM (
      SELECT h.*, count(*) OVER route::int AS "calls", row_number() OVER (route ORDER BY h."createdAt" DESC, h."settlementId" DESC) AS "place" FROM (
        (SELECT "id", "settlementId", "createdAt", "resource", "success" FROM "History"
          WHERE ${paidThrough(whose)} ORDER BY "createdAt" DESC, "id" DESC LIMIT ${rows}::int)
        UNION ALL
        (SELECT NULL::uuid, "id", "createdAt", "resource", "state" = ANY(${[...landedStates]}::text[]) FROM "Settlement"
          WHERE "kind" = 'deposit' AND "tenantId" IN (${depositedThrough(whose)}) AND "resource" <> ''
          ORDER BY "createdAt" DESC, "id" DESC LIMIT ${rows}::int)
      ) h WHERE h."success" AND ${paidBy(whose)}
      WINDOW route AS (PARTITION BY split_part(h."resource", '?', 1))
    ) n JOIN "Settlement" s ON s."id" = n."settlementId"
    WHERE n."place" = 1 ORDER BY n."createdAt" DESC, n."settlementId" DESC LIMIT ${resources}::int`
}

function paidThrough(whose: Reported): Sql {
  if (whose.by === 'owner') return chargedBy(whose.owner, 'History')
  return sql`"tenantId" = ${tenantOf(whose)}::uuid`
}

function depositedThrough(whose: Reported): Sql {
  const its = whose.by === 'owner' ? chargedBy(whose.owner, 'Tenant') : sql`"id" = ${tenantOf(whose)}::uuid`
  return sql`SELECT "id" FROM "Tenant" WHERE ${its} AND "historyEnabled"`
}

const tenantOf = (whose: Exclude<Reported, { by: 'owner' }>) => (whose.by === 'key' ? whose.tenantId : SANDBOX_TENANT)

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

/** The URLs of declarations with their hosts, and the number of the reader's own entries to read besides. */
type AtPlaces = { environment: Environment; urls: readonly string[]; hosts: readonly string[]; most: number }

/** The entries at these URLs, those of pages and tools that share one with them, and the newest of the reader's own ones. */
export function readEntries(db: Db, whose: Reported, { environment, urls, hosts, most }: AtPlaces): Promise<EntryState[]> {
  return db.queryUnprepared<EntryState>`
    WITH mine AS (${ownersOf(whose)}
    ), near AS (
      SELECT r."id" FROM "Resource" r WHERE r."environment" = ${environment} AND r."url" = ANY(${[...urls]}::text[])
      UNION
      (SELECT r."id" FROM "Resource" r
        WHERE r."environment" = ${environment} AND r."host" = ANY(${[...hosts]}::text[]) AND split_part(r."url", '#', 1) = ANY(${urls.map(baseOf)}::text[])
        ORDER BY r."id" LIMIT ${BESIDES_MAX}::int)
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

/** The URL that a page and its tools share. */
export const baseOf = (url: string) => url.split('#', 1)[0] ?? url

const BESIDES_MAX = 1_000

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
