import type { Metadata } from 'next'
import { Suspense } from 'react'
import { PrefetchedList } from '@/components/settlements/prefetched-list'
import { SettlementScreen } from '@/components/settlements/screen'

export const metadata: Metadata = { title: 'History' }

export default function ConsoleHistoryPage() {
  const text = 'Settlements and failures of all tenants appear here.'
  return (
    <PrefetchedList reader="admin">
      <Suspense>
        <SettlementScreen reader="admin" title="History" empty={{ what: 'settlements', text }} />
      </Suspense>
    </PrefetchedList>
  )
}
