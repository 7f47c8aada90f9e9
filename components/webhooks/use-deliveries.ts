'use client'

import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { parseAsStringLiteral, useQueryStates } from 'nuqs'
import { TEST_EVENT, webhookEvents } from '@/server/x402/webhook-events'
import { useTRPC } from '../data/trpc'
import { usePages } from '../data/use-pages'
import { parseAsUuid } from '../settlements/use-filters'

const LIVE_MS = 3_000

const parsers = {
  state: parseAsStringLiteral(['pending', 'delivered', 'failed'] as const),
  event: parseAsStringLiteral([...webhookEvents, TEST_EVENT] as const),
  endpoint: parseAsUuid,
  settlement: parseAsUuid,
}

/** What was told, by what the address of the page narrows it to, page by page. Its first page is live. */
export function useDeliveries() {
  const trpc = useTRPC()
  const [written, change] = useQueryStates(parsers, { history: 'push', clearOnDefault: true })
  const { state, event, endpoint, settlement } = written
  const filter = {
    ...(state ? { state } : {}),
    ...(event ? { event } : {}),
    ...(endpoint ? { endpoint } : {}),
    ...(settlement ? { settlement } : {}),
  }
  const { cursor, pagesBeside } = usePages(JSON.stringify(filter))
  const query = useQuery(
    trpc.webhooks.deliveries.queryOptions(
      { ...filter, ...(cursor ? { cursor } : {}) },
      { placeholderData: keepPreviousData, refetchInterval: cursor ? false : LIVE_MS },
    ),
  )
  return {
    query,
    written,
    change,
    any: Object.keys(filter).length > 0,
    ...pagesBeside(query.data?.cursor),
  }
}
