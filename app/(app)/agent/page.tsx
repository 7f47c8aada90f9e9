import type { Metadata } from 'next'
import { Prefetched } from '@/components/client/prefetched'
import { firstViewOf } from '@/components/client/viewer'
import { Agent } from '@/components/screens/agent/agent'

export const metadata: Metadata = { title: 'Agent' }

export default function AgentPage() {
  return (
    <Prefetched
      begin={(trpc, queries) => [
        firstViewOf(trpc, queries).then(async (view) => {
          if (!view) return
          const { environment } = view
          await Promise.all([
            queries.prefetchQuery(trpc.agent.balance.queryOptions({ environment })),
            queries.prefetchQuery(trpc.activity.ofAgent.queryOptions({ environment })),
          ])
        }),
      ]}
    >
      <Agent />
    </Prefetched>
  )
}
