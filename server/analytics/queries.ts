import type { Prisma } from '../../generated/prisma/client'
import { ownershipsOf, type TenantFilter } from '../accounts/tenant-queries'
import type { Db } from '../db/database'
import { join, pruning, type Sql, sql } from '../db/sql'
import { conditionsOf, SAFE_WATERMARK } from '../history/queries'
import { networkIds } from '../x402/networks'
import { beginOf, CURSOR, reasonOf } from './rollup-queries'

/** The `days` completed UTC days before `end`, and as many before them for comparison; of all networks or of these. */
export type Window = { end: string; days: number; networks?: readonly string[] }

/** Counts of settlements and of successes, and the volume of the successes as digits. */
export type Sums = { count: number; good: number; volume: string }

type ResourceSums = Sums & { resource: string; payTo: string; network: string }

/** The sums of the completed days of a window; resources are the ten with most settlements. */
export type AnalyticsSums = {
  period: Sums & { payers: number }
  previous: Sums & { payers: number }
  days: (Sums & { day: string })[]
  networks: (Sums & { network: string })[]
  reasons: { reason: string; count: number }[]
  resources: ResourceSums[]
}

const TOP_RESOURCES = 10

/** Our own reason codes, a few dozen. */
const REASONS_MAX = 200

/** Sums a window in one statement and so at one moment: from rollups where they are current, else from the rows. */
export async function sumUp(db: Db, filter: TenantFilter, window: Window): Promise<AnalyticsSums> {
  const [row] = await db.queryUnprepared<{ sums: AnalyticsSums }>(sumsQuery(filter, window))
  if (!row) throw new Error('the database did not answer')
  return row.sums
}

/** The statement of `sumUp`. Keys that have switched their history off are excluded, also for older rows. */
function sumsQuery(filter: TenantFilter, { end, days, networks }: Window): Sql {
  const [until, since] = [sql`${end}::date`, sql`(${end}::date - ${days}::int)`]
  const from = sql`(${end}::date - 2 * ${days}::int)`
  const on = (table: Sql) => (networks === undefined ? sql`true` : sql`${table}."network" = ANY(${networks}::text[])`)
  const noted = sql`"RollupDay" d ON d."tenantId" = s."id" AND d."day" >= ${from} AND d."day" < LEAST(${until}, ${CURSOR})`
  const columns = sql`(h."createdAt" AT TIME ZONE 'UTC')::date AS "day", h."network", h."resource", h."payTo", ${reasonOf} AS "reason", h."payer", h."amount"`
  const h = sql`h`
  return sql`
    WITH scope AS MATERIALIZED (
      SELECT "id" FROM "Tenant" WHERE "historyEnabled" AND ${tenantsOf(filter)}
    ), raw AS MATERIALIZED (
      SELECT ${columns} FROM scope s JOIN "History" h ON h."tenantId" = s."id"
      WHERE h."createdAt" >= ${beginOf(sql`GREATEST(${from}, ${CURSOR})`)} AND h."createdAt" < ${beginOf(until)} AND ${on(h)}
      UNION ALL
      SELECT ${columns} FROM scope s JOIN ${noted} AND d."state" = 'dirty' JOIN "History" h ON h."tenantId" = s."id"
        AND h."createdAt" >= ${beginOf(sql`d."day"`)} AND h."createdAt" < ${beginOf(sql`d."day" + 1`)}
      WHERE ${on(h)}
    ), fact AS (
      SELECT f."day", f."network", f."resource", f."payTo", f."errorReason" AS "reason", f."count"::bigint AS "count", f."volume"
      FROM scope s JOIN ${noted} AND d."state" = 'rolled' JOIN "RollupFact" f ON f."tenantId" = d."tenantId" AND f."day" = d."day"
      WHERE ${on(sql`f`)}
      UNION ALL
      SELECT "day", "network", "resource", "payTo", "reason", count(*), COALESCE(sum("amount") FILTER (WHERE "reason" = ''), 0)
      FROM raw GROUP BY 1, 2, 3, 4, 5
    ), summed AS MATERIALIZED (
      SELECT "current", "day", "network", "resource", "payTo", "reason", grouping("day", "network", "resource", "reason") AS "set",
        sum("count") AS "count", COALESCE(sum("count") FILTER (WHERE "reason" = ''), 0) AS "good", sum("volume") AS "volume"
      FROM (SELECT "day" >= ${since} AS "current", * FROM fact) f
      GROUP BY GROUPING SETS (("current"), ("current", "day"), ("current", "network"), ("current", "reason"), ("current", "network", "resource", "payTo"))
    ), payer AS (
      SELECT count(*) FILTER (WHERE "now") AS "now", count(*) FILTER (WHERE "then") AS "then" FROM (
        SELECT "payer", bool_or("day" >= ${since}) AS "now", bool_or("day" < ${since}) AS "then" FROM (
          SELECT p."day", p."payer" FROM scope s JOIN ${noted} AND d."state" = 'rolled'
            JOIN "RollupPayer" p ON p."tenantId" = d."tenantId" AND p."day" = d."day"
          WHERE ${on(sql`p`)}
          UNION ALL SELECT "day", "payer" FROM raw WHERE "payer" <> ''
        ) paid GROUP BY "payer"
      ) each
    )
    SELECT json_build_object(
      'period', ${totals(sql`"current"`, sql`"now"`)},
      'previous', ${totals(sql`NOT "current"`, sql`"then"`)},
      'days', ${list(sql`'day', "day"`, SET.day, sql`ORDER BY "day"`)},
      'networks', ${list(sql`'network', "network"`, SET.network, sql`ORDER BY "count" DESC, "network" COLLATE "C"`)},
      'reasons', ${list(sql`'reason', "reason"`, SET.reason, sql`AND "reason" <> '' ORDER BY "count" DESC, "reason" COLLATE "C" LIMIT ${REASONS_MAX}`)},
      'resources', ${list(
        sql`'resource', "resource", 'payTo', "payTo", 'network', "network"`,
        SET.resource,
        sql`ORDER BY "count" DESC, "resource" COLLATE "C", "payTo" COLLATE "C", "network" COLLATE "C" LIMIT ${TOP_RESOURCES}`,
      )}
    ) AS "sums"`
}

// The values of grouping("day", "network", "resource", "reason"): a bit is set for each column that is not grouped by.
const SET = { total: 0b1111, day: 0b0111, network: 0b1011, reason: 0b1110, resource: 0b1001 } as const

const SUMS = sql`'count', "count"::bigint, 'good', "good"::bigint, 'volume', "volume"::text`

const totals = (which: Sql, payers: Sql) => sql`
  COALESCE(
    (SELECT json_build_object(${SUMS}, 'payers', (SELECT ${payers} FROM payer)) FROM summed WHERE "set" = ${SET.total}::int AND ${which}),
    json_build_object('count', 0, 'good', 0, 'volume', '0', 'payers', 0)
  )`

const list = (keys: Sql, set: number, rest: Sql) => sql`
  (SELECT COALESCE(json_agg(json_build_object(${keys}, ${SUMS})), '[]')
   FROM (SELECT * FROM summed WHERE "set" = ${set}::int AND "current" ${rest}) listed)`

function tenantsOf({ owner, tenantId }: TenantFilter): Sql {
  const conditions = [
    ...(owner ? [sql`(${join(ownershipsOf(owner), ' OR ')})`] : []),
    ...(tenantId === undefined ? [] : [sql`"id" = ${tenantId}::uuid`]),
    sql`true`,
  ]
  return join(conditions, ' AND ')
}

/** The key of a memo: scope, number of days, and network or environment (empty: all networks). */
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

/** Stores analytics until the day or the epoch changes. A newer memo stays. */
export async function saveMemo(
  db: Db,
  key: MemoKey,
  { today, epoch }: AnalyticsState,
  answer: Prisma.InputJsonObject,
): Promise<void> {
  await db.execute`
    INSERT INTO "AnalyticsMemo" AS m ("scope", "days", "network", "endDate", "epoch", "answer")
    VALUES (${key.scope}, ${key.days}, ${key.network}, ${today}::date, ${epoch}::bigint, ${JSON.stringify(answer)}::json)
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

/**
 * The sums of a UTC day (`YYYY-MM-DD`) so far; the volume is digits of atomic units of successes. `more`: there were more rows than the
 * limit, so the sums are a minimum.
 */
export type TodaySums = { day: string; settled: number; failed: number; volume: string; more: boolean }

const TODAY = sql`(now() AT TIME ZONE 'UTC')::date`

/** Sums today on some networks, over at most so many rows. Keys that have switched their history off are excluded. */
export async function sumToday(db: Db, filter: TenantFilter, networks: readonly string[], most: number): Promise<TodaySums> {
  const [row] = await db.queryUnprepared<TodaySums>(todayQuery(filter, networks, most))
  if (!row) throw new Error('the database did not answer')
  return row
}

/** The statement of `sumToday`. It reads no more rows than it may count. */
export function todayQuery(filter: TenantFilter, networks: readonly string[], most: number): Sql {
  const scans = scansOf(filter, networks).map((conditions) => {
    // In order, so that it is read from the index that ends where the count does, and nothing is gathered first.
    const today = sql`"createdAt" >= ${beginOf(TODAY)}`
    return sql`(SELECT "tenantId", "network", "success", "amount" FROM "History" WHERE ${join([...conditions, today], ' AND ')} ORDER BY "createdAt" DESC, "id" DESC LIMIT ${most + 1}::int)`
  })
  return sql`
    WITH found AS MATERIALIZED (SELECT * FROM (${join(scans, ' UNION ALL ')}) scanned LIMIT ${most + 1}::int)
    SELECT ${TODAY}::text AS "day", (SELECT count(*) FROM found) > ${most}::int AS "more",
      count(*) FILTER (WHERE f."success")::int AS "settled", count(*) FILTER (WHERE NOT f."success")::int AS "failed",
      COALESCE(sum(f."amount") FILTER (WHERE f."success"), 0)::text AS "volume"
    FROM found f JOIN "Tenant" t ON t."id" = f."tenantId" AND t."historyEnabled"
    WHERE f."network" = ANY(${networks}::text[])`
}

// Only an owner's rows are in order by network; without an owner all networks are counted and then filtered.
function scansOf(filter: TenantFilter, networks: readonly string[]): Sql[][] {
  if (!filter.owner) return conditionsOf(filter)
  return networks.flatMap((network) => conditionsOf({ ...filter, network }))
}

/** This many of the newest settlements show where a facilitator or a key is active. */
const NEWEST = 1_000

/** The networks on which an owner ever settled; without an owner, those of the newest settlements. */
export async function networksUsed(db: Db, { owner, tenantId }: TenantFilter): Promise<string[]> {
  const rows = owner
    ? await db.queryUnprepared<{ network: string }>`
        SELECT n."network" FROM unnest(${[...networkIds]}::text[]) AS n("network") WHERE ${join(
          ownershipsOf(owner).map(
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
