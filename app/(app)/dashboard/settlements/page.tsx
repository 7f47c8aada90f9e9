import type { Metadata } from 'next'
import { Suspense } from 'react'
import { MerchantSettlements } from '@/components/merchant/settlements'
import { PrefetchedList } from '@/components/settlements/prefetched-list'

export const metadata: Metadata = { title: 'Settlements' }

export default function SettlementsPage() {
  return (
    <PrefetchedList reader="merchant">
      <Suspense>
        <MerchantSettlements />
      </Suspense>
    </PrefetchedList>
  )
}
