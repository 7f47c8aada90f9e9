import type { Db } from '../db/database'
import { empty, join, type Sql, sql } from '../db/sql'
import type { Environment } from '../x402/networks'
import type { Listing } from './bazaar'
import { RETENTION } from './entry-queries'

/** A part of a catalog; null fields match all. */
export type CatalogFilter = {
  environment: Environment
  network: string | null
  /** In the form of payments. */
  payTo: string | null
  x402Version: 1 | 2 | null
  /** One entry only. */
  url?: string
}

/** An entry with its ways to pay. */
export type EntryRow = Omit<Listing, 'host' | 'x402Version' | 'bazaar' | 'requirements'> & {
  x402Version: number
  bazaar: unknown
  lastSeen: Date
  accepts: unknown
}

/** The maximum count. */
const TOTAL_MAX = 100_000
/** The maximum number of ranked matches, so that a common word does not read every entry. */
const RANKED_MAX = 2_000

/** A page of a catalog, most recently seen first, with the number of entries up to 100,000. */
export async function listEntries(
  db: Db,
  filter: CatalogFilter,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ entries: EntryRow[]; total: number }> {
  // One after the other: a page takes one of the few connections for pages.
  const entries = await db.queryUnprepared<EntryRow>`
      SELECT ${columns} FROM (
        SELECT r.* FROM "Resource" r WHERE ${matching(filter)} ORDER BY r."lastSeen" DESC, r."id" LIMIT ${limit} OFFSET ${offset}
      ) r ORDER BY r."lastSeen" DESC, r."id"`
  const [counted] = await db.queryUnprepared<{ total: number }>`
      SELECT count(*)::int AS "total" FROM (SELECT 1 FROM "Resource" r WHERE ${matching(filter)} LIMIT ${TOTAL_MAX}) counted`
  return { entries, total: counted?.total ?? 0 }
}

/** The entries that contain any of these words, best match first. `partial`: there are more matches than were ranked. */
export async function searchEntries(
  db: Db,
  words: string,
  filter: CatalogFilter,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ entries: EntryRow[]; partial: boolean }> {
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
  return { entries, partial: (rows[0]?.ranked ?? 0) >= RANKED_MAX }
}

const columns = sql`
  r."url", r."x402Version", r."description", r."mimeType", r."serviceName", r."tags", r."iconUrl", r."bazaar", r."lastSeen",
  (SELECT COALESCE(jsonb_agg(a."requirements" ORDER BY a."scheme", a."network"), '[]') FROM "ResourceAccept" a
    WHERE a."resourceId" = r."id" AND a."owner" = r."owner") AS "accepts"`

function matching({ environment, network, payTo, x402Version, url }: CatalogFilter): Sql {
  const accept = [
    ...(network === null ? [] : [sql`a."network" = ${network}`]),
    ...(payTo === null ? [] : [sql`a."payTo" = ${payTo}`]),
  ]
  const paidSo =
    accept.length === 0
      ? empty
      : sql`AND EXISTS (SELECT 1 FROM "ResourceAccept" a WHERE a."resourceId" = r."id" AND a."owner" = r."owner" AND ${join(accept, ' AND ')})`
  const version = x402Version === null ? empty : sql`AND r."x402Version" = ${x402Version}`
  const there = url === undefined ? empty : sql`AND r."url" = ${url}`
  return sql`r."environment" = ${environment} ${there} AND r."lastSeen" > now() - ${RETENTION} ${paidSo} ${version}`
}
