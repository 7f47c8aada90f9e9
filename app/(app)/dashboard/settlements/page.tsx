import type { Metadata } from 'next'
import { Suspense } from 'react'
import { MerchantSettlements } from '@/components/merchant/settlements'

export const metadata: Metadata = { title: 'Settlements' }

export default function SettlementsPage() {
  return (
    <Suspense>
      <MerchantSettlements />
    </Suspense>
  )
}
