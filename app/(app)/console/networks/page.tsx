import type { Metadata } from 'next'
import { Networks } from '@/components/console/networks'
import { Prefetched } from '@/components/data/prefetched'

export const metadata: Metadata = { title: 'Networks' }

export default function NetworksPage() {
  return (
    <Prefetched begin={(trpc, queries) => [queries.prefetchQuery(trpc.admin.standing.queryOptions())]}>
      <Networks />
    </Prefetched>
  )
}
