import type { Metadata } from 'next'
import type { SearchParams } from 'nuqs/server'
import { AgentSettlements } from '@/components/screens/settlements/agent-settlements'
import { PrefetchedList } from '@/components/screens/settlements/prefetched-list'

export const metadata: Metadata = { title: 'Agent settlements' }

type Props = { searchParams: Promise<SearchParams> }

export default function AgentSettlementsPage({ searchParams }: Props) {
  return (
    <PrefetchedList searchParams={searchParams} reader="agent">
      <AgentSettlements />
    </PrefetchedList>
  )
}
