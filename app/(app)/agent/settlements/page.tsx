import type { Metadata } from 'next'
import Link from 'next/link'
import { Suspense } from 'react'
import { SettledSummary } from '@/components/agent/settled-summary'
import { PrefetchedList } from '@/components/settlements/prefetched-list'
import { SettlementScreen } from '@/components/settlements/screen'
import { buttonClass } from '@/components/ui/button'

export const metadata: Metadata = { title: 'Settlements' }

export default function AgentSettlementsPage() {
  const start = (
    <Link href="/agent" className={buttonClass({ look: 'primary' })}>
      Credits and keys
    </Link>
  )
  const text = 'Set the facilitator URL of a key in your server. Its first settlement appears here.'
  const about = 'What your keys settled for your own endpoint. Your own purchases are under Payments.'
  return (
    <PrefetchedList reader="agent">
      <Suspense>
        <SettlementScreen reader="agent" title="Settlements" about={about} empty={{ what: 'settlements', text, action: start }}>
          <SettledSummary />
        </SettlementScreen>
      </Suspense>
    </PrefetchedList>
  )
}
