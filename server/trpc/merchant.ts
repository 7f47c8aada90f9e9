import { z } from 'zod'
import { analytics, analyticsDays, merchantScope } from '../services/analytics'
import { networkIds } from '../x402/networks'
import { merchantProcedure, router } from './base'

export const analyticsInput = z.object({
  days: z.literal([...analyticsDays]).default(30),
  network: z.enum(networkIds).optional(),
})

/** What a merchant's keys came to. */
export const merchant = router({
  analytics: merchantProcedure
    .input(analyticsInput)
    .query(({ ctx, input }) => analytics(ctx.app, merchantScope(ctx.merchant), input.days, input.network)),
})
