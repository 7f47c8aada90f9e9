import type { Metadata } from 'next'
import Link from 'next/link'
import type { SearchParams } from 'nuqs/server'
import { SettledSummary } from '@/components/screens/agent/settled-summary'
import { PrefetchedList } from '@/components/screens/settlements/prefetched-list'
import { SettlementScreen } from '@/components/screens/settlements/screen'
import { buttonClass } from '@/components/ui/button'

export const metadata: Metadata = { title: 'Agent settlements' }

type Props = { searchParams: Promise<SearchParams> }

export default function AgentSettlementsPage({ searchParams }: Props) {
  const start = (
    <Link href="/agent" className={buttonClass({ look: 'primary' })}>
      Credits and keys
    </Link>
  )
  const text = 'Set the facilitator URL of a key in your server. Its first settlement appears here.'
  const about = 'Payments to your own endpoint that your agent keys settled, one credit each. What you bought is under Payments.'
  return (
    <PrefetchedList searchParams={searchParams} reader="agent">
      <SettlementScreen
        reader="agent"
        title="Agent settlements"
        about={about}
        empty={{ what: 'settlements', text, action: start }}
      >
        <SettledSummary />
      </SettlementScreen>
    </PrefetchedList>
  )
}
