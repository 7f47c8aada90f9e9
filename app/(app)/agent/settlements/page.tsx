import type { Metadata } from 'next'
import { Suspense } from 'react'
import { AgentSettlements } from '@/components/agent/settlements'

export const metadata: Metadata = { title: 'Settlements' }

export default function AgentSettlementsPage() {
  return (
    <Suspense>
      <AgentSettlements />
    </Suspense>
  )
}
