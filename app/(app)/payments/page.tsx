import type { Metadata } from 'next'
import type { SearchParams } from 'nuqs/server'
import { SpendingByMonth } from '@/components/screens/payments/months'
import { PayerSettlements } from '@/components/screens/settlements/payer-settlements'
import { PrefetchedList } from '@/components/screens/settlements/prefetched-list'

export const metadata: Metadata = { title: 'Payments' }

type Props = { searchParams: Promise<SearchParams> }

export default function PaymentsPage({ searchParams }: Props) {
  return (
    <PrefetchedList searchParams={searchParams} reader="payer">
      <PayerSettlements>
        <SpendingByMonth />
      </PayerSettlements>
    </PrefetchedList>
  )
}
