import type { Metadata } from 'next'
import { Suspense } from 'react'
import { Networks } from '@/components/console/networks'

export const metadata: Metadata = { title: 'Networks' }

export default function NetworksPage() {
  return (
    <Suspense>
      <Networks />
    </Suspense>
  )
}
