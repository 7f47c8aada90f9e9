import type { Metadata } from 'next'
import { Prefetched } from '@/components/client/prefetched'
import { keysQuery, reachedQuery, webhooksQuery } from '@/components/client/queries'
import { QuickStart } from '@/components/screens/start/quick-start'

export const metadata: Metadata = { title: 'Quick start' }

export default function QuickStartPage() {
  return (
    <Prefetched first={(trpc) => [keysQuery(trpc), reachedQuery(trpc), webhooksQuery(trpc)]}>
      <QuickStart />
    </Prefetched>
  )
}
