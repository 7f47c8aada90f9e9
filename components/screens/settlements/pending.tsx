'use client'

import { useQuery } from '@tanstack/react-query'
import type { Filter, ReaderName } from '../../client/filter-parsers'
import { useTRPC } from '../../client/trpc'
import { later } from '../../ui/later'
import { Panel, Skeleton } from '../../ui/panel'
import type { Opening } from './pending-row'
import { pendingQuery } from './queries'

// Loaded while payments have no outcome only, in the room that a row takes.
const PendingRow = later(
  () => import('./pending-row').then((loaded) => loaded.PendingRow),
  <li className="border-t px-4 py-2.5">
    <Skeleton className="h-11.5 md:h-6" />
  </li>,
)

type Props = Opening & { reader: ReaderName; filter: Filter; enabled: boolean }

/** The payments whose outcome is not known yet, as long as there are any. They join the list when it is. */
export function PendingPayments({ reader, filter, enabled, ...opening }: Props) {
  const trpc = useTRPC()
  const { data } = useQuery({ ...pendingQuery(trpc, reader, filter), enabled })
  if (!data || data.payments.length === 0) return null
  return (
    <Panel title="In progress" className="mb-4">
      <p className="px-4 pt-3 text-sm text-soft">
        {data.more ? `The newest ${data.payments.length} payments` : 'Payments'} without an outcome yet. The service keeps working
        on them, and no retry is needed. Each joins the list below when it settles or fails.
      </p>
      <ul className="mt-2">
        {data.payments.map((payment) => (
          <PendingRow key={payment.id} payment={payment} {...opening} />
        ))}
      </ul>
    </Panel>
  )
}
