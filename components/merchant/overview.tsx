'use client'

import { skipToken, useQuery } from '@tanstack/react-query'
import Link from 'next/link'
import { useFigure } from '../analytics/figure-chart'
import { PeriodControls } from '../analytics/period-controls'
import { freshLists, liveFigures } from '../analytics/refresh'
import { usePeriod } from '../analytics/use-period'
import { AnalyticsView } from '../analytics/view'
import { useTRPC } from '../data/trpc'
import { ScreenHead } from '../shell/shell'
import { buttonClass } from '../ui/button'
import { Empty, Panel, Problem } from '../ui/panel'

const LISTING = { path: '/dashboard/settlements', of: {} }

/** A merchant's figures. */
export function Overview() {
  const trpc = useTRPC()
  const period = usePeriod()
  const drawing = useFigure()
  const input = period.input ?? skipToken
  const figures = useQuery(trpc.merchant.figures.queryOptions(input, liveFigures))
  const lists = useQuery(trpc.merchant.lists.queryOptions(input, freshLists))
  const topPayers = useQuery(trpc.merchant.topPayers.queryOptions(input, freshLists))
  const dailyPayers = useQuery(
    trpc.merchant.dailyPayers.queryOptions(drawing.figure === 'payers' ? input : skipToken, freshLists),
  )
  const keys = useQuery(trpc.keys.list.queryOptions(undefined, { staleTime: 60_000 }))
  const isNew = keys.data?.keys.length === 0
  const failed = [figures, lists, topPayers, dailyPayers].find(({ error }) => error)
  const start = (
    <Link href="/dashboard/start" className={buttonClass({ look: 'primary' })}>
      Open quick start
    </Link>
  )
  return (
    <>
      <ScreenHead title="Overview">{isNew ? null : <PeriodControls period={period} />}</ScreenHead>
      {failed?.error ? (
        <Problem error={failed.error} retry={failed.refetch} />
      ) : isNew ? (
        <Panel>
          <Empty title="No settlements yet" action={start}>
            Create a key and charge for a route. Your figures appear here after the first payment.
          </Empty>
        </Panel>
      ) : (
        <AnalyticsView
          {...{ period, drawing, start }}
          figures={figures.data}
          lists={lists.data}
          topPayers={topPayers.data}
          dailyPayers={dailyPayers.data}
          listing={LISTING}
        />
      )}
    </>
  )
}
