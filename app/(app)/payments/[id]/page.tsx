import type { Metadata } from 'next'
import { ReceiptScreen } from '@/components/payments/receipt-screen'

export const metadata: Metadata = { title: 'Receipt' }

export default async function ReceiptPage({ params }: { params: Promise<{ id: string }> }) {
  return <ReceiptScreen id={(await params).id} />
}
