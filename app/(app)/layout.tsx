import type { ReactNode } from 'react'
import { Prefetched } from '@/components/data/prefetched'
import { Providers } from '@/components/data/providers'
import { readFirstView } from '@/components/data/viewer'
import { Shell } from '@/components/shell/shell'
import './app.css'

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
