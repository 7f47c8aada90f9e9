'use client'

import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { parseAsStringLiteral, useQueryStates } from 'nuqs'
import { useEffect, useState } from 'react'
import { TEST_EVENT, webhookEvents } from '@/server/x402/webhook-events'
import { useTRPC } from '../data/trpc'
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
  const [cursors, setCursors] = useState<string[]>([])
  const { state, event, endpoint, settlement } = written
  const filter = {
    ...(state ? { state } : {}),
    ...(event ? { event } : {}),
    ...(endpoint ? { endpoint } : {}),
    ...(settlement ? { settlement } : {}),
  }
  const key = JSON.stringify(filter)
  // biome-ignore lint/correctness/useExhaustiveDependencies: other filters begin at the first page
  useEffect(() => setCursors([]), [key])
  const cursor = cursors.at(-1)
  const query = useQuery(
    trpc.webhooks.deliveries.queryOptions(
      { ...filter, ...(cursor ? { cursor } : {}) },
      { placeholderData: keepPreviousData, refetchInterval: cursor ? false : LIVE_MS },
    ),
  )
  const next = query.data?.cursor
  return {
    query,
    written,
    change,
    any: Object.keys(filter).length > 0,
    newer: cursors.length > 0 ? () => setCursors(cursors.slice(0, -1)) : null,
    older: next ? () => setCursors([...cursors, next]) : null,
  }
}
