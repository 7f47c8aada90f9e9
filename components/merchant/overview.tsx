'use client'

import { useQuery } from '@tanstack/react-query'
import Link from 'next/link'
import { parseAsNumberLiteral, parseAsStringLiteral, useQueryState } from 'nuqs'
import { networkIds } from '@/server/x402/networks'
import { AnalyticsView } from '../analytics/view'
import { useTRPC } from '../data/trpc'
import { titleOf } from '../settlements/explorer'
import { ScreenHead } from '../shell/shell'
import { buttonClass } from '../ui/button'
import { Choice } from '../ui/fields'
import { Problem } from '../ui/panel'

const DAYS = [7, 30, 90] as const
const PERIODS = DAYS.map((days) => [String(days), `${days} days`] as const)
const NETWORKS = [['', 'All networks'], ...networkIds.map((id) => [id, titleOf(id)] as const)] as const

/** What a merchant's keys came to. */
export function Overview() {
  const trpc = useTRPC()
  const [days, setDays] = useQueryState('days', parseAsNumberLiteral(DAYS).withDefault(30))
  const [network, setNetwork] = useQueryState('network', parseAsStringLiteral(networkIds))
  const query = useQuery(trpc.merchant.analytics.queryOptions({ days, ...(network ? { network } : {}) }))
  const start = (
    <Link href="/dashboard/keys" className={buttonClass({ look: 'primary' })}>
      Make an API key
    </Link>
  )
  return (
    <>
      <ScreenHead title="Overview">
        <Choice
          label="Network"
          value={network ?? ''}
          options={NETWORKS}
          onChange={({ target }) => setNetwork(networkIds.find((id) => id === target.value) ?? null)}
        />
        <Choice
          label="Period"
          value={String(days)}
          options={PERIODS}
          onChange={({ target }) => setDays(DAYS.find((one) => String(one) === target.value) ?? 30)}
        />
      </ScreenHead>
      {query.error ? (
        <Problem error={query.error} retry={query.refetch} />
      ) : (
        <AnalyticsView analytics={query.data} resources="/dashboard/settlements" start={start} />
      )}
    </>
  )
}
