import type { Metadata } from 'next'
import { Prefetched } from '@/components/client/prefetched'
import { Webhooks } from '@/components/screens/webhooks/webhooks'
import { exampleMessages } from '@/server/webhooks/example'

export const metadata: Metadata = { title: 'Webhooks' }

const EXAMPLES = exampleMessages()

export default function WebhooksPage() {
  return (
    <Prefetched
      begin={(trpc, queries) => [
        queries.prefetchQuery(trpc.webhooks.list.queryOptions()),
        queries.prefetchQuery(trpc.webhooks.deliveries.queryOptions({})),
      ]}
    >
      <Webhooks examples={EXAMPLES} />
    </Prefetched>
  )
}
