import * as nuqs from 'nuqs/server'
import type { ReactNode } from 'react'
import { filterOf, filterParsers, type ReaderName } from '../../client/filter-parsers'
import { Prefetched } from '../../client/prefetched'
import { agentActivityQuery, keysQuery, monthsQuery } from '../../client/queries'
import { orders } from './columns'
import { pendingQuery, settlementsQuery } from './queries'

type Props = { reader: ReaderName; searchParams: Promise<nuqs.SearchParams>; children: ReactNode }

/** A list of settlements that comes with its HTML, as its URL filters and orders it. */
export async function PrefetchedList({ reader, searchParams, children }: Props) {
  const { sort, page, ...inUrl } = await load(searchParams)
  return (
    <Prefetched
      first={(trpc) => [...(reader === 'merchant' ? [keysQuery(trpc)] : []), ...(reader === 'payer' ? [monthsQuery(trpc)] : [])]}
      inUrl={inUrl}
      inView={(trpc, { environment, network }) => {
        const filter = filterOf({ ...inUrl, environment, network })
        return [
          // A further page is read by the browser.
          ...(page === null ? [settlementsQuery(trpc, { reader, ...filter, sort: sort ?? 'newest' })] : []),
          pendingQuery(trpc, reader, filter),
          ...(reader === 'agent' ? [agentActivityQuery(trpc, environment)] : []),
        ]
      }}
    >
      {children}
    </Prefetched>
  )
}

const load = nuqs.createLoader({ ...filterParsers(nuqs), sort: nuqs.parseAsStringLiteral(orders), page: nuqs.parseAsString })
