import type { SkipToken } from '@tanstack/react-query'
import type { PeriodInput } from '../../client/analytics/period-input'
import { freshLists, liveFigures } from '../../client/refresh'
import type { Trpc } from '../../client/trpc'

type Input = PeriodInput | SkipToken

/** The figures of a period. */
export const figuresQuery = (trpc: Trpc, input: Input) => trpc.merchant.figures.queryOptions(input, liveFigures)

/** The resources and reasons of a period. */
export const listsQuery = (trpc: Trpc, input: Input) => trpc.merchant.lists.queryOptions(input, freshLists)

/** Who paid most in a period. */
export const topPayersQuery = (trpc: Trpc, input: Input) => trpc.merchant.topPayers.queryOptions(input, freshLists)

/** How many paid on each day of a period. */
export const dailyPayersQuery = (trpc: Trpc, input: Input) => trpc.merchant.dailyPayers.queryOptions(input, freshLists)
