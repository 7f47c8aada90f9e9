import { z } from 'zod'
import { soldPlans } from '../accounts/plans'
import { presentListedTenant } from '../accounts/present'
import { reconfigure } from '../accounts/tenants'
import { adminScope } from '../analytics/analytics'
import { figures, overview } from '../analytics/figures'
import { overviewInput, periodInput, selectionOf } from '../analytics/procedures'
import { listFilter, tenantsOf } from '../history/filters'
import { adminProcedure, router } from '../trpc/context'
import { displayAddress } from '../x402/addresses'
import { storable } from '../x402/json'
import { NONCE_DIGITS, quarantinedLanes, releaseLane } from './lanes'
import { money } from './money'
import { presentLane } from './present'
import { networkStatuses, senders } from './signers'
import { incidents } from './status/procedures'
import { listedTenants } from './tenants'

const scope = listFilter.pick({ owner: true, tenant: true })

const period = adminProcedure.input(periodInput.extend(scope.shape))

/** The dashboard of the operators. */
export const admin = router({
  figures: period.query(({ ctx, input }) => figures(ctx.app, adminScope(tenantsOf(input), ctx.reader), selectionOf(input))),
  overview: period.input(overviewInput).query(({ ctx, input }) =>
    overview(ctx.app, adminScope(tenantsOf(input), ctx.reader), selectionOf(input), {
      tenants: true,
      payersByDay: input.payersByDay,
    }),
  ),
  incidents,
  money: period.query(({ ctx, input }) => money(ctx.app, tenantsOf(input), selectionOf(input))),
  tenants: adminProcedure
    .input(z.object({ search: storable.trim().max(200).optional(), cursor: z.uuid().nullish() }))
    .query(({ ctx, input }) => listedTenants(ctx.app, { search: input.search ?? null, cursor: input.cursor ?? null })),
  changeTenant: adminProcedure
    .input(z.object({ id: z.uuid(), plan: z.enum(soldPlans).optional(), revoked: z.boolean().optional() }))
    .mutation(async ({ ctx, input: { id, plan, revoked } }) => {
      const changes = { ...(plan === undefined ? {} : { plan }), ...(revoked === undefined ? {} : { revoked }) }
      return presentListedTenant(await reconfigure(ctx.app, id, changes))
    }),
  senders: adminProcedure.query(async ({ ctx }) => {
    return (await senders(ctx.app)).map(({ class: laneClass, address, balance, ...sender }) => {
      return { ...sender, laneClass, address: displayAddress(address), balance: balance?.toString() ?? null }
    })
  }),
  quarantined: adminProcedure.query(async ({ ctx }) => (await quarantinedLanes(ctx.app)).map(presentLane)),
  releaseLane: adminProcedure
    .input(z.object({ id: z.uuid(), nextNonce: z.string().regex(NONCE_DIGITS, 'must be a nonce as digits').transform(BigInt) }))
    .mutation(async ({ ctx, input: { id, nextNonce } }) => presentLane(await releaseLane(ctx.app, id, nextNonce))),
  standing: adminProcedure.query(async ({ ctx }) => {
    const { networks, stuck, webhooks, ...status } = await networkStatuses(ctx.app)
    return {
      ...status,
      networks: networks.map(({ queue, block, ...network }) => ({
        ...network,
        block: block && { ...block, at: block.at.toISOString() },
        queue: queue && { ...queue, oldest: queue.oldest.toISOString() },
      })),
      webhooks: webhooks.map((webhook) => ({ ...webhook, since: webhook.since.toISOString() })),
      stuck: stuck.map((row) => ({ ...row, payer: displayAddress(row.payer), createdAt: row.createdAt.toISOString() })),
    }
  }),
})
