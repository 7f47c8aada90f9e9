'use client'

import { useQuery } from '@tanstack/react-query'
import Link from 'next/link'
import { useTRPC } from '../../client/trpc'
import { DeliveryState, responseOf } from '../../client/webhook-texts'

/** The webhook deliveries of a settlement; renders nothing if there are none. */
export function DeliveriesOf({ settlement }: { settlement: string }) {
  const trpc = useTRPC()
  const { data } = useQuery(trpc.webhooks.deliveries.queryOptions({ settlement, limit: 20 }, { refetchInterval: 5_000 }))
  if (!data || data.deliveries.length === 0) return null
  return (
    <section aria-label="Webhooks" className="grid gap-2">
      <h3 className="font-medium">Webhooks</h3>
      <ul className="grid gap-1.5">
        {data.deliveries.map((row) => (
          <li key={row.id} className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1 text-sm">
            <Link href={`/dashboard/webhooks?delivery=${row.id}`} className="font-mono">
              {row.event}
            </Link>
            <span className="flex items-center gap-2">
              <span className="text-soft">{responseOf(row)}</span>
              <DeliveryState state={row.state} />
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}
