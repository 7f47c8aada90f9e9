import type { Metadata } from 'next'
import { firstFigures } from '@/components/client/analytics/first-figures'
import { Prefetched } from '@/components/client/prefetched'
import { Overview } from '@/components/screens/overview/overview'

export const metadata: Metadata = { title: 'Overview' }

export default function OverviewPage() {
  return (
    <Prefetched
      begin={(trpc, queries) => [
        queries.prefetchQuery(trpc.keys.list.queryOptions()),
        queries.prefetchQuery(trpc.merchant.reached.queryOptions()),
        queries.prefetchQuery(trpc.webhooks.list.queryOptions()),
        firstFigures(trpc, queries, (input) => [
          queries.prefetchQuery(trpc.merchant.figures.queryOptions(input)),
          queries.prefetchQuery(trpc.merchant.lists.queryOptions(input)),
          queries.prefetchQuery(trpc.merchant.topPayers.queryOptions(input)),
        ]),
      ]}
    >
      <Overview />
    </Prefetched>
  )
}
