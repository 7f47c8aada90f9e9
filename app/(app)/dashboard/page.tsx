import type { Metadata } from 'next'
import { periodInput } from '@/components/client/analytics/period-input'
import { Prefetched } from '@/components/client/prefetched'
import { keysQuery, reachedQuery, webhooksQuery } from '@/components/client/queries'
import { Overview } from '@/components/screens/overview/overview'
import { faultsQuery, figuresQuery, overviewQuery } from '@/components/screens/overview/queries'

export const metadata: Metadata = { title: 'Overview' }

export default function OverviewPage() {
  return (
    <Prefetched
      first={(trpc) => [keysQuery(trpc), reachedQuery(trpc), webhooksQuery(trpc)]}
      inView={(trpc, { zone, environment }) => {
        const input = periodInput({ zone, within: environment })
        return [figuresQuery(trpc, input), overviewQuery(trpc, input), faultsQuery(trpc, { within: environment })]
      }}
    >
      <Overview />
    </Prefetched>
  )
}
