import type { inferRouterOutputs } from '@trpc/server'
import type { Root } from '@/server/trpc/router'
import type { Environment } from '@/server/x402/networks/networks'
import { REFRESH_MS } from '../../client/refresh'
import type { Trpc } from '../../client/trpc'
import { eachDay } from '../../ui/chart/each-day'

/** What each key settled on each of the last 14 days. */
export const keyActivityQuery = (trpc: Trpc, environment: Environment) =>
  trpc.activity.ofKeys.queryOptions({ environment }, { refetchInterval: REFRESH_MS.activity })

/** A key as its own page shows it. */
export type WholeKey = inferRouterOutputs<Root>['keys']['one']

/** A key with its limits, quota and secrets. */
export const keyQuery = (trpc: Trpc, id: string) => trpc.keys.one.queryOptions({ id }, { refetchInterval: REFRESH_MS.activity })

/** The log of changes of a key. */
export const keyChangesQuery = (trpc: Trpc, id: string) => trpc.keys.changes.queryOptions({ id })

/** What a key settled on each of the last 30 days. */
export const oneKeyActivityQuery = (trpc: Trpc, id: string, environment: Environment) =>
  trpc.activity.ofKey.queryOptions({ id, environment }, { refetchInterval: REFRESH_MS.activity })

/** The days of a key's page, with today. */
export const DAYS = 30

/** What a key earned in the same days. */
export const keySumsQuery = (trpc: Trpc, id: string, environment: Environment) =>
  trpc.settlements.summary.queryOptions(
    { reader: 'merchant', key: [id], environment, from: `${eachDay([], DAYS)[0]?.day}T00:00:00.000Z` },
    { refetchInterval: REFRESH_MS.activity },
  )
