import type { App } from '../app'
import { type OwnListingRow, readOwnListings } from './entry-queries'

/** What the catalog has of a merchant's keys, seen last first. */
export async function ownListings(
  { db }: Pick<App, 'db'>,
  merchant: string,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ listings: OwnListingRow[]; hasMore: boolean }> {
  const rows = await readOwnListings(db, { kind: 'oidc', id: merchant }, { limit: limit + 1, offset })
  return { listings: rows.slice(0, limit), hasMore: rows.length > limit }
}
