import type { Metadata } from 'next'
import { Suspense } from 'react'
import { Listings } from '@/components/merchant/listings'

export const metadata: Metadata = { title: 'Listings' }

export default function ListingsPage() {
  return (
    <Suspense>
      <Listings />
    </Suspense>
  )
}
