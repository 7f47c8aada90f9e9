import type { ReactNode } from 'react'
import { Prefetched } from '../data/prefetched'
import { firstViews } from '../data/viewer'
import type { ReaderName } from './use-filters'

/** A list of settlements that comes with its HTML. */
export function PrefetchedList({ reader, children }: { reader: ReaderName; children: ReactNode }) {
  return (
    <Prefetched
      begin={(trpc, queries) => [
        firstViews(trpc, queries).then(async (views) => {
          const inputs = views.map(({ environment }) => ({ reader, environment, sort: 'newest' as const }))
          await Promise.all(inputs.map((input) => queries.prefetchQuery(trpc.settlements.list.queryOptions(input))))
        }),
        ...(reader === 'merchant' ? [queries.prefetchQuery(trpc.keys.list.queryOptions())] : []),
        ...(reader === 'payer' ? [queries.prefetchQuery(trpc.payer.months.queryOptions())] : []),
      ]}
    >
      {children}
    </Prefetched>
  )
}
