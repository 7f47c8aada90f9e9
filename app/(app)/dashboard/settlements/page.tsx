import type { Metadata } from 'next'
import type { SearchParams } from 'nuqs/server'
import { MerchantSettlements } from '@/components/screens/settlements/merchant-settlements'
import { PrefetchedList } from '@/components/screens/settlements/prefetched-list'

export const metadata: Metadata = { title: 'Settlements' }

type Props = { searchParams: Promise<SearchParams> }

export default function SettlementsPage({ searchParams }: Props) {
  return (
    <PrefetchedList searchParams={searchParams} reader="merchant">
      <MerchantSettlements />
    </PrefetchedList>
  )
}
