import { z } from 'zod'
import { adminScope, analytics } from '../services/analytics'
import { soldPlans } from '../services/plans'
import { supported } from '../services/supported'
import { pageOfTenants, reconfigure } from '../services/tenants'
import type { TenantRow } from '../store/tenants'
import { displayAddress } from '../x402/addresses'
import { networks } from '../x402/networks'
import { adminProcedure, router } from './base'
import { analyticsInput } from './merchant'

const OWNER_MAX = 200
const TENANTS = 50

const scope = z.object({ owner: z.string().max(OWNER_MAX).optional(), tenant: z.uuid().optional() })

/** What those see and do who run the facilitator. */
export const admin = router({
  analytics: adminProcedure
    .input(analyticsInput.extend(scope.shape))
    .query(({ ctx, input: { owner, tenant, days, network } }) => {
      const filter = {
        ...(owner ? { owner: { kinds: ['oidc', 'wallet'], id: owner } } : {}),
        ...(tenant ? { tenantId: tenant } : {}),
      }
      return analytics(ctx.app, adminScope(filter), days, network)
    }),
  tenants: adminProcedure
    .input(z.object({ owner: scope.shape.owner, cursor: z.uuid().nullish() }))
    .query(async ({ ctx, input }) => {
      const page = await pageOfTenants(ctx.app, { limit: TENANTS, cursor: input.cursor ?? null, ownerId: input.owner || null })
      return { tenants: page.tenants.map(shown), cursor: page.hasMore ? (page.tenants.at(-1)?.id ?? null) : null }
    }),
  changeTenant: adminProcedure
    .input(z.object({ id: z.uuid(), plan: z.enum(soldPlans).optional(), revoked: z.boolean().optional() }))
    .mutation(async ({ ctx, input: { id, plan, revoked } }) => {
      const changes = { ...(plan === undefined ? {} : { plan }), ...(revoked === undefined ? {} : { revoked }) }
      return shown(await reconfigure(ctx.app, id, changes))
    }),
  senders: adminProcedure.query(({ ctx: { app } }) => ({
    kinds: supported(app).kinds.length,
    senders: app.engine.laneStatus().map(({ network, address, status, class: laneClass }) => ({
      network,
      title: titles[network] ?? network,
      address: displayAddress(address),
      laneClass,
      status,
    })),
  })),
})

const titles: Record<string, string> = Object.fromEntries(Object.entries(networks).map(([id, { title }]) => [id, title]))

function shown({ id, ownerKind, ownerId, plan, name, createdAt, revokedAt, keys }: TenantRow) {
  const used = keys.map(({ lastUsedAt }) => lastUsedAt?.toISOString() ?? '').sort()
  return {
    id,
    ownerKind,
    ownerId: displayAddress(ownerId),
    plan,
    name,
    createdAt: createdAt.toISOString(),
    revokedAt: revokedAt?.toISOString() ?? null,
    lastUsedAt: used.at(-1) || null,
  }
}
