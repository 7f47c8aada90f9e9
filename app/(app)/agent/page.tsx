import type { Metadata } from 'next'
import { Suspense } from 'react'
import { Agent } from '@/components/agent/agent'

export const metadata: Metadata = { title: 'Agent' }

export default function AgentPage() {
  return (
    <Suspense>
      <Agent />
    </Suspense>
  )
}
