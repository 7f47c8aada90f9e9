import type { SkipToken } from '@tanstack/react-query'
import type { inferRouterOutputs } from '@trpc/server'
import type { Root } from '@/server/trpc/router'
import type { OverviewInput, PeriodInput } from '../../client/analytics/period-input'
import { FRESH_MS, liveFigures, liveOverview, REFRESH_MS } from '../../client/refresh'
import type { Trpc } from '../../client/trpc'

/** The figures of a period, which come before the rest of its overview. */
export const figuresQuery = (trpc: Trpc, input: PeriodInput | SkipToken) => trpc.merchant.figures.queryOptions(input, liveFigures)

/** The figures, resources and payers of a period at one moment. */
export const overviewQuery = (trpc: Trpc, input: OverviewInput | SkipToken) =>
  trpc.merchant.overview.queryOptions(input, liveOverview)

/** The failures of the last 24 hours that are no payer's. */
export type Faults = inferRouterOutputs<Root>['merchant']['faults']

export const faultsQuery = (trpc: Trpc, input: Pick<PeriodInput, 'within'> | SkipToken) =>
  trpc.merchant.faults.queryOptions(input, { staleTime: FRESH_MS.account, refetchInterval: REFRESH_MS.sums })

/** Where the overview lists settlements. */
export const LISTING = { path: '/dashboard/settlements', of: {} } as const
