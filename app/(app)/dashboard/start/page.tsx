import type { Metadata } from 'next'
import { Prefetched } from '@/components/data/prefetched'
import { QuickStart } from '@/components/merchant/quick-start'

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
