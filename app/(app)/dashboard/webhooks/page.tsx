import type { Metadata } from 'next'
import { Suspense } from 'react'
import { Webhooks } from '@/components/webhooks/webhooks'

export const metadata: Metadata = { title: 'Webhooks' }

export default function WebhooksPage() {
  return (
    <Suspense>
      <Webhooks />
    </Suspense>
  )
}
