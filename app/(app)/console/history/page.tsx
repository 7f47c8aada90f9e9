import type { Metadata } from 'next'
import { Suspense } from 'react'
import { ConsoleHistory } from '@/components/console/history'

export const metadata: Metadata = { title: 'History' }

export default function ConsoleHistoryPage() {
  return (
    <Suspense>
      <ConsoleHistory />
    </Suspense>
  )
}
