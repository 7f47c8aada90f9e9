import type { Metadata } from 'next'
import { Suspense } from 'react'
import { Payments } from '@/components/payments/payments'
import { PrefetchedList } from '@/components/settlements/prefetched-list'

export const metadata: Metadata = { title: 'Payments' }

export default function PaymentsPage() {
  return (
    <PrefetchedList reader="payer">
      <Suspense>
        <Payments />
      </Suspense>
    </PrefetchedList>
  )
}
