import { type SkipToken, skipToken } from '@tanstack/react-query'
import type { inferRouterInputs } from '@trpc/server'
import type { Root } from '@/server/trpc/router'
import type { Environment } from '@/server/x402/networks/networks'
import { REFRESH_MS } from '../../client/refresh'
import type { Trpc } from '../../client/trpc'

// Apart from the other queries of the console, so that its first page does not load them.

/** A page of tenants by its filters and order, with figures of an environment. */
export const tenantsQuery = (trpc: Trpc, input: inferRouterInputs<Root>['admin']['tenants'] | SkipToken) =>
  trpc.admin.tenants.queryOptions(input)

/** What the tenants of these filters came to in 30 days. It is slower than the list, which does not wait for it. */
export const tenantSumsQuery = (trpc: Trpc, input: inferRouterInputs<Root>['admin']['tenantSums'] | SkipToken) =>
  trpc.admin.tenantSums.queryOptions(input, { trpc: { context: { alone: true } } })

/** A tenant with its settings and secrets, and its figures of 30 days. */
export const tenantQuery = (trpc: Trpc, id: string, within: Environment | undefined) =>
  trpc.admin.tenant.queryOptions(within ? { id, within } : skipToken)

/** What changed in a tenant. */
export const changesQuery = (trpc: Trpc, id: string) => trpc.admin.changes.queryOptions({ id })

/** The newest payments of a tenant in an environment. */
export const lastPaymentsQuery = (trpc: Trpc, tenant: string, environment: Environment | undefined) =>
  trpc.settlements.list.queryOptions(environment ? { reader: 'admin', tenant, environment, limit: PAYMENTS } : skipToken, {
    refetchInterval: REFRESH_MS.platform,
  })

/** How many of a tenant's payments its page shows. */
export const PAYMENTS = 6
