import { type OwnerFilter, ownershipsOf, type TenantFilter } from '../accounts/tenant-queries'
import type { Db } from '../db/database'
import { join, sql } from '../db/sql'
import { scanned, wholeScansOf } from '../history/list-queries'
import { tenantCondition } from '../sums/stored-queries'
import { networkIds } from '../x402/networks/networks'
import { testPayment } from '../x402/test-payment'

/** This many of the newest settlements show where a facilitator or a key is active. */
const NEWEST = 1_000

/** The networks on which an owner ever settled; without an owner, those of the newest settlements. */
export async function networksUsed(db: Db, { owner, tenantId }: TenantFilter): Promise<string[]> {
  const rows = owner
    ? await db.queryUnprepared<{ network: string }>`
        SELECT n."network" FROM unnest(${[...networkIds]}::text[]) AS n("network") WHERE ${join(
          ownershipsOf(owner, 'History').map(
            (ownership) => sql`EXISTS (SELECT FROM "History" h WHERE ${ownership} AND h."network" = n."network")`,
          ),
          ' OR ',
        )}`
    : await db.queryUnprepared<{ network: string }>`
        SELECT DISTINCT "network" FROM (
          SELECT "network" FROM "History" WHERE ${tenantId === undefined ? sql`true` : sql`"tenantId" = ${tenantId}::uuid`}
          ORDER BY "createdAt" DESC, "id" DESC LIMIT ${NEWEST}::int
        ) newest`
  return rows.map(({ network }) => network)
}

/** What an owner reached: a payment with any outcome, a settled one, and one that its own server took. */
type Reached = { paid: boolean; settled: boolean; served: boolean }

/** What an owner reached, read from its newest settlements. Test payments of the dashboard come from no server. */
export async function readReached(db: Db, owner: OwnerFilter): Promise<Reached> {
  const own = join(
    ownershipsOf(owner, 'History').map((ownership) => sql`(${ownership})`),
    ' OR ',
  )
  const [row] = await db.queryUnprepared<Reached>`
    SELECT count(*) > 0 AS "paid", COALESCE(bool_or("success"), false) AS "settled",
      COALESCE(bool_or("resource" <> ${testPayment.resource.url}), false) AS "served"
    FROM (
      SELECT "success", "resource" FROM "History" WHERE ${own} ORDER BY "createdAt" DESC, "id" DESC LIMIT ${NEWEST}::int
    ) newest`
  return row ?? { paid: false, settled: false, served: false }
}

/** The networks of a payer's newest payments. */
export async function networksPaidOn(db: Db, payer: string): Promise<string[]> {
  const rows = await db.query<{ network: string }>`
    SELECT DISTINCT "network" FROM (
      SELECT "network" FROM "History" WHERE "payer" = ${payer} ORDER BY "createdAt" DESC, "id" DESC LIMIT ${NEWEST}::int
    ) newest`
  return rows.map(({ network }) => network)
}

/** Of a list: whether there are such keys, its begin, and whether the sums of its days have all of it: they lack keys whose history is off. */
type ListExtent = { known: boolean; begin: Date | null; whole: boolean }

/** Whether these tenants exist, the time of their owner's oldest settlement (null without one), and whether sums have all of theirs. */
export async function readListExtent(db: Db, filter: TenantFilter): Promise<ListExtent> {
  // Of the owner: an index leads to it, also if the tenant is another's.
  const oldest = scanned({ scans: wholeScansOf(filter.owner ? { owner: filter.owner } : filter) }, [], sql`"createdAt", "id"`, 1)
  const [row] = await db.queryUnprepared<ListExtent>`
    SELECT EXISTS (SELECT FROM "Tenant" WHERE ${tenantCondition(filter)}) AS "known",
      (SELECT "createdAt" FROM (${oldest}) oldest) AS "begin", NOT EXISTS (
        SELECT FROM "Tenant" WHERE NOT "historyEnabled" AND ${tenantCondition(filter)}
          AND EXISTS (SELECT FROM "History" h WHERE h."tenantId" = "Tenant"."id")
      ) AS "whole"`
  return row ?? { known: false, begin: null, whole: true }
}
