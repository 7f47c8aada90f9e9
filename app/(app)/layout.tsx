import type { ReactNode } from 'react'
import { Prefetched } from '@/components/client/prefetched'
import { Providers } from '@/components/client/providers'
import { environmentQuery, sessionQuery } from '@/components/client/queries'
import { readFirstView } from '@/components/client/viewer'
import { Shell } from '@/components/screens/shell/shell'

export default async function AppLayout({ children }: { children: ReactNode }) {
  return (
    <Providers first={await readFirstView()}>
      <Prefetched first={(trpc) => [sessionQuery(trpc), environmentQuery(trpc)]}>
        <Shell>{children}</Shell>
      </Prefetched>
    </Providers>
  )
}
