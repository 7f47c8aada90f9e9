import type { Metadata } from 'next'
import { Suspense } from 'react'
import { QuickStart } from '@/components/merchant/quick-start'

export const metadata: Metadata = { title: 'Quick start' }

export default function QuickStartPage() {
  return (
    <Suspense>
      <QuickStart />
    </Suspense>
  )
}
