import type { Metadata } from 'next'
import { Prefetched } from '@/components/client/prefetched'
import { Listings } from '@/components/screens/listings/listings'
import { listingsQuery, reportQuery } from '@/components/screens/listings/queries'

export const metadata: Metadata = { title: 'Listings' }

export default function ListingsPage() {
  return (
    <Prefetched inView={(trpc, { environment }) => [listingsQuery(trpc, environment), reportQuery(trpc, environment)]}>
      <Listings />
    </Prefetched>
  )
}
