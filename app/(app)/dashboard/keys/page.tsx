import type { QueryClient } from '@tanstack/react-query'
import type { TRPCOptionsProxy } from '@trpc/tanstack-react-query'
import type { Metadata } from 'next'
import { Suspense } from 'react'
import { Prefetched } from '@/components/data/prefetched'
import { firstViews } from '@/components/data/viewer'
import { Keys } from '@/components/merchant/keys'
import type { Root } from '@/server/trpc/router'

export const metadata: Metadata = { title: 'API keys' }

export default function KeysPage() {
  return (
    <Prefetched begin={(trpc, queries) => [queries.prefetchQuery(trpc.keys.list.queryOptions()), firstActivity(trpc, queries)]}>
      <Suspense>
        <Keys />
      </Suspense>
    </Prefetched>
  )
}

/** The activity of the keys, for each environment that the screen may ask for. */
async function firstActivity(trpc: TRPCOptionsProxy<Root>, queries: QueryClient): Promise<void> {
  const environments = new Set((await firstViews(trpc, queries)).map(({ environment }) => environment))
  await Promise.all(
    [...environments].map((environment) => queries.prefetchQuery(trpc.activity.ofKeys.queryOptions({ environment }))),
  )
}
