import type { Metadata } from 'next'
import { Suspense } from 'react'
import { Keys } from '@/components/merchant/keys'

export const metadata: Metadata = { title: 'API keys' }

export default function KeysPage() {
  return (
    <Suspense>
      <Keys />
    </Suspense>
  )
}
