'use client'

import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { Filter, ReaderName } from '../../client/filter-parsers'
import { useTRPC, useTRPCClient } from '../../client/trpc'
import { usePages } from '../../client/use-pages'
import type { OrderName } from './columns'
import { settlementsQuery } from './queries'
import { useLive } from './use-live'

/** A reader's settlements, page by page. The first page of the newest grows as settlements arrive. */
export function useSettlements(reader: ReaderName, filter: Filter, sort: OrderName, enabled: boolean) {
  const trpc = useTRPC()
  const client = useTRPCClient()
  const asked = { reader, ...filter, sort }
  const { cursor, neighbors } = usePages(JSON.stringify(asked))
  const query = useQuery({ ...settlementsQuery(trpc, asked, cursor), enabled, placeholderData: keepPreviousData })
  const { data, isPlaceholderData: stale } = query
  const grows = cursor === undefined && sort === 'newest' && !stale && !isOver(filter.to)
  const live = useLive({
    page: data,
    again: () => void query.refetch(),
    readNewer: grows ? (from) => client.settlements.list.query({ ...asked, direction: 'after', cursor: from }) : null,
  })
  return { query, stale, live, ...neighbors(data?.hasMore ? data.cursor : null) }
}

const isOver = (to: string | undefined): boolean => to !== undefined && Date.parse(to) <= Date.now()
