import type { Prisma } from '../../generated/prisma/client'
import { type OwnerFilter, ownershipsOf, type TenantFilter } from '../accounts/tenant-queries'
import type { Db } from '../db/database'
import { join, pruning, sql } from '../db/sql'
import { SAFE_WATERMARK } from '../history/queries'
import { networkIds } from '../x402/networks/networks'
import { testPayment } from '../x402/test-payment'

/** The key of a memo: scope, number of days, and the choice of network or environment and token. */
type MemoKey = { scope: string; days: number; network: string }

/** The state to read before a computation: today (`YYYY-MM-DD`), whether the days before it are settled, and the epoch. */
type AnalyticsState = { today: string; settled: boolean; epoch: string }

/** Reads the state of analytics with its valid memo, if any. Read it before computing: a later change has another epoch. */
export async function readAnalyticsState(db: Db, epochScope: string, key: MemoKey): Promise<AnalyticsState & { memo: unknown }> {
  const [row] = await db.queryUnprepared<AnalyticsState & { memo: unknown }>`
    WITH standing AS (
      SELECT (now() AT TIME ZONE 'UTC')::date AS "today", COALESCE((SELECT "epoch" FROM "AnalyticsEpoch" WHERE "scope" = ${epochScope}), 0) AS "epoch"
    )
    SELECT s."today"::text AS "today", s."epoch"::text AS "epoch", s."today"::timestamp AT TIME ZONE 'UTC' <= ${SAFE_WATERMARK} AS "settled",
      (SELECT m."answer" FROM "AnalyticsMemo" m WHERE m."scope" = ${key.scope} AND m."days" = ${key.days} AND m."network" = ${key.network}
        AND m."endDate" = s."today" AND m."epoch" = s."epoch") AS "memo"
    FROM standing s`
  if (!row) throw new Error('the database did not return its date')
  return row
}

/** How many memos a scope keeps. One beyond is computed again for each request. */
const MEMOS_MAX = 100

/** Stores analytics until the day or the epoch changes, for so many choices of a scope. A newer memo stays. */
export async function saveMemo(
  db: Db,
  key: MemoKey,
  { today, epoch }: AnalyticsState,
  answer: Prisma.InputJsonObject,
  most = MEMOS_MAX,
): Promise<void> {
  const others = sql`m."scope" = ${key.scope} AND (m."days", m."network") <> (${key.days}::int, ${key.network}) AND m."endDate" = ${today}::date`
  await db.execute`
    INSERT INTO "AnalyticsMemo" AS m ("scope", "days", "network", "endDate", "epoch", "answer")
    SELECT ${key.scope}, ${key.days}::int, ${key.network}, ${today}::date, ${epoch}::bigint, ${JSON.stringify(answer)}::json
    WHERE (SELECT count(*) FROM "AnalyticsMemo" m WHERE ${others}) < ${most}
    ON CONFLICT ("scope", "days", "network") DO UPDATE SET "endDate" = EXCLUDED."endDate", "epoch" = EXCLUDED."epoch", "answer" = EXCLUDED."answer"
    WHERE (m."endDate", m."epoch") <= (EXCLUDED."endDate", EXCLUDED."epoch")`
}

/** Deletes some memos of earlier days. Returns how many. */
export const pruneMemos = pruning(
  sql`"AnalyticsMemo"`,
  sql`"scope", "days", "network"`,
  sql`"endDate"`,
  sql`(now() AT TIME ZONE 'UTC')::date`,
)

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
