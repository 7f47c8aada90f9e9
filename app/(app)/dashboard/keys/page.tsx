import type { QueryClient } from '@tanstack/react-query'
import type { TRPCOptionsProxy } from '@trpc/tanstack-react-query'
import type { Metadata } from 'next'
import { Prefetched } from '@/components/client/prefetched'
import { firstViewOf } from '@/components/client/viewer'
import { Keys } from '@/components/screens/keys/keys'
import type { Root } from '@/server/trpc/router'

export const metadata: Metadata = { title: 'API keys' }

export default function KeysPage() {
  return (
    <Prefetched begin={(trpc, queries) => [queries.prefetchQuery(trpc.keys.list.queryOptions()), firstActivity(trpc, queries)]}>
      <Keys />
    </Prefetched>
  )
}

/** The activity of the keys in the environment that the screen asks for. */
async function firstActivity(trpc: TRPCOptionsProxy<Root>, queries: QueryClient): Promise<void> {
  const view = await firstViewOf(trpc, queries)
  if (view) await queries.prefetchQuery(trpc.activity.ofKeys.queryOptions({ environment: view.environment }))
}
