import type { ReaderName } from './filter-parsers'
import { FRESH_MS, REFRESH_MS } from './refresh'
import type { Trpc } from './trpc'

// What several screens read. Pages ask for the same before they send their HTML, so these know no browser.

/** Who is signed in, and what the service offers. */
export const sessionQuery = (trpc: Trpc) => trpc.session.get.queryOptions(undefined, { staleTime: FRESH_MS.account })

/** The environment that the account uses, asked for until it has a settlement. */
export const environmentQuery = (trpc: Trpc) =>
  trpc.environment.first.queryOptions(undefined, {
    staleTime: Number.POSITIVE_INFINITY,
    refetchInterval: ({ state }) => (state.data === null ? REFRESH_MS.environment : false),
  })

/** A merchant's keys. */
export const keysQuery = (trpc: Trpc) => trpc.keys.list.queryOptions()

/** How far a merchant came on the way to its first payment. */
export const reachedQuery = (trpc: Trpc) => trpc.merchant.reached.queryOptions()

/** A merchant's webhooks. */
export const webhooksQuery = (trpc: Trpc) => trpc.webhooks.list.queryOptions()

/** The spending of a wallet by month and day. */
export const monthsQuery = (trpc: Trpc) => trpc.payer.months.queryOptions()

/** Everything about one settlement, as its reader may see it. */
export const settlementQuery = (trpc: Trpc, reader: ReaderName, id: string) =>
  trpc.settlements.details.queryOptions({ reader, id })
