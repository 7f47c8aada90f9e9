import type { SkipToken } from '@tanstack/react-query'
import type { PeriodInput } from '../../client/analytics/period-input'
import { freshLists, liveFigures } from '../../client/refresh'
import type { Trpc } from '../../client/trpc'

type Input = (PeriodInput & { owner?: string; tenant?: string }) | SkipToken

/** The figures of a period. */
export const figuresQuery = (trpc: Trpc, input: Input) => trpc.admin.figures.queryOptions(input, liveFigures)

/** The resources, reasons and tenants of a period. */
export const listsQuery = (trpc: Trpc, input: Input) => trpc.admin.lists.queryOptions(input, freshLists)

/** Who paid most in a period. */
export const topPayersQuery = (trpc: Trpc, input: Input) => trpc.admin.topPayers.queryOptions(input, freshLists)

/** How many paid on each day of a period. */
export const dailyPayersQuery = (trpc: Trpc, input: Input) => trpc.admin.dailyPayers.queryOptions(input, freshLists)

/** What the service earned and spent in a period. */
export const moneyQuery = (trpc: Trpc, input: Input) => trpc.admin.money.queryOptions(input, freshLists)

/** A page of tenants. */
export const tenantsQuery = (trpc: Trpc, input: { search?: string; cursor?: string } = {}) =>
  trpc.admin.tenants.queryOptions(input)

/** The state of networks, queues and screening. */
export const standingQuery = (trpc: Trpc) => trpc.admin.standing.queryOptions()
