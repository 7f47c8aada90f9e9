import { setTimeout } from 'node:timers/promises'
import { dehydrate, type FetchQueryOptions, HydrationBoundary, QueryClient } from '@tanstack/react-query'
import { headers } from 'next/headers'
import type { ReactNode } from 'react'
import { currentApp } from '@/server/app'
import { serveInProcess } from '@/server/trpc/in-process'
import { createCalls } from './calls'
import type { InUrl } from './environment'
import { createProcedures } from './procedures'
import type { Trpc } from './trpc'
import { firstViewOf, type View } from './viewer'

const URL = 'http://localhost/api/trpc'
const UNNAMED: InUrl = { environment: null, network: null }

/** The options of a query of any data: no type of an array could name them all. */
type Query = Pick<FetchQueryOptions, 'queryKey'>

type Props = {
  /** The first queries of the screen that do not depend on its view. */
  first?: (trpc: Trpc) => Query[]
  /** What it reads first of its view. */
  inView?: (trpc: Trpc, view: View) => Query[]
  /** What the URL says about the view. */
  inUrl?: InUrl
  children: ReactNode
}

/** Runs a screen's first queries before its HTML is made, so that both show their answers. */
export async function Prefetched({ first, inView, inUrl = UNNAMED, children }: Props) {
  const sent = await headers()
  // Links prefetch pages that may never open: only a document runs queries.
  // The same component without state: a link to the screen that is open keeps what it holds.
  if (!sent.get('accept')?.includes('text/html')) return <HydrationBoundary state={null}>{children}</HydrationBoundary>
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  const fetch = (url: string) => serveInProcess(new Request(url, { headers: new Headers([...sent]) }))
  const trpc = createProcedures(createCalls(URL, fetch))
  const fetchAll = (asked: Query[] = []) => Promise.all(asked.map((one) => queries.prefetchQuery(one as FetchQueryOptions)))
  const begun = [
    fetchAll(first?.(trpc)),
    inView && firstViewOf(trpc, queries, inUrl).then((view) => view && fetchAll(inView(trpc, view))),
  ]
  // Slower answers do not hold up the page: the browser asks again.
  const { prefetchWaitMs } = currentApp().config
  if (prefetchWaitMs > 0) await Promise.race([Promise.all(begun), setTimeout(prefetchWaitMs)])
  return <HydrationBoundary state={dehydrate(queries)}>{children}</HydrationBoundary>
}
