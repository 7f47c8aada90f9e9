import { z } from 'zod'
import type { Db } from '../db/database'
import { merchantProcedure } from '../trpc/context'
import { environments } from '../x402/networks/networks'
import { ownListings } from './catalog'
import { presentListing, presentReport } from './present'
import { listingReport } from './report'

const LISTINGS = 50
const OFFSET_MAX = 10_000
// As long as a payment's body.
const URL_MAX = 16_384

/** A merchant's listings in the catalog, and what keeps others out. */
export const merchantListings = {
  listings: merchantProcedure
    .input(z.object({ environment: z.enum(environments), offset: z.int().min(0).max(OFFSET_MAX).default(0) }))
    .query(async ({ ctx, input }) => {
      const read = (db: Db) => ownListings({ db }, ctx.owner, { ...input, limit: LISTINGS })
      const { listings, hasMore, sums } = await ctx.app.lists(ctx.reader, read)
      const next = input.offset + LISTINGS
      return { listings: listings.map(presentListing), next: hasMore && next <= OFFSET_MAX ? next : null, sums }
    }),
  /** The declaration of one of these resources as it would be listed; null if there is none. */
  corrected: merchantProcedure
    .input(z.object({ environment: z.enum(environments), resource: z.string().max(URL_MAX) }))
    .query(async ({ ctx: { app, reader, owner }, input: { environment, resource } }) => {
      const { config, now } = app
      const read = (db: Db) => listingReport({ db, config, now }, { by: 'owner', owner }, environment)
      const { resources } = await app.lists(reader, read)
      return { declaration: resources.find((one) => one.resource === resource)?.declaration ?? null }
    }),
  report: merchantProcedure
    .input(z.object({ environment: z.enum(environments) }))
    .query(async ({ ctx: { app, reader, owner }, input }) => {
      const { config, now } = app
      const read = (db: Db) => listingReport({ db, config, now }, { by: 'owner', owner }, input.environment)
      return presentReport(await app.lists(reader, read))
    }),
}
