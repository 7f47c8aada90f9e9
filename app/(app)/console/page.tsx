import type { Metadata } from 'next'
import { firstFigures } from '@/components/client/analytics/first-figures'
import { Prefetched } from '@/components/client/prefetched'
import { Platform } from '@/components/screens/console/platform'

export const metadata: Metadata = { title: 'Platform' }

export default function PlatformPage() {
  return (
    <Prefetched
      begin={(trpc, queries) => [
        firstFigures(trpc, queries, (input) => [
          queries.prefetchQuery(trpc.admin.figures.queryOptions(input)),
          queries.prefetchQuery(trpc.admin.lists.queryOptions(input)),
          queries.prefetchQuery(trpc.admin.topPayers.queryOptions(input)),
          queries.prefetchQuery(trpc.admin.money.queryOptions(input)),
        ]),
      ]}
    >
      <Platform />
    </Prefetched>
  )
}
