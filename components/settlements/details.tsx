'use client'

import { useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, lazy, Suspense, useState } from 'react'
import { useTRPC } from '../data/trpc'
import { singleKeys } from '../shell/commands'
import { Drawer } from '../ui/dialog'
import { Empty, Problem, Skeleton } from '../ui/panel'
import { DrawerActions } from './drawer-actions'
import { mayChange } from './states'
import type { ReaderName } from './use-filters'

// Loaded when a drawer first opens, to keep first load small.
const Facts = lazy(() => import('./facts').then(({ Facts }) => ({ default: Facts })))

type Props = {
  reader: ReaderName
  id: string | null
  /** The list behind the drawer, for previous and next. */
  rows: readonly { id: string }[] | undefined
  onOpen: (id: string) => void
  onClose: () => void
  onResource: (resource: string) => void
}

/** Everything about one settlement, in a drawer. */
export function Details({ reader, id, rows = [], onOpen, onClose, onResource }: Props) {
  const trpc = useTRPC()
  const query = useQuery(
    trpc.settlements.details.queryOptions(
      { reader, id: id ?? '' },
      { enabled: id !== null, refetchInterval: ({ state }) => (mayChange(state.data?.state ?? null) ? 5_000 : false) },
    ),
  )
  const { data, error } = query
  const [last, setLast] = useState(id)
  if (id !== null && id !== last) setLast(id)
  const at = rows.findIndex((row) => row.id === (data?.id ?? id))
  const to = (by: 1 | -1) => {
    const row = at < 0 ? undefined : rows[at + by]
    return row ? () => onOpen(row.id) : null
  }
  const [previous, next] = [to(-1), to(1)]
  const what = reader === 'payer' ? 'payment' : 'settlement'
  const step = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || !singleKeys.areOn()) return
    if (event.key === 'j') next?.()
    if (event.key === 'k') previous?.()
  }
  return (
    <Drawer
      title={reader === 'payer' ? 'Payment' : 'Settlement'}
      open={id !== null}
      onClose={onClose}
      onKey={step}
      actions={<DrawerActions what={what} previous={previous} next={next} />}
      returnsTo={() => rowOf(last)}
    >
      {data ? (
        <Suspense fallback={<Skeleton className="h-64" />}>
          <Facts {...{ data, reader, onResource }} />
        </Suspense>
      ) : error?.data?.code === 'NOT_FOUND' ? (
        <Empty title={`No such ${what}`}>
          You have no {what} with this ID. It may belong to another account, or the link is incomplete.
        </Empty>
      ) : error ? (
        <Problem error={error} retry={query.refetch} />
      ) : (
        <Skeleton className="h-64" />
      )}
    </Drawer>
  )
}

// Either the table or the cards are visible.
function rowOf(id: string | null): HTMLElement | null {
  const rows = [...document.querySelectorAll<HTMLElement>(`[data-opens="${id ?? ''}"]`)]
  return rows.find((one) => one.checkVisibility()) ?? null
}
