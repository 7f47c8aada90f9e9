import * as nuqs from 'nuqs/server'
import type { ReactNode } from 'react'
import { selectedNetworks } from '../../client/environment'
import { filterOf, filterParsers, type ReaderName } from '../../client/filter-parsers'
import { Prefetched } from '../../client/prefetched'
import { keysQuery, monthsQuery } from '../../client/queries'
import { orders } from './columns'
import { hasOnlyFailed, pendingQuery, reasonsQuery, settlementsQuery, summaryQuery } from './queries'

type Props = { reader: ReaderName; searchParams: Promise<nuqs.SearchParams>; children: ReactNode }

/** A list of settlements that comes with its HTML, as its URL filters and orders it. */
export async function PrefetchedList({ reader, searchParams, children }: Props) {
  const { sort, page, ...inUrl } = await load(searchParams)
  return (
    <Prefetched
      first={(trpc) => [...(reader === 'merchant' ? [keysQuery(trpc)] : []), ...(reader === 'payer' ? [monthsQuery(trpc)] : [])]}
      inUrl={{ environment: inUrl.environment, network: inUrl.network?.[0] ?? null }}
      inView={(trpc, { environment }) => {
        const filter = filterOf({ ...inUrl, environment, network: selectedNetworks(inUrl.network, environment) })
        return [
          // A further page is read by the browser.
          ...(page === null ? [settlementsQuery(trpc, { reader, ...filter, sort: sort ?? 'newest' })] : []),
          summaryQuery(trpc, reader, filter),
          pendingQuery(trpc, reader, filter),
          ...(reader !== 'payer' && hasOnlyFailed(filter) ? [reasonsQuery(trpc, reader, filter)] : []),
        ]
      }}
    >
      {children}
    </Prefetched>
  )
}

const load = nuqs.createLoader({ ...filterParsers(nuqs), sort: nuqs.parseAsStringLiteral(orders), page: nuqs.parseAsString })
