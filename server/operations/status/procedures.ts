import { z } from 'zod'
import { knownNetwork, knownNetworks } from '../../http/schemas'
import { adminProcedure, merchantProcedure, router } from '../../trpc/context'
import { storable } from '../../x402/json'
import { environments } from '../../x402/networks/networks'
import { faultsOf } from './faults'
import { impacts } from './incident-queries'
import { listIncidents, openIncident, removeIncident, resolveIncident, updateIncident } from './incidents'
import { presentIncident } from './present'
import { status } from './status'

/** What a merchant sees of failures that are not its payers' fault. */
export const merchantFaults = {
  faults: merchantProcedure
    .input(z.object({ within: z.union([z.enum(environments), knownNetwork]) }))
    .query(({ ctx, input }) => faultsOf(ctx.app, ctx.owner, input.within, ctx.reader)),
}

const WEEK_MINUTES = 7 * 24 * 60

const message = storable.trim().min(1, 'must say what happens').max(2_000)
const update = adminProcedure.input(z.object({ id: z.uuid(), text: message }))

/** The incidents of the status page, as operators write them. */
export const incidents = router({
  /** With the networks that they may name. */
  list: adminProcedure.query(async ({ ctx: { app } }) => ({
    incidents: (await listIncidents(app)).map(presentIncident),
    networks: [...app.networks.keys()],
  })),
  /** Each of the last 90 days by network, as the status page shows them. */
  days: adminProcedure.query(async ({ ctx: { app } }) => {
    const { checked_at, networks } = await status(app)
    return {
      today: checked_at.slice(0, 10),
      networks: networks.map(({ network, name, last_90_days }) => ({ network, name, last_90_days })),
    }
  }),
  open: adminProcedure
    .input(
      z.object({
        title: storable.trim().min(1, 'must name what fails').max(120),
        impact: z.enum(impacts),
        networks: knownNetworks,
        minutesAgo: z.int().min(0).max(WEEK_MINUTES),
        text: message,
      }),
    )
    .mutation(async ({ ctx, input }) => ({ id: await openIncident(ctx.app, input) })),
  update: update.mutation(({ ctx, input: { id, text } }) => updateIncident(ctx.app, id, text)),
  resolve: update.mutation(({ ctx, input: { id, text } }) => resolveIncident(ctx.app, id, text)),
  remove: adminProcedure.input(z.object({ id: z.uuid() })).mutation(({ ctx, input: { id } }) => removeIncident(ctx.app, id)),
})
