import { paidMonths } from '../services/paid-months'
import { router, walletProcedure } from './base'

/** What a wallet paid. */
export const payer = router({
  months: walletProcedure.query(({ ctx }) => paidMonths(ctx.app, ctx.wallet)),
})
