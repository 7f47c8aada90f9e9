'use client'

import { skipToken, useQuery } from '@tanstack/react-query'
import { useFigure } from '../../client/analytics/figure-chart'
import { PeriodControls } from '../../client/analytics/period-controls'
import { type SelectedPeriod, usePeriod } from '../../client/analytics/use-period'
import { AnalyticsView } from '../../client/analytics/view'
import { Problem } from '../../client/problem'
import { environmentQuery, reachedQuery } from '../../client/queries'
import { FRESH_MS } from '../../client/refresh'
import { ScreenHead } from '../../client/screen-head'
import { useTRPC } from '../../client/trpc'
import { Attention } from '../../ui/alerts'
import { Button } from '../../ui/button'
import { later } from '../../ui/later'
import { Skeleton } from '../../ui/panel'
import { useAttention } from './attention'
import { figuresQuery, LISTING, overviewQuery } from './queries'

/** So many at once. */
const ALERTS = 3

// Only new merchants see it.
const firstDay = () => import('./first-day')
const FirstDay = later(() => firstDay().then((loaded) => loaded.FirstDay), <Skeleton className="h-[26rem]" />)
const FirstSteps = later(() => firstDay().then((loaded) => loaded.FirstSteps))

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
  const hasSteps = reached.data !== undefined && !(reached.data.settled && reached.data.served)
  const failed = [figures, usual, byDay].find(({ error }) => error)
  const shown = overview?.figures ?? figures.data
  const { alerts, known } = useAttention(period, Boolean(shown ?? failed))
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
        <PeriodControls period={period} assets={shown?.assets} />
      </ScreenHead>
      {/* What needs attention and the figures come together: nothing moves. */}
      {known ? <Attention alerts={alerts.slice(0, ALERTS)} /> : null}
      {!known ? (
        <Skeleton className="h-[26rem]" />
      ) : failed?.error ? (
        <Problem error={failed.error} retry={failed.refetch} />
      ) : (
        <AnalyticsView
          period={period}
          drawing={drawing}
          start={hasSteps ? null : <Wider period={period} />}
          hasPrimary={hasSteps}
          figures={figures.data}
          overview={overview}
          listing={LISTING}
        >
          {hasSteps ? <FirstSteps /> : null}
        </AnalyticsView>
      )}
    </>
  )
}

/** Leads a merchant whose payments are elsewhere to all networks, or from Live to Test and back. */
function Wider({ period: { environment, network, setEnvironment, setNetwork } }: { period: SelectedPeriod }) {
  const other = environment === 'mainnet' ? 'testnet' : 'mainnet'
  return network ? (
    <Button look="primary" onClick={() => setNetwork(null)}>
      Show all networks
    </Button>
  ) : (
    <Button look="primary" onClick={() => setEnvironment(other)}>
      {other === 'testnet' ? 'Show Test payments' : 'Show Live payments'}
    </Button>
  )
}
