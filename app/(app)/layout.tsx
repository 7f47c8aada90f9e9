import type { ReactNode } from 'react'
import { Prefetched } from '@/components/client/prefetched'
import { Providers } from '@/components/client/providers'
import { readFirstView } from '@/components/client/viewer'
import { Shell } from '@/components/screens/shell/shell'

export default async function AppLayout({ children }: { children: ReactNode }) {
  return (
    <Providers first={await readFirstView()}>
      <Prefetched
        begin={(trpc, queries) => [
          queries.prefetchQuery(trpc.session.get.queryOptions()),
          queries.prefetchQuery(trpc.environment.first.queryOptions()),
        ]}
      >
        <Shell>{children}</Shell>
      </Prefetched>
    </Providers>
  )
}
