'use client'

import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import type { Shown } from '@/server/history/present'
import type { ReaderName } from '../../client/filter-parsers'
import { Problem } from '../../client/problem'
import { settlementQuery } from '../../client/queries'
import { REFRESH_MS } from '../../client/refresh'
import { mayChange } from '../../client/settlement-states'
import { useTRPC } from '../../client/trpc'
import { Drawer } from '../../ui/dialog'
import { DrawerActions } from '../../ui/drawer-actions'
import { Empty, Skeleton } from '../../ui/panel'
import { useDrawerSteps } from '../../ui/use-drawer-steps'
import { detailsOf } from './known-details'

const load = () => import('./facts')
// Loaded with the first drawer, to keep first load small.
const Facts = lazy(() => load().then(({ Facts }) => ({ default: Facts })))

/** Loads what a drawer shows, before one opens. */
export const loadDetails = () => void Promise.all([load(), import('../../ui/layer')])

type Props = {
  reader: ReaderName
  id: string | null
  /** The list behind the drawer: for previous and next, and what is known of a settlement before its details are read. */
  rows: readonly Shown[] | undefined
  onOpen: (id: string) => void
  onClose: () => void
  onResource: (resource: string) => void
}

/** Everything about one settlement, in a drawer. */
export function Details({ reader, id, rows, onOpen, onClose, onResource }: Props) {
  const trpc = useTRPC()
  const row = rows?.find((one) => one.id === id)
  const query = useQuery({
    ...settlementQuery(trpc, reader, id ?? ''),
    enabled: id !== null,
    placeholderData: () => row && detailsOf(row),
    refetchInterval: ({ state }) => (mayChange(state.data?.state ?? null) ? REFRESH_MS.settlement : false),
  })
  const { data, error, isPlaceholderData } = query
  const shownId = data && (data.settlementId ?? data.id)
  const { previous, next, ...drawer } = useDrawerSteps({ id: data?.id ?? id, rows, onOpen, shownId })
  const what = reader === 'payer' ? 'payment' : 'settlement'
  return (
    <Drawer
      title={reader === 'payer' ? 'Payment' : 'Settlement'}
      open={id !== null}
      onClose={onClose}
      {...drawer}
      actions={<DrawerActions what={what} previous={previous} next={next} />}
    >
      {data ? (
        <Suspense fallback={<Skeleton className="h-64" />}>
          <Facts data={data} partial={isPlaceholderData} reader={reader} onResource={onResource} />
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
