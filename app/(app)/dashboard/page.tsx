import type { Metadata } from 'next'
import { Suspense } from 'react'
import { Overview } from '@/components/merchant/overview'

export const metadata: Metadata = { title: 'Overview' }

export default function OverviewPage() {
  return (
    <Suspense>
      <Overview />
    </Suspense>
  )
}
