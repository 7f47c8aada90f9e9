'use client'

import { useQuery } from '@tanstack/react-query'
import Link from 'next/link'
import { parseAsNumberLiteral, parseAsString, parseAsStringLiteral, useQueryStates } from 'nuqs'
import { networkIds } from '@/server/x402/networks'
import { AnalyticsView } from '../analytics/view'
import { useTRPC } from '../data/trpc'
import { titleOf } from '../settlements/explorer'
import { OwnerAndTenant } from '../settlements/owner-and-tenant'
import { parseAsUuid } from '../settlements/use-filters'
import { ScreenHead } from '../shell/shell'
import { buttonClass } from '../ui/button'
import { Choice } from '../ui/fields'
import { Problem } from '../ui/panel'

const DAYS = [7, 30, 90] as const
const PERIODS = DAYS.map((days) => [String(days), `${days} days`] as const)
const NETWORKS = [['', 'All networks'], ...networkIds.map((id) => [id, titleOf(id)] as const)] as const

const parsers = {
  days: parseAsNumberLiteral(DAYS).withDefault(30),
  network: parseAsStringLiteral(networkIds),
  owner: parseAsString,
  tenant: parseAsUuid,
}

/** What everybody's keys came to, or an owner's, or one tenant's. */
export function Platform() {
  const trpc = useTRPC()
  const [{ days, network, owner, tenant }, change] = useQueryStates(parsers, { history: 'push', clearOnDefault: true })
  const of = { ...(owner ? { owner } : {}), ...(tenant ? { tenant } : {}) }
  const query = useQuery(trpc.admin.analytics.queryOptions({ days, ...(network ? { network } : {}), ...of }))
  const history = (
    <Link
      href={Object.keys(of).length > 0 ? `/console/history?${new URLSearchParams(of)}` : '/console/history'}
      className={buttonClass()}
    >
      See the history
    </Link>
  )
  return (
    <>
      <ScreenHead title="Platform">
        <OwnerAndTenant filter={of} change={change} />
        <Choice
          label="Network"
          value={network ?? ''}
          options={NETWORKS}
          onChange={({ target }) => change({ network: networkIds.find((id) => id === target.value) ?? null })}
        />
        <Choice
          label="Period"
          value={String(days)}
          options={PERIODS}
          onChange={({ target }) => change({ days: DAYS.find((one) => String(one) === target.value) ?? 30 })}
        />
      </ScreenHead>
      {query.error ? (
        <Problem error={query.error} retry={query.refetch} />
      ) : (
        <AnalyticsView analytics={query.data} resources="/console/history" start={history} />
      )}
    </>
  )
}
