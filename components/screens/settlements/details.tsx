'use client'

import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
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
export function Details({ reader, id, rows, onOpen, onClose, onResource }: Props) {
  const trpc = useTRPC()
  const query = useQuery({
    ...settlementQuery(trpc, reader, id ?? ''),
    enabled: id !== null,
    refetchInterval: ({ state }) => (mayChange(state.data?.state ?? null) ? REFRESH_MS.settlement : false),
  })
  const { data, error } = query
  const { previous, next, ...drawer } = useDrawerSteps({ id: data?.id ?? id, rows, onOpen })
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
          <Facts data={data} reader={reader} onResource={onResource} />
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
