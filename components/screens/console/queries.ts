import type { SkipToken } from '@tanstack/react-query'
import type { OverviewInput, PeriodInput } from '../../client/analytics/period-input'
import { freshSums, liveFigures, liveOverview } from '../../client/refresh'
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

/** The incidents of the status page, with the networks that they may name. */
export const incidentsQuery = (trpc: Trpc) => trpc.admin.incidents.list.queryOptions()

/** The last 90 days of each network. */
export const daysQuery = (trpc: Trpc) => trpc.admin.incidents.days.queryOptions()

// Not batched, so that a slow RPC delays no figure.
const ALONE = { trpc: { context: { alone: true } } } as const

/** The state of networks, queues and screening. */
export const standingQuery = (trpc: Trpc) => trpc.admin.standing.queryOptions(undefined, ALONE)

/** The signers with their gas balances. */
export const sendersQuery = (trpc: Trpc) => trpc.admin.senders.queryOptions(undefined, ALONE)
