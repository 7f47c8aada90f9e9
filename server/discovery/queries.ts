import type { Db } from '../db/database'
import { empty, join, type Sql, sql } from '../db/sql'
import { showsFigures } from '../sums/resource-queries'
import type { Environment } from '../x402/networks/networks'
import type { Listing, ListingType } from './bazaar'
import { RETENTION } from './entry-queries'

/** A part of a catalog; null fields match all. */
export type CatalogFilter = {
  environment: Environment
  network: string | null
  /** In the form of payments. */
  payTo: string | null
  x402Version: 1 | 2 | null
  /** Default: both. */
  type?: ListingType
  /** One entry only. */
  url?: string
  /** Only what is paid by this scheme. */
  scheme?: string
  /** Only what is sold for this token. */
  symbol?: string
  /** The highest price, as digits of atomic units of that token. */
  priceMax?: string
  /** Only what its merchant tagged so, spelled alike. */
  tag?: string
  /** Only what was paid for in so many days. */
  seenDays?: number
}

/** What an entry came to in the last 30 completed days; the volume is that in USDC, as digits of atomic units. */
export type Figures = { tries: number; calls: number; callers: number; volume: string }

/** The order of a list: by the last payment, the volume, or the first payment. */
export type CatalogOrder = 'seen' | 'volume' | 'new'

const ORDERS = {
  seen: sql`r."lastSeen" DESC, r."id"`,
  volume: sql`r."volume" DESC, r."id"`,
  new: sql`r."firstSeen" DESC, r."id"`,
} as const satisfies Record<CatalogOrder, Sql>

/** An entry with its ways to pay. Figures are null if its owner keeps no history. */
export type EntryRow = Omit<Listing, 'host' | 'x402Version' | 'bazaar' | 'requirements'> & {
  x402Version: number
  bazaar: unknown
  lastSeen: Date
  /** First paid in the last two days: no completed day may count it yet. */
  isNew: boolean
  accepts: unknown
  figures: Figures | null
}

/** The maximum count. */
export const TOTAL_MAX = 100_000
/** The maximum number of ranked matches, so that a common word does not read every entry. */
const RANKED_MAX = 2_000

/** A page of a catalog, with the number of entries up to 100,000. */
export async function listEntries(
  db: Db,
  filter: CatalogFilter,
  { limit, offset, order = 'seen' }: { limit: number; offset: number; order?: CatalogOrder },
): Promise<{ entries: EntryRow[]; total: number }> {
  // One after the other: a page takes one of the few connections for pages.
  const entries = await db.queryUnprepared<EntryRow>(listStatement(filter, { limit, offset, order }))
  const [counted] = await db.queryUnprepared<{ total: number }>`
      SELECT count(*)::int AS "total" FROM (SELECT 1 FROM "Resource" r WHERE ${matching(filter)} LIMIT ${TOTAL_MAX}) counted`
  return { entries, total: counted?.total ?? 0 }
}

/** The statement of a page. It reads the index of its order. */
export function listStatement(filter: CatalogFilter, { limit, offset, order }: ListPart): Sql {
  return sql`
    SELECT ${columns} FROM (
      SELECT r.* FROM "Resource" r WHERE ${matching(filter)} ORDER BY ${ORDERS[order]} LIMIT ${limit} OFFSET ${offset}
    ) r ORDER BY ${ORDERS[order]}`
}

type ListPart = { limit: number; offset: number; order: CatalogOrder }

/** What entries came to in the last 30 completed days; the volume is atomic units of USDC. `partial`: those with the least volume are left out. */
export type EntrySums = { calls: number; volume: string; partial: boolean }

/** The entries that are summed at most, those with the highest volume. */
const SUMMED_MAX = 1_000

/** The sums of the entries of a list, or of those that contain any of these words. */
export async function sumEntries(db: Db, filter: CatalogFilter, words: string | null): Promise<EntrySums> {
  const found =
    words === null ? empty : sql`AND r."search" @@ replace(plainto_tsquery('english', ${words})::text, '&', '|')::tsquery`
  const [sums] = await db.queryUnprepared<EntrySums>`
    SELECT count(*) = ${SUMMED_MAX}::int AS "partial", COALESCE(sum(s."calls"), 0)::float8 AS "calls", COALESCE(sum(s."volume"), 0)::text AS "volume" FROM (
      SELECT r."calls", r."volume" FROM "Resource" r
      WHERE ${matching(filter)} ${found} AND r."calls" > 0 AND ${showsFigures} ORDER BY ${ORDERS.volume} LIMIT ${SUMMED_MAX}::int
    ) s`
  return sums ?? { calls: 0, volume: '0', partial: false }
}

/**
 * The entries that contain any of these words, best match first, with the number of matches. `partial`: there are more matches than were
 * ranked.
 */
export async function searchEntries(
  db: Db,
  words: string,
  filter: CatalogFilter,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ entries: EntryRow[]; total: number; partial: boolean }> {
  // A sentence matches any of its words; more matching words rank higher.
  const rows = await db.queryUnprepared<EntryRow & { ranked: number }>`
    WITH asked AS (SELECT replace(plainto_tsquery('english', ${words})::text, '&', '|')::tsquery AS "query"
    ), found AS MATERIALIZED (
      SELECT r."id", ts_rank(r."search", asked."query") AS "rank" FROM "Resource" r, asked
      WHERE r."search" @@ asked."query" AND ${matching(filter)} LIMIT ${RANKED_MAX}
    )
    SELECT ${columns}, (SELECT count(*)::int FROM found) AS "ranked"
    FROM found JOIN "Resource" r ON r."id" = found."id"
    ORDER BY found."rank" DESC, r."lastSeen" DESC, r."id" LIMIT ${limit} OFFSET ${offset}`
  const entries = rows.map(({ ranked: _, ...entry }) => entry)
  const total = rows[0]?.ranked ?? 0
  return { entries, total, partial: total >= RANKED_MAX }
}

const columns = sql`
  r."url", r."type", r."x402Version", r."description", r."mimeType", r."serviceName", r."tags", r."iconUrl", r."bazaar", r."lastSeen",
  r."firstSeen" > now() - interval '2 days' AS "isNew",
  CASE WHEN ${showsFigures} THEN json_build_object('tries', r."tries", 'calls', r."calls", 'callers', r."callers", 'volume', r."volume"::text) END AS "figures",
  (SELECT COALESCE(jsonb_agg(a."requirements" ORDER BY a."scheme", a."network", a."symbol"), '[]') FROM "ResourceAccept" a
    WHERE a."resourceId" = r."id" AND a."owner" = r."owner") AS "accepts"`

function matching(filter: CatalogFilter): Sql {
  const { environment, network, payTo, x402Version, url, scheme, symbol, priceMax, tag, seenDays, type } = filter
  const accept = [
    ...(network === null ? [] : [sql`a."network" = ${network}`]),
    ...(payTo === null ? [] : [sql`a."payTo" = ${payTo}`]),
    ...(scheme === undefined ? [] : [sql`a."scheme" = ${scheme}`]),
    ...(symbol === undefined ? [] : [sql`a."symbol" = ${symbol}`]),
    ...(priceMax === undefined ? [] : [sql`(a."requirements"->>'maxAmountRequired')::numeric <= ${priceMax}::numeric`]),
  ]
  const paidSo =
    accept.length === 0
      ? empty
      : sql`AND EXISTS (SELECT 1 FROM "ResourceAccept" a WHERE a."resourceId" = r."id" AND a."owner" = r."owner" AND ${join(accept, ' AND ')})`
  const version = x402Version === null ? empty : sql`AND r."x402Version" = ${x402Version}`
  const typed = type === undefined ? empty : sql`AND r."type" = ${type}`
  const there = url === undefined ? empty : sql`AND r."url" = ${url}`
  const tagged = tag === undefined ? empty : sql`AND r."tags" @> ARRAY[${tag}]::text[]`
  const fresh = seenDays === undefined ? empty : sql`AND r."lastSeen" > now() - make_interval(days => ${seenDays}::int)`
  return sql`r."environment" = ${environment} ${typed} ${there} ${tagged} ${fresh} AND r."lastSeen" > now() - ${RETENTION} ${paidSo} ${version}`
}
