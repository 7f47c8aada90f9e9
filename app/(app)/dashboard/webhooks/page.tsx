import type { Metadata } from 'next'
import { Suspense } from 'react'
import { Prefetched } from '@/components/data/prefetched'
import { Webhooks } from '@/components/webhooks/webhooks'
import { exampleMessage } from '@/server/webhooks/example'

export const metadata: Metadata = { title: 'Webhooks' }

// Its secret stays here.
const { headers, body } = exampleMessage()
const EXAMPLE = { headers, body }

export default function WebhooksPage() {
  return (
    <Prefetched
      begin={(trpc, queries) => [
        queries.prefetchQuery(trpc.webhooks.list.queryOptions()),
        queries.prefetchQuery(trpc.webhooks.deliveries.queryOptions({})),
      ]}
    >
      <Suspense>
        <Webhooks example={EXAMPLE} />
      </Suspense>
    </Prefetched>
  )
}
