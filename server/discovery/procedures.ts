import { z } from 'zod'
import type { Db } from '../db/database'
import { merchantProcedure } from '../trpc/context'
import { environments } from '../x402/networks/networks'
import { ownListings } from './catalog'
import { presentListing, presentUnlisted } from './present'
import { unlistedOf } from './unlisted'

const LISTINGS = 50
const OFFSET_MAX = 10_000

/** A merchant's listings in the catalog, and what it sells without one. */
export const merchantListings = {
  listings: merchantProcedure
    .input(z.object({ environment: z.enum(environments), offset: z.int().min(0).max(OFFSET_MAX).default(0) }))
    .query(async ({ ctx, input }) => {
      const read = (db: Db) => ownListings({ db }, ctx.owner, { ...input, limit: LISTINGS })
      const { listings, hasMore } = await ctx.app.lists(ctx.reader, read)
      const next = input.offset + LISTINGS
      return { listings: listings.map(presentListing), next: hasMore && next <= OFFSET_MAX ? next : null }
    }),
  unlisted: merchantProcedure
    .input(z.object({ environment: z.enum(environments) }))
    .query(async ({ ctx: { app, reader, owner }, input }) => {
      const found = await app.lists(reader, (db) => unlistedOf({ db, config: app.config }, owner, input.environment))
      return found.map(presentUnlisted)
    }),
}
