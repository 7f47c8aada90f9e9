import type { Metadata } from 'next'
import { Prefetched } from '@/components/client/prefetched'
import { keysQuery } from '@/components/client/queries'
import { Keys } from '@/components/screens/keys/keys'
import { keyActivityQuery } from '@/components/screens/keys/queries'

export const metadata: Metadata = { title: 'API keys' }

export default function KeysPage() {
  return (
    <Prefetched first={(trpc) => [keysQuery(trpc)]} inView={(trpc, { environment }) => [keyActivityQuery(trpc, environment)]}>
      <Keys />
    </Prefetched>
  )
}
