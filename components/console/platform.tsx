'use client'

import { useQuery } from '@tanstack/react-query'
import Link from 'next/link'
import { parseAsString, useQueryStates } from 'nuqs'
import { liveToday, Today } from '../analytics/today'
import { AnalyticsView, freshDays } from '../analytics/view'
import { untilUsed, useAnalyticsWindow, WindowControls } from '../analytics/window'
import { useTRPC } from '../data/trpc'
import { OwnerAndTenant } from '../settlements/owner-and-tenant'
import { parseAsUuid } from '../settlements/use-filters'
import { ScreenHead } from '../shell/shell'
import { buttonClass } from '../ui/button'
import { Problem } from '../ui/panel'

const parsers = { owner: parseAsString, tenant: parseAsUuid }

/** Figures of all tenants, of one owner or of one tenant. */
export function Platform() {
  const trpc = useTRPC()
  const [{ owner, tenant }, change] = useQueryStates(parsers, { history: 'push', clearOnDefault: true })
  const of = { ...(owner ? { owner } : {}), ...(tenant ? { tenant } : {}) }
  const first = useQuery(trpc.admin.defaultEnvironment.queryOptions(of, untilUsed))
  const window = useAnalyticsWindow(first.data === null ? 'mainnet' : first.data)
  const { days, within = 'mainnet', environment } = window
  const enabled = environment !== undefined
  const today = useQuery(trpc.admin.today.queryOptions({ within, ...of }, { enabled, ...liveToday }))
  const query = useQuery(trpc.admin.analytics.queryOptions({ days, within, ...of }, { enabled, ...freshDays }))
  const failed = [first, today, query].find(({ error }) => error)
  const history = (
    <Link
      href={Object.keys(of).length > 0 ? `/console/history?${new URLSearchParams(of)}` : '/console/history'}
      className={buttonClass()}
    >
      View history
    </Link>
  )
  return (
    <>
      <ScreenHead title="Platform">
        <OwnerAndTenant filter={of} change={change} />
        <WindowControls window={window} />
      </ScreenHead>
      {failed?.error ? (
        <Problem error={failed.error} retry={failed.refetch} />
      ) : (
        <>
          <Today sums={today.data} />
          <AnalyticsView analytics={query.data} resources="/console/history" of={of} start={history} />
        </>
      )}
    </>
  )
}
