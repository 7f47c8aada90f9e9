import type { Db } from '../db/database'
import { empty, pruning, type Sql, sql } from '../db/sql'
import type { Statements } from '../db/statements'
import { USDC } from '../x402/networks/assets'
import { type Environment, pastTestnets } from '../x402/networks/networks'
import { type ListedPlace, placesOf, toolPlacesOf } from './listed-places'
import { validOf } from './time-queries'

/** The completed days that figures cover. */
export const FIGURE_DAYS = 30

/** The different URLs of a part of a day that are counted, most frequent first. */
const URLS_MAX = 5_000
/** Route templates that a part of a day is compared with. */
const TEMPLATES_MAX = 50
/** The wallets of a part of a day that are stored. A resource with more shows a minimum. */
const CALLERS_MAX = 10_000
/** Tools of MCP servers that a part of a day is compared with. */
const TOOLS_MAX = 500

const SANDBOX = sql`'00000000-0000-0000-0000-000000000000'::uuid`
const ENVIRONMENTS = sql`'{mainnet,testnet}'::text[]`

// A URL without its query: the parameters of a call are not part of a listing.
const baseOf = (resource: Sql) => sql`regexp_replace(${resource}, '[?#].*$', '')`
const environmentOf = (network: Sql) =>
  sql`CASE WHEN ${network} = ANY(${pastTestnets()}::text[]) THEN 'testnet' ELSE 'mainnet' END`

/** The tenant that holds a resource `r`: its owner; in the sandbox that of everyone. */
const tenantOf = sql`
  CASE WHEN r."class" = 'sandbox' THEN ${SANDBOX} WHEN r."owner" ~ '^tenant:[0-9a-f-]{36}$' THEN substring(r."owner" from 8)::uuid END`

/** The tenants whose payments count for a resource that this one holds (an expression): all of its owner. The sandbox stands alone. */
const accountOf = (tenantId: Sql, where = empty) => sql`(
  SELECT t."id" FROM "Tenant" mine JOIN "Tenant" t ON (t."ownerKind", t."ownerId") = (mine."ownerKind", mine."ownerId")
  WHERE mine."id" = ${tenantId} AND (t."id" = mine."id" OR mine."ownerKind" <> 'system') ${where})`

/** Of these, the ones that keep history now. */
const countedOf = (tenantId: Sql) => accountOf(tenantId, sql`AND t."historyEnabled"`)

/** Whether a resource `r` shows its figures: its owner's key keeps history now. */
export const showsFigures = sql`EXISTS (SELECT FROM "Tenant" t WHERE t."id" = ${tenantOf} AND t."historyEnabled")`

type Day = { tenantId: string; day: string }

/** The listed resources of a tenant's owner that the URLs of some history rows belong to. `rows` is a table with its conditions, named `h`. */
export async function listedPlaces(db: Statements, rows: Sql, { tenantId }: Pick<Day, 'tenantId'>): Promise<ListedPlace[]> {
  const found = await db.query<{ base: string }>`
    SELECT ${baseOf(sql`h."resource"`)} AS "base" FROM ${rows} AND h."resource" <> '' GROUP BY 1 ORDER BY count(*) DESC, 1 LIMIT ${URLS_MAX}`
  const bases = found.map(({ base }) => base)
  const urls = bases.flatMap((base) => (URL.canParse(base) ? [new URL(base)] : []))
  const own = sql`${tenantOf} IN ${accountOf(sql`${tenantId}::uuid`)}`
  const exact = await db.query<{ id: string; url: string; environment: string }>`
    SELECT r."id", r."url", r."environment" FROM "Resource" r
    WHERE r."environment" = ANY(${ENVIRONMENTS}) AND r."url" = ANY(${urls.map(({ href }) => href)}::text[]) AND ${own}`
  const templates = await db.query<{ id: string; url: string; environment: string }>`
    SELECT r."id", r."url", r."environment" FROM "Resource" r
    WHERE r."host" = ANY(${[...new Set(urls.map(({ host }) => host))]}::text[]) AND r."environment" = ANY(${ENVIRONMENTS})
      AND r."bazaar" ? 'routeTemplate' AND ${own}
    ORDER BY r."lastSeen" DESC LIMIT ${TEMPLATES_MAX}`
  const tools = await db.query<{ id: string; url: string; environment: string }>`
    SELECT r."id", r."url", r."environment" FROM "Resource" r
    WHERE r."host" = ANY(${[...new Set(urls.map(({ host }) => host))]}::text[]) AND r."environment" = ANY(${ENVIRONMENTS})
      AND r."type" = 'mcp' AND ${own}
    ORDER BY r."lastSeen" DESC LIMIT ${TOOLS_MAX}`
  return [...placesOf(bases, exact, templates), ...toolPlacesOf(bases, tools)]
}

// A payer that is the owner's wallet, or that the owner is paid at, pays itself: a rank cannot be bought so.
const isOwn = (payer: Sql, resource: Sql, tenantId: string) => sql`(
  EXISTS (SELECT FROM "Resource" r JOIN "ResourceAccept" a ON a."owner" = r."owner" WHERE r."id" = ${resource} AND a."payTo" = ${payer})
  OR EXISTS (SELECT FROM "Tenant" mine JOIN "Tenant" t ON (t."ownerKind", t."ownerId") = (mine."ownerKind", mine."ownerId")
    WHERE mine."id" = ${tenantId}::uuid AND (${payer} = ANY(t."payToAllow") OR (t."ownerKind" = 'wallet' AND t."ownerId" = ${payer})
      OR EXISTS (SELECT FROM "ResourceAccept" a WHERE a."payTo" = ${payer} AND a."owner" = 'tenant:' || t."id"))))`

/** Stores what listed resources came to in some history rows, with the volume in USDC. All payers must have numbers. */
export async function storeResourceDay(
  db: Statements,
  rows: Sql,
  places: readonly ListedPlace[],
  { tenantId, day, part }: Day & { part: number },
): Promise<void> {
  if (places.length === 0) return
  const column = (name: keyof ListedPlace) => places.map((place) => place[name])
  await db.execute`
    INSERT INTO "ResourceDay" ("resourceId", "day", "part", "tenantId", "tries", "calls", "volume", "callers")
    SELECT p."id", ${day}::date, ${part}::int, ${tenantId}::uuid, count(*) FILTER (WHERE ${validOf}), count(*) FILTER (WHERE h."success"),
      COALESCE(sum(h."amount") FILTER (WHERE h."success" AND h."symbol" = ${USDC.symbol}), 0),
      COALESCE((array_agg(DISTINCT n."no") FILTER (WHERE h."success" AND n."no" IS NOT NULL))[1:${CALLERS_MAX}::int], '{}')
    FROM (SELECT h.* FROM ${rows}) h
    JOIN unnest(${column('base')}::text[], ${column('environment')}::text[], ${column('id')}::uuid[], ${column('tool')}::text[]) AS p("base", "environment", "id", "tool")
      ON p."base" = ${baseOf(sql`h."resource"`)} AND p."environment" = ${environmentOf(sql`h."network"`)}
      -- Only a settlement names its tool: what failed its judgement counts for none.
      AND (p."tool" IS NULL OR p."tool" = (SELECT s."declared" #>> '{extensions,bazaar,info,input,toolName}' FROM "Settlement" s WHERE s."id" = h."settlementId"))
    LEFT JOIN "PayerNumber" n ON n."payer" = h."payer"
    WHERE (${tenantId}::uuid <> ${SANDBOX}
      -- In the sandbox anyone can name a resource: only payments to its own address count.
      OR EXISTS (SELECT FROM "ResourceAccept" a WHERE a."resourceId" = p."id" AND a."payTo" = h."payTo"))
      AND NOT ${isOwn(sql`h."payer"`, sql`p."id"`, tenantId)}
    GROUP BY p."id"`
}

/** Forgets what a tenant's resources came to on a day, before it is stored again. */
export async function forgetResourceDay(db: Statements, { tenantId, day }: Day): Promise<void> {
  await db.execute`DELETE FROM "ResourceDay" WHERE "tenantId" = ${tenantId}::uuid AND "day" = ${day}::date`
}

/**
 * Sums the days of some resources into their figures, in the order of ids after one. Resolves with the last id; null when none is left.
 * A resource whose owner keeps no history has no figures.
 */
async function refreshFigures(db: Db, after: string | null, limit = 500): Promise<string | null> {
  const [end] = await db.queryUnprepared<{ last: string | null }>`
    WITH part AS MATERIALIZED (
      SELECT r."id", ${showsFigures} AS "shown", ARRAY${countedOf(tenantOf)} AS "tenants" FROM "Resource" r
      WHERE ${after === null ? sql`true` : sql`r."id" > ${after}::uuid`} ORDER BY r."id" LIMIT ${limit}
    ), summed AS (
      SELECT s."id", COALESCE(sum(d."tries"), 0)::int AS "tries", COALESCE(sum(d."calls"), 0)::int AS "calls", COALESCE(sum(d."volume"), 0) AS "volume",
        (SELECT count(DISTINCT no)::int FROM "ResourceDay" c, unnest(c."callers") no
          WHERE c."resourceId" = s."id" AND c."tenantId" = ANY(s."tenants") AND c."day" >= ${SINCE} AND s."shown") AS "callers"
      FROM part s LEFT JOIN "ResourceDay" d ON d."resourceId" = s."id" AND d."tenantId" = ANY(s."tenants") AND d."day" >= ${SINCE} AND s."shown"
      GROUP BY s."id", s."tenants", s."shown"
    ), changed AS (
      UPDATE "Resource" r SET "tries" = s."tries", "calls" = s."calls", "callers" = s."callers", "volume" = s."volume" FROM summed s
      WHERE r."id" = s."id" AND (r."tries", r."calls", r."callers", r."volume") IS DISTINCT FROM (s."tries", s."calls", s."callers", s."volume")
    )
    SELECT max("id"::text) AS "last" FROM part`
  return end?.last ?? null
}

const SINCE = sql`(now() AT TIME ZONE 'UTC')::date - ${FIGURE_DAYS}::int`

/** The paid calls of some entries on each of the completed days, oldest first. An entry without any is missing. */
export async function dailyCalls(db: Db, environment: Environment, urls: readonly string[]): Promise<Map<string, number[]>> {
  const rows = await db.queryUnprepared<{ url: string; at: number; calls: number }>`
    SELECT r."url", (d."day" - (${SINCE}))::int AS "at", sum(d."calls")::int AS "calls"
    FROM "Resource" r JOIN "ResourceDay" d ON d."resourceId" = r."id" AND d."tenantId" IN ${countedOf(tenantOf)} AND d."day" >= ${SINCE}
    WHERE r."environment" = ${environment} AND r."url" = ANY(${urls}::text[]) AND ${showsFigures}
    GROUP BY r."url", d."day"`
  const days = new Map<string, number[]>()
  for (const { url, at, calls } of rows) {
    const known = days.get(url) ?? Array.from({ length: FIGURE_DAYS }, () => 0)
    if (at in known) known[at] = calls
    days.set(url, known)
  }
  return days
}

/** Refreshes the figures of all resources, some at a time. */
export async function refreshAllFigures(db: Db, isStopped: () => boolean): Promise<void> {
  let last = await refreshFigures(db, null)
  while (last !== null && !isStopped()) last = await refreshFigures(db, last)
}

/** Deletes some days that no figure covers any more. Returns how many. */
export const pruneResourceDays = pruning(sql`"ResourceDay"`, sql`"resourceId", "day", "part"`, sql`"day"`, SINCE)
