import type { Metadata } from 'next'
import { Prefetched } from '@/components/client/prefetched'
import { ReceiptScreen } from '@/components/screens/payments/receipt-screen'

export const metadata: Metadata = { title: 'Receipt' }

export default async function ReceiptPage({ params }: { params: Promise<{ id: string }> }) {
  const { id } = await params
  return (
    <Prefetched
      begin={(trpc, queries) => [queries.prefetchQuery(trpc.settlements.details.queryOptions({ reader: 'payer', id }))]}
    >
      <ReceiptScreen id={id} />
    </Prefetched>
  )
}
