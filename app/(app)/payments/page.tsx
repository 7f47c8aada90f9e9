import type { Metadata } from 'next'
import type { SearchParams } from 'nuqs/server'
import { payerChannelsQuery } from '@/components/client/channels/queries'
import { Prefetched } from '@/components/client/prefetched'
import { PayerChannels, SpendingByMonth } from '@/components/screens/payments/spending'
import { PayerSettlements } from '@/components/screens/settlements/payer-settlements'
import { PrefetchedList } from '@/components/screens/settlements/prefetched-list'

export const metadata: Metadata = { title: 'Payments' }

type Props = { searchParams: Promise<SearchParams> }

export default function PaymentsPage({ searchParams }: Props) {
  return (
    <PrefetchedList searchParams={searchParams} reader="payer">
      <Prefetched inView={(trpc, { environment }) => [payerChannelsQuery(trpc, { environment })]}>
        <PayerSettlements channels={<PayerChannels />}>
          <SpendingByMonth />
        </PayerSettlements>
      </Prefetched>
    </PrefetchedList>
  )
}
