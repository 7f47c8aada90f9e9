import type { Metadata } from 'next'
import { Suspense } from 'react'
import { Prefetched } from '@/components/data/prefetched'
import { firstViews } from '@/components/data/viewer'
import { Keys } from '@/components/merchant/keys'

export const metadata: Metadata = { title: 'API keys' }

export default function KeysPage() {
  return (
    <Prefetched
      begin={(trpc, queries) => [
        queries.prefetchQuery(trpc.keys.list.queryOptions()),
        firstViews(trpc, queries).then((views) =>
          Promise.all(views.map(({ environment }) => queries.prefetchQuery(trpc.activity.ofKeys.queryOptions({ environment })))),
        ),
      ]}
    >
      <Suspense>
        <Keys />
      </Suspense>
    </Prefetched>
  )
}
