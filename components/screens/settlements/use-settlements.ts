'use client'

import { keepPreviousData, skipToken, useQuery } from '@tanstack/react-query'
import { useLayoutEffect, useState } from 'react'
import type { Shown } from '@/server/history/present'
import type { Filter, ReaderName } from '../../client/filter-parsers'
import { REFRESH_MS } from '../../client/refresh'
import { useTRPC } from '../../client/trpc'
import { usePages } from '../../client/use-pages'
import type { OrderName } from './columns'
import { rowsOf, unknownTo } from './live-rows'
import { settlementsQuery } from './queries'

/** A reader's settlements, page by page. The first page of the newest grows as settlements arrive. */
export function useSettlements(reader: ReaderName, filter: Filter, sort: OrderName, enabled: boolean) {
  const trpc = useTRPC()
  const asked = { reader, ...filter, sort }
  const { cursor, neighbors } = usePages(JSON.stringify(asked))
  const query = useQuery({ ...settlementsQuery(trpc, asked, cursor), enabled, placeholderData: keepPreviousData })
  const { data, isPlaceholderData: stale } = query
  const grows = cursor === undefined && sort === 'newest' && !isOver(filter.to)
  const live = useLive({
    page: data,
    again: () => void query.refetch(),
    readNewer: grows && !stale ? (from) => trpc.settlements.list.query({ ...asked, direction: 'after', cursor: from }) : null,
  })
  return { query, stale, live: { ...live, state: grows ? live.state : null }, ...neighbors(data?.hasMore ? data.cursor : null) }
}

const isOver = (to: string | undefined): boolean => to !== undefined && Date.parse(to) <= Date.now()

/** Below so many pixels the reader looks at the first rows. */
const TOP_PX = 160
/** After so many arrivals the page is read again. */
const ARRIVED_MAX = 200

type Page = { settlements: Shown[]; cursor: string | null; hasMore: boolean }

/** What followed a page, newest first, and where to read on. */
type Newer = { rows: readonly Shown[]; cursor: string | null; hasMore: boolean }

type Options = {
  /** Null where no rows arrive by themselves: on later pages, in other orders, in ranges that ended. */
  readNewer: ((cursor: string | null) => Promise<Page>) | null
  page: Page | undefined
  /** Reads the first page again. */
  again: () => void
}

/** What the indicator says; null where nothing arrives. */
export type LiveState = 'live' | 'paused' | 'retrying' | null

/** The rows of a first page, and newer ones as they arrive. They wait while the reader is further down. */
function useLive({ readNewer, page, again }: Options) {
  const [paused, setPaused] = useState(false)
  const start = page?.cursor ?? null
  const initialData: Newer = { rows: [], cursor: start, hasMore: false }
  const on = readNewer !== null && page !== undefined
  const { data = initialData, isError } = useQuery({
    queryKey: ['newer settlements', start],
    queryFn: on
      ? async ({ client, queryKey }): Promise<Newer> => {
          const { rows, cursor } = client.getQueryData<Newer>(queryKey) ?? initialData
          const newer = await readNewer(cursor)
          const unknown = unknownTo([...page.settlements, ...rows], newer.settlements)
          return { rows: [...unknown, ...rows], cursor: newer.cursor ?? cursor, hasMore: newer.hasMore }
        }
      : skipToken,
    enabled: !paused,
    initialData,
    refetchInterval: ({ state }) => (state.data?.hasMore ? REFRESH_MS.backlog : REFRESH_MS.settlements),
    refetchOnWindowFocus: 'always',
    // The next read follows soon.
    retry: false,
    networkMode: 'always',
  })
  const [seen, setSeen] = useState({ start, count: 0 })
  const count = seen.start === start ? seen.count : 0
  const all = data.rows.length
  const show = () => {
    setSeen({ start, count: all })
    if (all > ARRIVED_MAX) again()
  }
  const waiting = all - count
  useLayoutEffect(() => {
    if (waiting === 0) return
    const look = () => (scrollY < TOP_PX ? show() : undefined)
    look()
    addEventListener('scroll', look, { passive: true })
    return () => removeEventListener('scroll', look)
  })
  const arrived = data.rows.slice(waiting)
  const state: LiveState = paused ? 'paused' : isError ? 'retrying' : 'live'
  return {
    rows: page && rowsOf(page.settlements, arrived),
    arrived: new Set(arrived.map(({ id }) => id)),
    waiting,
    show,
    state,
    toggle: () => setPaused(!paused),
  }
}
