import { z } from 'zod'
import { CHANGES_SHOWN, listChanges } from '../accounts/change-queries'
import { planNames, soldPlans } from '../accounts/plans'
import { presentChange, presentListedTenant } from '../accounts/present'
import { tenantLimits } from '../accounts/settings-schemas'
import { reconfigure } from '../accounts/tenants'
import { adminScope } from '../analytics/analytics'
import { figures, overview } from '../analytics/figures'
import { overviewInput, periodInput, selectionOf } from '../analytics/procedures'
import { listFilter, tenantsOf } from '../history/filters'
import { operatorBy } from '../sign-in/principal'
import { adminProcedure, router } from '../trpc/context'
import { displayAddress } from '../x402/addresses'
import { storable } from '../x402/json'
import { environments } from '../x402/networks/networks'
import { NONCE_DIGITS, quarantinedLanes, releaseLane } from './lanes'
import { money } from './money'
import { presentLane } from './present'
import { networkStatuses, senders } from './signers'
import { incidents } from './status/procedures'
import { tenantOrders } from './tenant-orders'
import { listedTenants, TENANT_CURSOR, tenantDetails, tenantSums } from './tenants'

const scope = listFilter.pick({ owner: true, tenant: true })

const period = adminProcedure.input(periodInput.extend(scope.shape))

const tenantChoice = z.object({
  within: z.enum(environments).default('mainnet'),
  search: storable.trim().max(200).nullish(),
  plans: z.array(z.enum(planNames)).default([]),
  revoked: z.boolean().nullish(),
})

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
    .input(
      tenantChoice.extend({
        order: z.enum(tenantOrders).default('newest'),
        cursor: z.string().max(200).regex(TENANT_CURSOR, 'must be the cursor of a page').nullish(),
      }),
    )
    .query(({ ctx, input: { search = null, revoked = null, cursor = null, ...asked } }) =>
      listedTenants(ctx.app, { ...asked, search, revoked, cursor }),
    ),
  /** The sums of that list. */
  tenantSums: adminProcedure
    .input(tenantChoice)
    .query(({ ctx, input: { search = null, revoked = null, ...asked } }) => tenantSums(ctx.app, { ...asked, search, revoked })),
  tenant: adminProcedure
    .input(z.object({ id: z.uuid(), within: z.enum(environments) }))
    .query(({ ctx, input }) => tenantDetails(ctx.app, input.id, input.within)),
  changeTenant: adminProcedure
    .input(tenantLimits.extend({ id: z.uuid(), plan: z.enum(soldPlans).optional(), revoked: z.boolean().optional() }))
    .mutation(async ({ ctx, input: { id, ...changes } }) =>
      presentListedTenant(await reconfigure(ctx.app, id, given(changes), operatorBy(ctx.principal))),
    ),
  /** What changed in a tenant and its secrets, newest first. */
  changes: adminProcedure
    .input(z.object({ id: z.uuid() }))
    .query(async ({ ctx, input }) => (await listChanges(ctx.app.db, input.id, CHANGES_SHOWN)).map(presentChange)),
  senders: adminProcedure.query(async ({ ctx }) => {
    return (await senders(ctx.app)).map(({ class: laneClass, address, balance, topUp, ...sender }) => ({
      ...sender,
      laneClass,
      address: displayAddress(address),
      balance: balance?.toString() ?? null,
      topUp: topUp?.toString() ?? null,
    }))
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

// An absent field keeps its value, and an undefined one would replace it.
const given = (changes: object) => Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined))
