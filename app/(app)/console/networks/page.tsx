import type { Metadata } from 'next'
import { Prefetched } from '@/components/client/prefetched'
import { Networks } from '@/components/screens/console/networks'
import { sendersQuery, standingQuery } from '@/components/screens/console/queries'

export const metadata: Metadata = { title: 'Networks' }

export default function NetworksPage() {
  return (
    <Prefetched first={(trpc) => [standingQuery(trpc), sendersQuery(trpc)]}>
      <Networks />
    </Prefetched>
  )
}
