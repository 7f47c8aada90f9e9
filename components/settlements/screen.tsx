'use client'

import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { parseAsString, useQueryState } from 'nuqs'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useTRPC } from '../data/trpc'
import { usePages } from '../data/use-pages'
import { ScreenHead } from '../shell/shell'
import { Empty, Problem } from '../ui/panel'
import { Details } from './details'
import { ExportMenu } from './export-menu'
import { Filters } from './filters'
import { Pager, SettlementList } from './list'
import { type Filter, type ReaderName, useFilters } from './use-filters'

const LIVE_MS = 3_000

type Props = {
  reader: ReaderName
  title: string
  keys?: readonly (readonly [id: string, name: string])[]
  /** The empty state. */
  empty: ReactNode
  /** Content between title and list. */
  children?: ReactNode
}

/** Settlements with filters, details and pages. The first page updates live. */
export function SettlementScreen({ reader, title, keys, empty, children }: Props) {
  const filters = useFilters()
  const pages = useSettlements(reader, filters.filter)
  const [opened, setOpened] = useQueryState('settlement', parseAsString.withOptions({ history: 'push' }))
  const rows = pages.query.data?.settlements
  const names = keys && keys.length > 1 ? new Map(keys) : undefined
  return (
    <>
      <ScreenHead title={title}>
        <ExportMenu reader={reader} filter={filters.filter} />
      </ScreenHead>
      {children}
      <Filters {...filters} {...(keys ? { keys } : {})} allOwners={reader === 'admin'} />
      {pages.query.error ? <Problem error={pages.query.error} retry={pages.query.refetch} /> : null}
      {rows?.length === 0 ? (
        <div className="rounded-xl border border-solid border-line bg-card">
          {filters.any ? <Empty title="No matching settlements">Clear a filter or change the search.</Empty> : empty}
        </div>
      ) : (
        <SettlementList
          rows={rows}
          fresh={pages.fresh}
          onOpen={(id) => void setOpened(id)}
          party={reader === 'payer' ? 'payTo' : 'payer'}
          {...(names ? { names } : {})}
        />
      )}
      <Pager newer={pages.newer} older={pages.older} />
      <Details
        reader={reader}
        id={opened}
        onClose={() => void setOpened(null)}
        onResource={(resource) => void filters.change({ resource })}
      />
    </>
  )
}

function useSettlements(reader: ReaderName, filter: Filter) {
  const trpc = useTRPC()
  const key = JSON.stringify(filter)
  const { cursor, neighbors } = usePages(key)
  const options = { placeholderData: keepPreviousData, refetchInterval: cursor ? false : LIVE_MS } as const
  const query = useQuery(trpc.settlements.list.queryOptions({ reader, ...filter, ...(cursor ? { cursor } : {}) }, options))
  const { data } = query
  return {
    query,
    fresh: useFresh(cursor === undefined ? data?.settlements : undefined, key),
    ...neighbors(data?.hasMore ? data.cursor : null),
  }
}

/** The rows that arrived after the list first loaded. */
function useFresh(rows: readonly { id: string }[] | undefined, list: string): ReadonlySet<string> {
  const known = useRef<{ list: string; ids: Set<string> }>(null)
  const [fresh, setFresh] = useState<ReadonlySet<string>>(new Set())
  useEffect(() => {
    if (!rows) return
    if (known.current?.list !== list) {
      known.current = { list, ids: new Set(rows.map(({ id }) => id)) }
      return
    }
    const { ids } = known.current
    const arrived = rows.filter(({ id }) => !ids.has(id)).map(({ id }) => id)
    for (const id of arrived) ids.add(id)
    if (arrived.length > 0) setFresh(new Set(arrived))
  }, [rows, list])
  return fresh
}
