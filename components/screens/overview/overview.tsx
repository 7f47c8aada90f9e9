'use client'

import { skipToken, useQuery } from '@tanstack/react-query'
import Link from 'next/link'
import { useFigure } from '../../client/analytics/figure-chart'
import { PeriodControls } from '../../client/analytics/period-controls'
import { usePeriod } from '../../client/analytics/use-period'
import { AnalyticsView } from '../../client/analytics/view'
import { Problem } from '../../client/problem'
import { environmentQuery, reachedQuery } from '../../client/queries'
import { FRESH_MS } from '../../client/refresh'
import { ScreenHead } from '../../client/screen-head'
import { useTRPC } from '../../client/trpc'
import { buttonClass } from '../../ui/button'
import { later } from '../../ui/later'
import { Skeleton } from '../../ui/panel'
import { figuresQuery, overviewQuery } from './queries'

// Only new merchants see it.
const firstDay = () => import('./first-day')
const FirstDay = later(() => firstDay().then((loaded) => loaded.FirstDay), <Skeleton className="h-[26rem]" />)
const FirstSteps = later(() => firstDay().then((loaded) => loaded.FirstSteps))
// Most merchants have nothing to mend.
const Attention = later(() => import('./attention').then((loaded) => loaded.Attention))

const LISTING = { path: '/dashboard/settlements', of: {} }

/** A merchant's figures; before the first settlement, the way to it. */
export function Overview() {
  const trpc = useTRPC()
  const period = usePeriod()
  const drawing = useFigure()
  const first = useQuery(environmentQuery(trpc))
  const isNew = first.data === null
  const input = isNew ? skipToken : (period.input ?? skipToken)
  const drawsPayers = input !== skipToken && drawing.figure === 'payers'
  const byDay = useQuery(overviewQuery(trpc, drawsPayers ? { ...input, payersByDay: true } : skipToken))
  const usual = useQuery(overviewQuery(trpc, byDay.data ? skipToken : input))
  const overview = byDay.data ?? usual.data
  const figures = useQuery(figuresQuery(trpc, overview ? skipToken : input))
  const reached = useQuery({ ...reachedQuery(trpc), staleTime: FRESH_MS.account })
  const failed = [figures, usual, byDay].find(({ error }) => error)
  if (isNew) {
    return (
      <>
        <ScreenHead title="Overview" />
        <FirstDay />
      </>
    )
  }
  return (
    <>
      <ScreenHead title="Overview">
        <PeriodControls period={period} assets={(overview?.figures ?? figures.data)?.assets} />
      </ScreenHead>
      <Attention />
      {failed?.error ? (
        <Problem error={failed.error} retry={failed.refetch} />
      ) : (
        <AnalyticsView
          period={period}
          drawing={drawing}
          start={
            <Link href="/dashboard/start" className={buttonClass({ look: 'primary' })}>
              Open quick start
            </Link>
          }
          figures={figures.data}
          overview={overview}
          listing={LISTING}
        >
          {reached.data && !(reached.data.settled && reached.data.served) ? <FirstSteps /> : null}
        </AnalyticsView>
      )}
    </>
  )
}
