import type { Metadata } from 'next'
import { Suspense } from 'react'
import { Prefetched } from '@/components/data/prefetched'
import { Listings } from '@/components/merchant/listings'

export const metadata: Metadata = { title: 'Listings' }

export default function ListingsPage() {
  return (
    <Prefetched
      begin={(trpc, queries) => [
        queries.prefetchQuery(trpc.merchant.listings.queryOptions({ offset: 0 })),
        queries.prefetchQuery(trpc.merchant.unlisted.queryOptions()),
      ]}
    >
      <Suspense>
        <Listings />
      </Suspense>
    </Prefetched>
  )
}
