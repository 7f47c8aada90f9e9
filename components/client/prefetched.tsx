import { setTimeout } from 'node:timers/promises'
import { dehydrate, HydrationBoundary, QueryClient } from '@tanstack/react-query'
import { createTRPCClient } from '@trpc/client'
import { createTRPCOptionsProxy, type TRPCOptionsProxy } from '@trpc/tanstack-react-query'
import { headers } from 'next/headers'
import type { ReactNode } from 'react'
import { currentApp } from '@/server/app'
import { serveInProcess } from '@/server/trpc/in-process'
import type { Root } from '@/server/trpc/router'
import { linkTo } from './trpc-link'

const URL = 'http://localhost/api/trpc'

type Begin = (trpc: TRPCOptionsProxy<Root>, queries: QueryClient) => Promise<void>[]

/** Runs a screen's first queries before its HTML is made, so that both show their answers. */
export async function Prefetched({ begin, children }: { begin: Begin; children: ReactNode }) {
  const sent = await headers()
  // Links prefetch pages that may never open: only a document runs queries.
  // The same component without state: a link to the screen that is open keeps what it holds.
  if (!sent.get('accept')?.includes('text/html')) return <HydrationBoundary state={null}>{children}</HydrationBoundary>
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  const fetch = (url: RequestInfo | string | globalThis.URL) =>
    serveInProcess(new Request(String(url), { headers: new Headers([...sent]) }))
  const client = createTRPCClient<Root>({ links: [linkTo(URL, fetch)] })
  const begun = begin(createTRPCOptionsProxy<Root>({ client, queryClient: queries }), queries)
  // Slower answers do not hold up the page: the browser asks again.
  const { prefetchWaitMs } = currentApp().config
  if (prefetchWaitMs > 0) await Promise.race([Promise.all(begun), setTimeout(prefetchWaitMs)])
  return <HydrationBoundary state={dehydrate(queries)}>{children}</HydrationBoundary>
}
