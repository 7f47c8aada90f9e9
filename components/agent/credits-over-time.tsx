'use client'

import { useQuery } from '@tanstack/react-query'
import type { Environment } from '@/server/x402/networks'
import { dayText } from '../analytics/figure'
import { Chart } from '../charts/chart'
import { eachDay } from '../charts/each-day'
import { counts } from '../charts/scales'
import type { Point, Series } from '../charts/series'
import type { SparkDay } from '../charts/sparkline-drawing'
import { useTRPC } from '../data/trpc'

const DAYS = 30
const WEEK = 7
const MINUTE_MS = 60_000

type Props = { environment: Environment; left: number; keepsHistory: boolean }

/** An agent's settlements of 30 days, and how long its credits last at the rate of the last week. */
export function CreditsOverTime({ environment, left, keepsHistory }: Props) {
  const trpc = useTRPC()
  const { data } = useQuery(trpc.activity.ofAgent.queryOptions({ environment }, { refetchInterval: MINUTE_MS }))
  if (!keepsHistory) return <p className="m-0 text-soft">History is off, so there is no use over time to show.</p>
  const known = data?.flatMap((key) => key.days)
  const days = known && eachDay(known, DAYS)
  return (
    <>
      <Chart what="Settlements by day" series={SERIES} points={days?.map(pointOf)} scale={counts} />
      <p className="m-0 min-h-5 text-[0.8125rem] text-soft">{days ? paceText(days, left) : null}</p>
    </>
  )
}

const SERIES: Series[] = [
  { key: 'settled', name: 'Settled', color: 'var(--accent)', form: 'bar' },
  { key: 'failed', name: 'Failed', color: 'var(--bad)', form: 'bar' },
]

function pointOf({ day, count, failed }: SparkDay, at: number): Point {
  const settled = count - failed
  const partial = at === DAYS - 1
  return {
    ...{ key: day, tick: dayText(day), title: partial ? `Today so far, ${dayText(day)}` : dayText(day, 'long'), partial },
    values: { settled, failed },
    shown: { settled: settled.toLocaleString('en'), failed: failed.toLocaleString('en') },
  }
}

function paceText(days: readonly SparkDay[], left: number): string {
  const week = days.slice(-WEEK).reduce((sum, { count }) => sum + count, 0)
  if (week === 0) return 'No settlements in the last 7 days.'
  const lasts = daysLeft(left, week)
  const settlements = `${week.toLocaleString('en')} ${week === 1 ? 'settlement' : 'settlements'} in the last 7 days`
  return lasts === null ? `${settlements}.` : `${settlements}; credits last about ${daysText(lasts)}.`
}

/** Whole days that credits last at the rate of a week; null if nothing was used, or for over a year. */
export function daysLeft(left: number, week: number): number | null {
  const days = week === 0 ? Number.POSITIVE_INFINITY : Math.floor((left * WEEK) / week)
  return days > 365 ? null : days
}

const daysText = (days: number) => (days === 0 ? 'less than a day' : days === 1 ? 'a day' : `${days} days`)
