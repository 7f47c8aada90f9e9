import type { Metadata } from 'next'
import { Prefetched } from '@/components/client/prefetched'
import { Agent } from '@/components/screens/agent/agent'
import { balanceQuery, creditHistoryQuery } from '@/components/screens/agent/queries'

export const metadata: Metadata = { title: 'Agent' }

export default function AgentPage() {
  return (
    <Prefetched inView={(trpc, { environment }) => [balanceQuery(trpc, environment), creditHistoryQuery(trpc, environment)]}>
      <Agent />
    </Prefetched>
  )
}
