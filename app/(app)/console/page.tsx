import type { Metadata } from 'next'
import { periodInput } from '@/components/client/analytics/period-input'
import { Prefetched } from '@/components/client/prefetched'
import { Platform } from '@/components/screens/console/platform'
import { figuresQuery, moneyQuery, overviewQuery } from '@/components/screens/console/queries'

export const metadata: Metadata = { title: 'Platform' }

export default function PlatformPage() {
  return (
    <Prefetched
      inView={(trpc, { zone, environment }) => {
        const input = periodInput({ zone, within: environment })
        return [figuresQuery(trpc, input), overviewQuery(trpc, input), moneyQuery(trpc, input)]
      }}
    >
      <Platform />
    </Prefetched>
  )
}
