import type { App } from '../app'
import type { Db } from '../db/database'
import type { Environment } from '../x402/networks'
import { RETENTION } from './entry-queries'

/** A resource of a merchant's in the catalog. */
export type OwnListing = OwnListingRow

/** What the catalog has of a merchant's keys, seen last first. */
export async function ownListings(
  { db }: Pick<App, 'db'>,
  merchant: string,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ listings: OwnListing[]; hasMore: boolean }> {
  const rows = await readOwnListings(db, { kind: 'oidc', id: merchant }, { limit: limit + 1, offset })
  return { listings: rows.slice(0, limit), hasMore: rows.length > limit }
}

/** A resource of an owner's key in the catalog. */
export type OwnListingRow = {
  id: string
  environment: Environment
  url: string
  description: string | null
  x402Version: number
  /** The key that settles for it, whether it still may, and whether what it settles is told to anybody. */
  tenantId: string
  keyRevoked: boolean
  optedOut: boolean
  networks: string[]
  lastSeen: Date
  /** From then on it is not shown, unless it is settled for again. */
  until: Date
  listed: boolean
}

/** What the catalog has of the tenants of an owner, seen last first. */
export function readOwnListings(
  db: Db,
  owner: { kind: 'oidc' | 'wallet'; id: string },
  { limit, offset }: { limit: number; offset: number },
): Promise<OwnListingRow[]> {
  return db.queryUnprepared<OwnListingRow>`
    SELECT r."id", r."environment", r."url", r."description", r."x402Version", t."id" AS "tenantId", t."revokedAt" IS NOT NULL AS "keyRevoked",
      NOT t."historyEnabled" AS "optedOut", r."lastSeen", r."lastSeen" + ${RETENTION} AS "until", r."lastSeen" > now() - ${RETENTION} AS "listed",
      ARRAY(SELECT a."network" FROM "ResourceAccept" a WHERE a."resourceId" = r."id" AND a."owner" = r."owner" ORDER BY a."network") AS "networks"
    FROM "Tenant" t JOIN "Resource" r ON r."owner" = 'tenant:' || t."id"
    WHERE t."ownerKind" = ${owner.kind} AND t."ownerId" = ${owner.id}
    ORDER BY r."lastSeen" DESC, r."id" LIMIT ${limit} OFFSET ${offset}`
}
