import { z } from 'zod'
import { ownListings } from '../discovery/catalog'
import { presentListing } from '../discovery/present'
import { merchantProcedure, router } from '../trpc/context'
import { environments, networkIds } from '../x402/networks'
import { analytics, analyticsDays, defaultEnvironment, merchantScope, today } from './analytics'

export const analyticsInput = z.object({
  days: z.literal([...analyticsDays]).default(30),
  within: z.enum([...environments, ...networkIds]).optional(),
})

export const todayInput = z.object({ within: z.enum([...environments, ...networkIds]) })

const LISTINGS = 50
const OFFSET_MAX = 10_000

/** The analytics of a merchant's keys, and its listings in the catalog. */
export const merchant = router({
  analytics: merchantProcedure
    .input(analyticsInput)
    .query(({ ctx, input }) => analytics(ctx.app, merchantScope(ctx.merchant), input.days, input.within)),
  today: merchantProcedure
    .input(todayInput)
    .query(({ ctx, input }) => today(ctx.app, merchantScope(ctx.merchant).filter, input.within)),
  defaultEnvironment: merchantProcedure.query(({ ctx }) => defaultEnvironment(ctx.app, merchantScope(ctx.merchant).filter)),
  listings: merchantProcedure
    .input(z.object({ offset: z.int().min(0).max(OFFSET_MAX).default(0) }))
    .query(async ({ ctx, input: { offset } }) => {
      const { listings, hasMore } = await ownListings(ctx.app, ctx.merchant, { limit: LISTINGS, offset })
      const next = offset + LISTINGS
      return { listings: listings.map(presentListing), next: hasMore && next <= OFFSET_MAX ? next : null }
    }),
})
