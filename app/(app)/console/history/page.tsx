import type { Metadata } from 'next'
import type { SearchParams } from 'nuqs/server'
import { PrefetchedList } from '@/components/screens/settlements/prefetched-list'
import { SettlementScreen } from '@/components/screens/settlements/screen'

export const metadata: Metadata = { title: 'History' }

type Props = { searchParams: Promise<SearchParams> }

export default function ConsoleHistoryPage({ searchParams }: Props) {
  const text = 'Settlements and failures of all tenants appear here.'
  return (
    <PrefetchedList searchParams={searchParams} reader="admin">
      <SettlementScreen reader="admin" title="History" empty={{ what: 'settlements', text }} />
    </PrefetchedList>
  )
}
