import * as nuqs from 'nuqs/server'
import type { ReactNode } from 'react'
import { environmentOf } from '@/server/x402/networks/networks'
import { filterOf, filterParsers } from '../../client/filter-parsers'
import { Prefetched } from '../../client/prefetched'
import type { ReaderName } from '../../client/use-filters'
import { firstViewOf, type View } from '../../client/viewer'
import { orders } from './columns'

type Props = { reader: ReaderName; searchParams: Promise<nuqs.SearchParams>; children: ReactNode }

/** A list of settlements that comes with its HTML, as its URL filters and orders it. */
export async function PrefetchedList({ reader, searchParams, children }: Props) {
  const asked = await load(searchParams)
  return (
    <Prefetched
      begin={(trpc, queries) => [
        firstViewOf(trpc, queries).then(async (view) => {
          if (!view) return
          const { sort, ...filter } = inputOf(asked, view)
          await Promise.all([
            queries.prefetchQuery(trpc.settlements.list.queryOptions({ reader, ...filter, sort })),
            queries.prefetchQuery(trpc.settlements.pending.queryOptions({ reader, ...filter })),
            ...(reader === 'agent'
              ? [
                  queries.prefetchQuery(
                    trpc.activity.ofAgent.queryOptions({ environment: filter.environment ?? view.environment }),
                  ),
                ]
              : []),
          ])
        }),
        ...(reader === 'merchant' ? [queries.prefetchQuery(trpc.keys.list.queryOptions())] : []),
        ...(reader === 'payer' ? [queries.prefetchQuery(trpc.payer.months.queryOptions())] : []),
      ]}
    >
      {children}
    </Prefetched>
  )
}

const load = nuqs.createLoader({ ...filterParsers(nuqs), sort: nuqs.parseAsStringLiteral(orders) })

/** What the screen asks for: the environment of the URL or of its network comes first, and a network belongs to one. */
function inputOf({ sort, ...values }: Awaited<ReturnType<typeof load>>, view: View) {
  const { network } = values
  const environment = values.environment ?? (network ? environmentOf(network) : view.environment)
  const own = network && environmentOf(network) === environment ? network : null
  return { ...filterOf({ ...values, network: own, environment }), sort: sort ?? 'newest' }
}
