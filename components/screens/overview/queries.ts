import type { SkipToken } from '@tanstack/react-query'
import type { OverviewInput, PeriodInput } from '../../client/analytics/period-input'
import { liveFigures, liveOverview } from '../../client/refresh'
import type { Trpc } from '../../client/trpc'

/** The figures of a period, which come before the rest of its overview. */
export const figuresQuery = (trpc: Trpc, input: PeriodInput | SkipToken) => trpc.merchant.figures.queryOptions(input, liveFigures)

/** The figures, resources and payers of a period at one moment. */
export const overviewQuery = (trpc: Trpc, input: OverviewInput | SkipToken) =>
  trpc.merchant.overview.queryOptions(input, liveOverview)
