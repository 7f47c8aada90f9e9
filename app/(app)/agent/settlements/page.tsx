import type { Metadata } from 'next'
import Link from 'next/link'
import { Suspense } from 'react'
import { SettlementScreen } from '@/components/settlements/screen'
import { buttonClass } from '@/components/ui/button'
import { Empty } from '@/components/ui/panel'

export const metadata: Metadata = { title: 'Settlements' }

export default function AgentSettlementsPage() {
  const start = (
    <Link href="/agent" className={buttonClass({ look: 'primary' })}>
      Credits and keys
    </Link>
  )
  const empty = (
    <Empty title="No settlements yet" action={start}>
      Set the facilitator URL of a key in your server. Its first settlement appears here.
    </Empty>
  )
  return (
    <Suspense>
      <SettlementScreen reader="agent" title="Settlements" empty={empty} />
    </Suspense>
  )
}
