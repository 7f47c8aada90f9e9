import type { Metadata } from 'next'
import { Suspense } from 'react'
import { SettlementScreen } from '@/components/settlements/screen'
import { Empty } from '@/components/ui/panel'

export const metadata: Metadata = { title: 'History' }

export default function ConsoleHistoryPage() {
  const empty = <Empty title="No settlements yet">Settlements and failures of all tenants appear here.</Empty>
  return (
    <Suspense>
      <SettlementScreen reader="admin" title="History" empty={empty} />
    </Suspense>
  )
}
