import type { Metadata } from 'next'
import { Suspense } from 'react'
import { Prefetched } from '@/components/data/prefetched'
import { Webhooks } from '@/components/webhooks/webhooks'

export const metadata: Metadata = { title: 'Webhooks' }

export default function WebhooksPage() {
  return (
    <Prefetched
      begin={(trpc, queries) => [
        queries.prefetchQuery(trpc.webhooks.list.queryOptions()),
        queries.prefetchQuery(trpc.webhooks.deliveries.queryOptions({})),
      ]}
    >
      <Suspense>
        <Webhooks />
      </Suspense>
    </Prefetched>
  )
}
