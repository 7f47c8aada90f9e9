import type { Db } from '../db/database'
import { sql } from '../db/sql'
import { acceptedOf } from '../history/queries'
import { type Environment, networksIn } from '../x402/networks/networks'
import { beginOf } from './rollup-queries'

/** A UTC day (`YYYY-MM-DD`) of an agent: how its payments ended, and how many of them cost a credit. */
type CreditDay = { day: string; settled: number; failed: number; used: number }

/**
 * A wallet's credits and how they came and went in the last UTC days with today: its days with payments and its purchases, oldest first. A
 * purchase that was undone has negative credits. `isPartial`: today has more payments than are counted.
 */
type CreditHistory = {
  left: number
  firstAt: string | null
  days: CreditDay[]
  purchases: { at: string; credits: number }[]
  isPartial: boolean
}

const TODAY = sql`(now() AT TIME ZONE 'UTC')::date`
/** Payments of today that are counted, and the newest purchases. */
const READ_MAX = 20_000
const PURCHASES_MAX = 200

/** The credits of a wallet over so many UTC days with today, of payments with history. One statement, so that its figures agree. */
export async function readCreditHistory(
  db: Db,
  { wallet, environment }: { wallet: string; environment: Environment },
  days: number,
): Promise<CreditHistory> {
  const networks = networksIn(environment)
  const entries = sql`"CreditEntry" e WHERE e."wallet" = ${wallet} AND e."environment" = ${environment}`
  const [row] = await db.queryUnprepared<CreditHistory & { readToday: number }>`
    WITH mine AS MATERIALIZED (
      SELECT "id" FROM "Tenant" WHERE "ownerKind" = 'wallet' AND "ownerId" = ${wallet} AND "plan" = 'agent'
    ), completed AS (
      SELECT r."day", COALESCE(sum(r."count") FILTER (WHERE r."errorReason" = ''), 0)::int AS "settled",
        COALESCE(sum(r."count") FILTER (WHERE r."errorReason" <> ''), 0)::int AS "failed",
        COALESCE(sum(r."count") FILTER (WHERE r."accepted" OR r."errorReason" = ''), 0)::int AS "used"
      FROM (
        SELECT t."day", t."errorReason", t."accepted", t."counts"[cardinality(t."counts")] AS "count" FROM "RollupTime" t JOIN mine ON t."tenantId" = mine."id"
        WHERE t."day" > ${TODAY} - ${days}::int AND t."day" < ${TODAY} AND t."network" = ANY(${networks}::text[])
      ) r GROUP BY r."day"
    ), today AS MATERIALIZED (
      SELECT h."success", h."network", ${acceptedOf} AS "accepted" FROM mine CROSS JOIN LATERAL (
        SELECT n."success", n."network", n."settlementId", n."settleMs" FROM "History" n
        WHERE n."tenantId" = mine."id" AND n."createdAt" >= ${beginOf(TODAY)} ORDER BY n."createdAt" DESC, n."id" DESC LIMIT ${READ_MAX}::int
      ) h
    ), each AS (
      SELECT * FROM completed UNION ALL
      SELECT ${TODAY}, count(*) FILTER (WHERE "success")::int, count(*) FILTER (WHERE NOT "success")::int, count(*) FILTER (WHERE "accepted")::int
      FROM today WHERE "network" = ANY(${networks}::text[]) HAVING count(*) > 0
    ), bought AS (
      SELECT e."createdAt", e."delta" FROM ${entries} AND e."createdAt" >= ${beginOf(sql`${TODAY} - ${days - 1}::int`)}
      ORDER BY e."createdAt" DESC LIMIT ${PURCHASES_MAX}::int
    )
    SELECT COALESCE((
        SELECT GREATEST(c."purchased" - c."used", 0) FROM "CreditAccount" c WHERE c."wallet" = ${wallet} AND c."environment" = ${environment}
      ), 0)::float8 AS "left",
      (SELECT min(e."createdAt") FROM ${entries}) AS "firstAt",
      (SELECT COALESCE(json_agg(json_build_object('day', "day"::text, 'settled', "settled", 'failed', "failed", 'used', "used") ORDER BY "day"), '[]') FROM each) AS "days",
      (SELECT COALESCE(json_agg(json_build_object('at', "createdAt", 'credits', "delta") ORDER BY "createdAt"), '[]') FROM bought) AS "purchases",
      (SELECT count(*)::int FROM today) AS "readToday"`
  if (!row) throw new Error('a statement without a row')
  const { readToday, firstAt, purchases, ...counts } = row
  return {
    ...counts,
    firstAt: firstAt && new Date(firstAt).toISOString(),
    // JSON of the database has times in its own form.
    purchases: purchases.map(({ at, credits }) => ({ at: new Date(at).toISOString(), credits })),
    isPartial: readToday >= READ_MAX,
  }
}
