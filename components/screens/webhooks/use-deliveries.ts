'use client'

import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { parseAsStringLiteral, useQueryStates } from 'nuqs'
import { filterStates } from '@/server/webhooks/delivery-states'
import { REFRESH_MS } from '../../client/refresh'
import { useTRPC } from '../../client/trpc'
import { parseAsUuid } from '../../client/use-filters'
import { pageParser, usePages } from '../../client/use-pages'
import { EVENT_NAMES } from '../../client/webhook-texts'
import { deliveriesQuery, deliveryTallyQuery } from './queries'

const parsers = {
  state: parseAsStringLiteral(filterStates),
  event: parseAsStringLiteral(EVENT_NAMES),
  endpoint: parseAsUuid,
  settlement: parseAsUuid,
  ...pageParser,
}

/** Deliveries by the filters in the URL, page by page. The first page updates live. */
export function useDeliveries() {
  const trpc = useTRPC()
  const [filters, setFilters] = useQueryStates(parsers, { history: 'push', clearOnDefault: true })
  const { state, event, endpoint, settlement } = filters
  const filter = {
    ...(state ? { state } : {}),
    ...(event ? { event } : {}),
    ...(endpoint ? { endpoint } : {}),
    ...(settlement ? { settlement } : {}),
  }
  const { cursor, neighbors } = usePages(JSON.stringify(filter))
  const query = useQuery({
    ...deliveriesQuery(trpc, { ...filter, ...(cursor ? { cursor } : {}) }),
    placeholderData: keepPreviousData,
    refetchInterval: cursor ? false : REFRESH_MS.deliveries,
  })
  const tally = useQuery({ ...deliveryTallyQuery(trpc, filter), refetchInterval: REFRESH_MS.webhooks })
  return {
    query,
    tally: tally.data,
    rows: query.data?.deliveries,
    filters,
    change: (to: Partial<Omit<typeof filters, 'page'>> | null) => setFilters(to && { ...to, page: null }),
    any: Object.keys(filter).length > 0,
    ...neighbors(query.data?.cursor),
  }
}
