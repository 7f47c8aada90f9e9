import type { Metadata } from 'next'
import { firstFigures } from '@/components/client/analytics/first-figures'
import { Prefetched } from '@/components/client/prefetched'
import { Listings } from '@/components/screens/listings/listings'

export const metadata: Metadata = { title: 'Listings' }

export default function ListingsPage() {
  return (
    <Prefetched
      begin={(trpc, queries) => [
        firstFigures(trpc, queries, ({ within: environment }) => [
          queries.prefetchQuery(trpc.merchant.listings.queryOptions({ environment, offset: 0 })),
          queries.prefetchQuery(trpc.merchant.unlisted.queryOptions({ environment })),
        ]),
      ]}
    >
      <Listings />
    </Prefetched>
  )
}
