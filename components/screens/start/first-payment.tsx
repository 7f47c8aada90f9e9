import { useQuery } from '@tanstack/react-query'
import { Check, LoaderCircle } from 'lucide-react'
import Link from 'next/link'
import { useState } from 'react'
import { Problem } from '../../client/problem'
import { REFRESH_MS } from '../../client/refresh'
import { Time } from '../../client/time'
import { useTRPC } from '../../client/trpc'
import { buttonClass } from '../../ui/button'

/** Waits for a payment that comes while this page is open: earlier ones prove nothing about this setup. */
export function FirstPayment({ isReady }: { isReady: boolean }) {
  const trpc = useTRPC()
  const [before, setBefore] = useState<string | null>()
  const query = useQuery(
    trpc.settlements.list.queryOptions(
      { reader: 'merchant', status: 'success', limit: 1 },
      { refetchInterval: ({ state }) => (isNew(state.data?.settlements[0]?.id, before) ? false : REFRESH_MS.firstPayment) },
    ),
  )
  const newest = query.data?.settlements[0]
  if (before === undefined && query.data) setBefore(newest?.id ?? null)
  const arrived = newest && isNew(newest.id, before) ? newest : null
  if (query.error) return <Problem error={query.error} retry={query.refetch} />
  const waiting = newest
    ? 'Waiting for a new settlement.'
    : isReady
      ? 'Waiting for your first settlement.'
      : 'Your first settlement appears here.'
  return (
    <div
      role="status"
      className={`flex min-h-16 flex-wrap items-center justify-between gap-3 rounded-b-xl px-4 py-3 transition-colors ${arrived ? 'bg-wash' : ''}`}
    >
      <span className="flex items-center gap-2.5">
        {arrived ? (
          <Check aria-hidden className="size-5 shrink-0 text-accent" />
        ) : isReady ? (
          <LoaderCircle aria-hidden className="size-5 shrink-0 text-soft motion-safe:animate-spin" />
        ) : (
          <span aria-hidden className="m-1.5 size-2 shrink-0 rounded-full bg-line" />
        )}
        {arrived ? (
          'Payment received. Your API gets paid.'
        ) : (
          <span>
            {waiting} This page updates by itself.
            {newest ? (
              <>
                {' '}
                The last one came <Time at={newest.createdAt} />.
              </>
            ) : null}
          </span>
        )}
      </span>
      {arrived ? (
        <Link href={`/dashboard/settlements?id=${arrived.id}`} className={buttonClass({ look: 'primary', size: 'small' })}>
          View payment
        </Link>
      ) : null}
    </div>
  )
}

const isNew = (id: string | undefined, before: string | null | undefined) =>
  id !== undefined && before !== undefined && id !== before
