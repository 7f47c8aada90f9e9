import { type OwnerFilter, ownershipsOf } from '../accounts/tenant-queries'
import type { Db } from '../db/database'
import { join, type Sql, sql } from '../db/sql'
import { USDC } from '../x402/networks/assets'
import { networkIds } from '../x402/networks/networks'
import { beginOf } from './rollup-queries'

/** A UTC day (`YYYY-MM-DD`) of a key. */
type ActiveDay = { day: string; count: number; failed: number }

/** What a key did lately: its days oldest first, without empty ones, and its newest failure. */
export type KeyActivity = {
  id: string
  days: ActiveDay[]
  lastFailure: { id: string; at: string; reason: string } | null
}

const KEYS_MAX = 100
/** Rows of today that are counted, and the newest rows that are searched for a failure. */
const READ_MAX = 1_000

const TODAY = sql`(now() AT TIME ZONE 'UTC')::date`

/**
 * The settlements and failures of a tenant (an expression) on each of the last UTC days with any, today included: of completed days as they
 * are stored, of today at most `READ_MAX`. On some networks.
 */
function daysOf(tenantId: Sql, days: number, networks: readonly string[]): Sql {
  const on = (row: Sql) => sql`${row}."network" = ANY(${networks}::text[])`
  return sql`
    SELECT f."day", sum(f."count")::int AS "count", COALESCE(sum(f."count") FILTER (WHERE f."errorReason" <> ''), 0)::int AS "failed"
    FROM "RollupFact" f WHERE f."tenantId" = ${tenantId} AND f."day" > ${TODAY} - ${days}::int AND f."day" < ${TODAY} AND ${on(sql`f`)} GROUP BY f."day"
    UNION ALL
    SELECT ${TODAY}, count(*)::int, count(*) FILTER (WHERE NOT n."success")::int FROM (
      SELECT h."success", h."network" FROM "History" h WHERE h."tenantId" = ${tenantId} AND h."createdAt" >= ${beginOf(TODAY)}
      ORDER BY h."createdAt" DESC, h."id" DESC LIMIT ${READ_MAX}::int
    ) n WHERE ${on(sql`n`)} HAVING count(*) > 0`
}

/** What a tenant settled: how many payments, and the atomic units of its USDC as digits. */
type SettledSums = { count: number; volume: string }

/**
 * The sums of a tenant (an expression) over the last UTC days on some networks, today included, as one row "count" and "volume": of
 * completed days as they are stored, of today at most `READ_MAX`.
 */
export function settledSums(tenantId: Sql, days: number, networks: readonly string[]): Sql {
  const on = (row: Sql) => sql`${row}."network" = ANY(${networks}::text[])`
  const inUsdc = sql`FILTER (WHERE "symbol" = ${USDC.symbol})`
  return sql`
    SELECT COALESCE(sum("count"), 0)::float8 AS "count", COALESCE(sum("volume") ${inUsdc}, 0)::numeric AS "volume" FROM (
      SELECT f."count", f."volume", f."symbol" FROM "RollupFact" f
      WHERE f."tenantId" = ${tenantId} AND f."day" > ${TODAY} - ${days}::int AND f."day" < ${TODAY} AND f."errorReason" = '' AND ${on(sql`f`)}
      UNION ALL
      SELECT 1, n."amount", n."symbol" FROM (
        SELECT h."success", h."network", h."amount", h."symbol" FROM "History" h
        WHERE h."tenantId" = ${tenantId} AND h."createdAt" >= ${beginOf(TODAY)} ORDER BY h."createdAt" DESC, h."id" DESC LIMIT ${READ_MAX}::int
      ) n WHERE n."success" AND ${on(sql`n`)}
    ) p`
}

/** What each of these tenants settled in the last UTC days on some networks, today included. */
export async function sumSettled(
  db: Db,
  tenantIds: readonly string[],
  { days, networks }: { days: number; networks: readonly string[] },
): Promise<Map<string, SettledSums>> {
  const rows = await db.queryUnprepared<SettledSums & { id: string }>`
    SELECT t."id", s."count", s."volume"::text AS "volume"
    FROM unnest(${tenantIds}::uuid[]) AS t("id") CROSS JOIN LATERAL (${settledSums(sql`t."id"`, days, networks)}) s`
  return new Map(rows.map(({ id, ...sums }) => [id, sums]))
}

/**
 * The activity of an owner's live keys that keep a history, or of one of its keys, over so many UTC days with today, on some networks or on
 * all. Counts of today end at 1,000.
 */
export function readKeyActivity(
  db: Db,
  owner: OwnerFilter,
  days: number,
  networks: readonly string[] = networkIds,
  tenantId: string | null = null,
): Promise<KeyActivity[]> {
  const which = tenantId === null ? sql`"revokedAt" IS NULL AND "historyEnabled"` : sql`"id" = ${tenantId}::uuid`
  return db.queryUnprepared<KeyActivity>`
    SELECT k."id", (
      SELECT COALESCE(json_agg(json_build_object('day', d."day"::text, 'count', d."count", 'failed', d."failed") ORDER BY d."day"), '[]')
      FROM (${daysOf(sql`k."id"`, days, networks)}) d
    ) AS "days", (
      SELECT json_build_object('id', n."id", 'at', n."createdAt", 'reason', COALESCE(n."errorReason", '')) FROM (
        SELECT h."id", h."createdAt", h."success", h."network", h."errorReason" FROM "History" h WHERE h."tenantId" = k."id"
        ORDER BY h."createdAt" DESC, h."id" DESC LIMIT ${READ_MAX}::int
      ) n WHERE NOT n."success" AND n."network" = ANY(${networks}::text[]) ORDER BY n."createdAt" DESC, n."id" DESC LIMIT 1
    ) AS "lastFailure"
    FROM (
      SELECT "id" FROM "Tenant" WHERE (${join(ownershipsOf(owner, 'Tenant'), ' OR ')}) AND ${which} LIMIT ${KEYS_MAX}::int
    ) k`
}
