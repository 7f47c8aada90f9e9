import type { Filter, ReaderName } from '../../client/filter-parsers'
import { REFRESH_MS } from '../../client/refresh'
import type { Trpc } from '../../client/trpc'
import type { OrderName } from './columns'

/** Whose settlements, filtered and ordered how. */
type Asked = Filter & { reader: ReaderName; sort: OrderName }

/** A page of settlements. */
export const settlementsQuery = (trpc: Trpc, asked: Asked, cursor?: string) =>
  trpc.settlements.list.queryOptions({ ...asked, ...(cursor ? { cursor } : {}) })

/** The counts and sums of such a list. */
export const summaryQuery = (trpc: Trpc, reader: ReaderName, filter: Filter) =>
  trpc.settlements.summary.queryOptions({ reader, ...filter }, { refetchInterval: REFRESH_MS.sums })

/** The reasons of the failures in such a list, whichever are chosen. */
export const reasonsQuery = (trpc: Trpc, reader: ReaderName, { reason: _, ...others }: Filter) =>
  trpc.settlements.choices.queryOptions({ reader, ...others, status: 'failed', of: 'reason' })

/** Whether a list has failures alone. */
export const hasOnlyFailed = ({ status, reason }: Filter): boolean => status === 'failed' || Boolean(reason)

/** The payments without an outcome that the list would have. */
export const pendingQuery = (trpc: Trpc, reader: ReaderName, filter: Filter) =>
  trpc.settlements.pending.queryOptions({ reader, ...filter }, { refetchInterval: REFRESH_MS.unfinished })
