'use client'

import { useQuery } from '@tanstack/react-query'
import type { Environment } from '@/server/x402/networks'
import { eachDay } from '../charts/each-day'
import { Sparkline } from '../charts/sparkline'
import { useTRPC } from '../data/trpc'
import { Skeleton } from '../ui/panel'

const DAYS = 30
const WEEK = 7
const MINUTE_MS = 60_000

type Props = { environment: Environment; left: number; keepsHistory: boolean }

/** An agent's settlements of 30 days, and how long its credits last at the rate of the last week. */
export function CreditsOverTime({ environment, left, keepsHistory }: Props) {
  const trpc = useTRPC()
  const { data } = useQuery(trpc.activity.ofAgent.queryOptions({ environment }, { refetchInterval: MINUTE_MS }))
  if (!keepsHistory) return <p className="m-0 text-soft">History is off, so there is no use over time to show.</p>
  if (!data) return <Skeleton className="h-12 w-60" />
  const days = eachDay(
    data.flatMap((key) => key.days),
    DAYS,
  )
  const week = days.slice(-WEEK).reduce((sum, { count }) => sum + count, 0)
  const lasts = daysLeft(left, week)
  return (
    <>
      <Sparkline size="wide" days={days} what="settlements in 30 days" />
      <p className="m-0 text-[0.8125rem] text-soft">
        {week === 0
          ? 'No settlements in the last 7 days.'
          : `${week.toLocaleString('en')} ${week === 1 ? 'settlement' : 'settlements'} in the last 7 days${lasts === null ? '' : `; credits last about ${daysText(lasts)}`}.`}
      </p>
    </>
  )
}

/** Whole days that credits last at the rate of a week; null if nothing was used, or for over a year. */
export function daysLeft(left: number, week: number): number | null {
  const days = week === 0 ? Number.POSITIVE_INFINITY : Math.floor((left * WEEK) / week)
  return days > 365 ? null : days
}

const daysText = (days: number) => (days === 0 ? 'less than a day' : days === 1 ? 'a day' : `${days} days`)
