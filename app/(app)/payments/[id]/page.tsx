import type { Metadata } from 'next'
import { Prefetched } from '@/components/client/prefetched'
import { settlementQuery } from '@/components/client/queries'
import { ReceiptScreen } from '@/components/screens/payments/receipt-screen'

export const metadata: Metadata = { title: 'Receipt' }

export default async function ReceiptPage({ params }: { params: Promise<{ id: string }> }) {
  const { id } = await params
  return (
    <Prefetched first={(trpc) => [settlementQuery(trpc, 'payer', id)]}>
      <ReceiptScreen id={id} />
    </Prefetched>
  )
}
