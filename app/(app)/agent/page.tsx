import type { Metadata } from 'next'
import { Agent } from '@/components/agent/agent'
import { Prefetched } from '@/components/data/prefetched'

export const metadata: Metadata = { title: 'Agent' }

export default function AgentPage() {
  return (
    <Prefetched begin={(trpc, queries) => [queries.prefetchQuery(trpc.agent.balance.queryOptions({}))]}>
      <Agent />
    </Prefetched>
  )
}
