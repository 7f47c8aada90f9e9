'use client'

import { useQuery } from '@tanstack/react-query'
import type { Environment } from '@/server/x402/networks/networks'
import { agentActivityQuery } from '../../client/queries'
import { REFRESH_MS } from '../../client/refresh'
import { useTRPC } from '../../client/trpc'
import { Chart } from '../../ui/chart/chart'
import { eachDay } from '../../ui/chart/each-day'
import { counts } from '../../ui/chart/scales'
import type { Point, Series } from '../../ui/chart/series'
import type { SparkDay } from '../../ui/chart/sparkline-drawing'
import { dayText } from '../../ui/dates'

const DAYS = 30
const WEEK = 7

/** The settlements of a wallet's agent on each of the last 30 days; undefined while they load. */
export function useDays(environment: Environment): SparkDay[] | undefined {
  const trpc = useTRPC()
  const { data } = useQuery({ ...agentActivityQuery(trpc, environment), refetchInterval: REFRESH_MS.activity })
  const known = data?.flatMap((key) => key.days)
  return known && eachDay(known, DAYS)
}

/** An agent's settlements of 30 days. */
export function CreditsOverTime({ days, keepsHistory }: { days: SparkDay[] | undefined; keepsHistory: boolean }) {
  if (!keepsHistory) return <p className="text-sm text-soft">History is off, so settlements by day are not shown.</p>
  const points = days?.map(pointOf)
  if (days && totalOf(days, 'count') === 0) {
    return <p className="text-sm text-soft">No settlements in the last 30 days.</p>
  }
  return (
    <Chart what="Settlements by day" title={<Total days={days} />} series={SERIES} points={points} scale={counts} plot="h-36" />
  )
}

function Total({ days }: { days: SparkDay[] | undefined }) {
  const failed = days ? totalOf(days, 'failed') : 0
  const settled = days ? totalOf(days, 'count') - failed : null
  return (
    <p className="text-sm text-soft">
      Last 30 days:
      {/* The space comes with the figures: alone at the end of its line, it would count as moved when they come. */}
      {settled === null ? null : (
        <span className="text-ink tabular-nums">
          {' '}
          {settled.toLocaleString('en')} settled{failed > 0 ? `, ${failed.toLocaleString('en')} failed` : ''}
        </span>
      )}
    </p>
  )
}

const totalOf = (days: readonly SparkDay[], of: 'count' | 'failed') => days.reduce((sum, day) => sum + day[of], 0)

const SERIES: Series[] = [
  { key: 'settled', name: 'Settled', color: 'var(--accent)', form: 'bar' },
  { key: 'failed', name: 'Failed', color: 'var(--bad)', form: 'bar' },
]

function pointOf({ day, count, failed }: SparkDay, at: number): Point {
  const settled = count - failed
  const partial = at === DAYS - 1
  return {
    key: day,
    tick: dayText(day),
    title: partial ? `Today so far, ${dayText(day)}` : dayText(day, 'long'),
    partial,
    values: { settled, failed },
    shown: { settled: settled.toLocaleString('en'), failed: failed.toLocaleString('en') },
  }
}

/** How long so many credits last at the rate of the last seven of these days. */
export function paceText(days: readonly SparkDay[], left: number): string {
  const week = totalOf(days.slice(-WEEK), 'count')
  if (week === 0) return 'Not used in the last 7 days'
  const lasts = daysLeft(left, week)
  // A rate so low says nothing about a year.
  return lasts === null ? `${week} used in the last 7 days` : `${lastsText(lasts)} at your current pace`
}

/** Whole days that credits last at the rate of a week; null if nothing was used, or for over a year. */
export function daysLeft(left: number, week: number): number | null {
  const days = week === 0 ? Number.POSITIVE_INFINITY : Math.floor((left * WEEK) / week)
  return days > 365 ? null : days
}

const lastsText = (days: number) => (days === 0 ? 'Less than a day' : days === 1 ? 'About a day' : `About ${days} days`)
