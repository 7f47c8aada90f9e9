'use client'

import { useQuery } from '@tanstack/react-query'
import { agentActivityQuery } from '../../client/queries'
import { useTRPC } from '../../client/trpc'
import { useEnvironment } from '../../client/use-environment'

/** What the keys of an agent settled in the last 30 days, in a line. */
export function SettledSummary() {
  const trpc = useTRPC()
  const { environment = 'mainnet' } = useEnvironment()
  const { data } = useQuery(agentActivityQuery(trpc, environment))
  const days = data?.flatMap((key) => key.days)
  const sum = (of: 'count' | 'failed') => days?.reduce((total, day) => total + day[of], 0) ?? 0
  const failed = sum('failed')
  return (
    <p className="mb-4 min-h-5 text-soft tabular-nums">
      {days ? (
        <>
          In the last 30 days: <b className="font-medium text-ink">{(sum('count') - failed).toLocaleString('en')}</b> settled and{' '}
          <b className="font-medium text-ink">{failed.toLocaleString('en')}</b> failed
        </>
      ) : null}
    </p>
  )
}
