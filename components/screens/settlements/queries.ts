import type { Filter, ReaderName } from '../../client/filter-parsers'
import { REFRESH_MS } from '../../client/refresh'
import type { Trpc } from '../../client/trpc'
import type { OrderName } from './columns'

/** Whose settlements, filtered and ordered how. */
export type Asked = Filter & { reader: ReaderName; sort: OrderName }

/** A page of settlements. */
export const settlementsQuery = (trpc: Trpc, asked: Asked, cursor?: string) =>
  trpc.settlements.list.queryOptions({ ...asked, ...(cursor ? { cursor } : {}) })

/** The counts and sums of such a list. */
export const summaryQuery = (trpc: Trpc, reader: ReaderName, filter: Filter) =>
  trpc.settlements.summary.queryOptions({ reader, ...filter }, { refetchInterval: REFRESH_MS.sums })

/** The payments without an outcome that the list would have. */
export const pendingQuery = (trpc: Trpc, reader: ReaderName, filter: Filter) =>
  trpc.settlements.pending.queryOptions({ reader, ...filter }, { refetchInterval: REFRESH_MS.unfinished })
