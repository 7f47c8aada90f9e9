import type { Metadata } from 'next'
import { Prefetched } from '@/components/client/prefetched'
import { Networks } from '@/components/screens/console/networks'

export const metadata: Metadata = { title: 'Networks' }

export default function NetworksPage() {
  return (
    <Prefetched begin={(trpc, queries) => [queries.prefetchQuery(trpc.admin.standing.queryOptions())]}>
      <Networks />
    </Prefetched>
  )
}
