'use client'

import { useQuery } from '@tanstack/react-query'
import Link from 'next/link'
import { liveToday, Today } from '../analytics/today'
import { AnalyticsView, freshDays } from '../analytics/view'
import { untilUsed, useAnalyticsWindow, WindowControls } from '../analytics/window'
import { useTRPC } from '../data/trpc'
import { ScreenHead } from '../shell/shell'
import { buttonClass } from '../ui/button'
import { Problem } from '../ui/panel'

/** A merchant's figures. */
export function Overview() {
  const trpc = useTRPC()
  const first = useQuery(trpc.merchant.defaultEnvironment.queryOptions(undefined, untilUsed))
  const window = useAnalyticsWindow(first.data === null ? 'mainnet' : first.data)
  const { days, within = 'mainnet', environment } = window
  const enabled = environment !== undefined
  const today = useQuery(trpc.merchant.today.queryOptions({ within }, { enabled, ...liveToday }))
  const query = useQuery(trpc.merchant.analytics.queryOptions({ days, within }, { enabled, ...freshDays }))
  const failed = [first, today, query].find(({ error }) => error)
  const start = (
    <Link href="/dashboard/keys" className={buttonClass({ look: 'primary' })}>
      Create an API key
    </Link>
  )
  return (
    <>
      <ScreenHead title="Overview">
        <WindowControls window={window} />
      </ScreenHead>
      {failed?.error ? (
        <Problem error={failed.error} retry={failed.refetch} />
      ) : (
        <>
          <Today sums={today.data} />
          <AnalyticsView analytics={query.data} resources="/dashboard/settlements" start={start} />
        </>
      )}
    </>
  )
}
