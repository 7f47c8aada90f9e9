import type { Metadata } from 'next'
import type { SearchParams } from 'nuqs/server'
import { AdminSettlements } from '@/components/screens/settlements/admin-settlements'
import { PrefetchedList } from '@/components/screens/settlements/prefetched-list'

export const metadata: Metadata = { title: 'History' }

type Props = { searchParams: Promise<SearchParams> }

export default function ConsoleHistoryPage({ searchParams }: Props) {
  return (
    <PrefetchedList searchParams={searchParams} reader="admin">
      <AdminSettlements />
    </PrefetchedList>
  )
}
