import type { Metadata } from 'next'
import { Suspense } from 'react'
import { Prefetched } from '@/components/data/prefetched'
import { Keys } from '@/components/merchant/keys'

export const metadata: Metadata = { title: 'API keys' }

export default function KeysPage() {
  return (
    <Prefetched begin={(trpc, queries) => [queries.prefetchQuery(trpc.keys.list.queryOptions())]}>
      <Suspense>
        <Keys />
      </Suspense>
    </Prefetched>
  )
}
