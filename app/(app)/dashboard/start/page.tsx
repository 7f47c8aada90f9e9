import type { Metadata } from 'next'
import { Prefetched } from '@/components/client/prefetched'
import { QuickStart } from '@/components/screens/start/quick-start'

export const metadata: Metadata = { title: 'Quick start' }

export default function QuickStartPage() {
  return (
    <Prefetched
      begin={(trpc, queries) => [
        queries.prefetchQuery(trpc.keys.list.queryOptions()),
        queries.prefetchQuery(trpc.merchant.reached.queryOptions()),
      ]}
    >
      <QuickStart />
    </Prefetched>
  )
}
