import type { Metadata } from 'next'
import { Prefetched } from '@/components/client/prefetched'
import { webhooksQuery } from '@/components/client/queries'
import { deliveriesQuery, deliveryTallyQuery, failingQuery } from '@/components/screens/webhooks/queries'
import { Webhooks } from '@/components/screens/webhooks/webhooks'
import { exampleMessages } from '@/server/webhooks/example'

export const metadata: Metadata = { title: 'Webhooks' }

const EXAMPLES = exampleMessages()

export default function WebhooksPage() {
  return (
    <Prefetched first={(trpc) => [webhooksQuery(trpc), deliveriesQuery(trpc), deliveryTallyQuery(trpc, {}), failingQuery(trpc)]}>
      <Webhooks examples={EXAMPLES} />
    </Prefetched>
  )
}
