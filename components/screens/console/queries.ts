import { type SkipToken, skipToken } from '@tanstack/react-query'
import type { inferRouterInputs } from '@trpc/server'
import type { Root } from '@/server/trpc/router'
import type { Environment } from '@/server/x402/networks/networks'
import type { OverviewInput, PeriodInput } from '../../client/analytics/period-input'
import { freshSums, liveFigures, liveOverview, REFRESH_MS } from '../../client/refresh'
import type { Trpc } from '../../client/trpc'

type Of = { owner?: string; tenant?: string }

/** The figures of a period, which come before the rest of its overview. */
export const figuresQuery = (trpc: Trpc, input: (PeriodInput & Of) | SkipToken) =>
  trpc.admin.figures.queryOptions(input, liveFigures)

/** The figures, resources, payers and tenants of a period at one moment. */
export const overviewQuery = (trpc: Trpc, input: (OverviewInput & Of) | SkipToken) =>
  trpc.admin.overview.queryOptions(input, liveOverview)

/** What the service earned and spent in a period. */
export const moneyQuery = (trpc: Trpc, input: (PeriodInput & Of) | SkipToken) => trpc.admin.money.queryOptions(input, freshSums)

/** A page of tenants by its filters and order, with figures of an environment. */
export const tenantsQuery = (trpc: Trpc, input: inferRouterInputs<Root>['admin']['tenants'] | SkipToken) =>
  trpc.admin.tenants.queryOptions(input)

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
export const PAYMENTS = 8

/** The state of networks, queues and screening. */
export const standingQuery = (trpc: Trpc) => trpc.admin.standing.queryOptions()
