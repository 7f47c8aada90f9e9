import { z } from 'zod'
import { knownNetwork } from '../../http/schemas'
import { merchantProcedure } from '../../trpc/context'
import { environments } from '../../x402/networks/networks'
import { faultsOf } from './faults'

/** What a merchant sees of failures that are not its payers' fault. */
export const merchantFaults = {
  faults: merchantProcedure
    .input(z.object({ within: z.union([z.enum(environments), knownNetwork]) }))
    .query(({ ctx, input }) => faultsOf(ctx.app, ctx.owner, input.within, ctx.reader)),
}
