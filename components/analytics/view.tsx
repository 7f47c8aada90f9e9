import type { inferRouterOutputs } from '@trpc/server'
import Link from 'next/link'
import type { ReactNode } from 'react'
import type { Root } from '@/server/trpc/router'
import { titleOf, withoutScheme } from '../settlements/explorer'
import { causeOf, remedyFor } from '../settlements/why'
import { type Bar, Bars } from '../ui/bars'
import { cx } from '../ui/class-names'
import { type Change, Figure, percent, usdc } from '../ui/figures'
import { Empty, Panel, Skeleton } from '../ui/panel'

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000

/** Refreshes, so that a completed day appears. */
export const freshDays = { refetchInterval: MINUTE_MS } as const

type Analytics = inferRouterOutputs<Root>['merchant']['analytics']

/** Figures, chart and lists of a period. Resources link to `resources` with the filters `of`. */
export function AnalyticsView({
  analytics,
  resources,
  of = {},
  start,
}: {
  analytics: Analytics | undefined
  resources: string
  of?: Record<string, string>
  start: ReactNode
}) {
  const summary = analytics?.summary
  if (summary && summary.total_settlements === 0 && summary.prev_total_settlements === null) {
    return (
      <Panel>
        <Empty title="No completed days yet" action={start}>
          These figures cover completed days (UTC). Today’s settlements appear above and join them at midnight.
        </Empty>
      </Panel>
    )
  }
  return (
    <div className="grid gap-4">
      <h2 className="m-0 flex min-h-5 items-baseline gap-2 font-semibold">
        Completed days
        {analytics ? <span className="text-[0.8125rem] font-normal text-soft">{spanOf(analytics)}</span> : null}
      </h2>
      <dl className="-mt-1 grid grid-cols-2 gap-3 lg:grid-cols-4">
        <Figure
          label="Settlements"
          value={summary?.total_settlements.toLocaleString('en')}
          change={changed(summary?.total_settlements, summary?.prev_total_settlements)}
        />
        <Figure
          label="Success rate"
          value={summary && percent(summary.success_rate)}
          change={changed(summary?.success_rate, summary?.prev_success_rate)}
        />
        <Figure label="Volume" unit="USDC" value={summary && usdc(summary.total_volume_atomic)} change={changedVolume(summary)} />
        <Figure
          label="Unique payers"
          value={summary?.unique_payers.toLocaleString('en')}
          change={changed(summary?.unique_payers, summary?.prev_unique_payers)}
        />
      </dl>
      <Panel title="Settlements by day">
        <div className="p-4">
          {analytics ? <Bars bars={eachDay(analytics)} what="Settlements by day" /> : <Skeleton className="h-[14.25rem]" />}
        </div>
      </Panel>
      <div className="grid gap-4 lg:grid-cols-2">
        <Panel title="Top resources" className="lg:col-span-2">
          <List
            lines={analytics?.top_resources.map((one) => ({
              ...lineOf(one),
              // Without a resource the link would show all settlements.
              ...(one.resource
                ? { href: `${resources}?${new URLSearchParams({ ...of, resource: one.resource, network: one.network })}` }
                : {}),
            }))}
            empty="No paid resources."
          />
        </Panel>
        <Panel title="Failures">
          <List
            whole
            lines={analytics?.errors.map(({ error_reason, count }) => ({
              key: error_reason,
              name: causeOf(error_reason),
              note: remedyFor(error_reason),
              value: count.toLocaleString('en'),
              href: `/docs#reason-${error_reason}`,
            }))}
            empty="No failures."
          />
        </Panel>
        <Panel title="Networks">
          <List
            lines={analytics?.networks.map(({ network, count, total_volume_atomic }) => ({
              key: network,
              name: titleOf(network),
              note: settlementsIn(count),
              value: `${usdc(total_volume_atomic)} USDC`,
            }))}
            empty="No networks used."
          />
        </Panel>
      </div>
    </div>
  )
}

// The end date is exclusive.
function spanOf({ period: { start_date, end_date } }: Analytics): string {
  const last = new Date(Date.parse(end_date) - DAY_MS).toISOString().slice(0, 10)
  return `${start_date} to ${last} (UTC)`
}

type Line = { key: string; name: string; note: string; value: string; href?: string }

function lineOf({
  resource,
  pay_to,
  network,
  settlement_count,
  success_count,
  total_volume_atomic,
}: Analytics['top_resources'][number]): Line {
  return {
    key: `${resource} ${pay_to} ${network}`,
    name: resource ? withoutScheme(resource) : 'Unnamed',
    note: `${titleOf(network)}, ${settlementsIn(settlement_count)}, ${percent(success_count / settlement_count)} settled`,
    value: `${usdc(total_volume_atomic)} USDC`,
  }
}

const settlementsIn = (count: number) => `${count.toLocaleString('en')} ${count === 1 ? 'settlement' : 'settlements'}`

const LINES = ['a', 'b', 'c']

/** A list of figures; `whole` shows names and notes in full. */
function List({ lines, empty, whole = false }: { lines: Line[] | undefined; empty: string; whole?: boolean }) {
  const cut = whole ? '' : 'truncate'
  if (!lines) return LINES.map((line) => <Skeleton key={line} className="m-4 h-9" />)
  if (lines.length === 0) return <p className="m-0 px-4 py-6 text-soft">{empty}</p>
  return (
    <ul>
      {lines.map(({ key, name, note, value, href }) => (
        <li
          key={key}
          className="flex items-baseline justify-between gap-4 border-0 border-b border-solid border-line px-4 py-2.5 last:border-b-0"
        >
          <span className="grid min-w-0">
            {href ? (
              <Link href={href} className={cx(cut, 'text-ink no-underline hover:text-accent hover:underline')} title={name}>
                {name}
              </Link>
            ) : (
              <span className={cut}>{name}</span>
            )}
            <span className={cx(cut, 'text-[0.8125rem] text-soft')}>{note}</span>
          </span>
          <span className="font-medium whitespace-nowrap tabular-nums">{value}</span>
        </li>
      ))}
    </ul>
  )
}

function changed(now: number | undefined, then: number | null | undefined): Change | undefined {
  if (now === undefined || then === undefined) return undefined
  return then === null || then === 0 ? null : now / then - 1
}

// Computed in bigint: atomic amounts exceed safe integers.
function changedVolume(summary: Analytics['summary'] | undefined): Change | undefined {
  if (!summary) return undefined
  const then = BigInt(summary.prev_total_volume_atomic ?? 0)
  if (then === 0n) return null
  return Number((BigInt(summary.total_volume_atomic) * 10_000n) / then - 10_000n) / 10_000
}

type Days = {
  period: { start_date: string; end_date: string }
  timeseries: { date: string; success_count: number; failed_count: number; total_volume_atomic: string }[]
}

/** A bar for every day of a period, including empty days. */
function eachDay({ period, timeseries }: Days): Bar[] {
  const known = new Map(timeseries.map((day) => [day.date, day]))
  const bars: Bar[] = []
  for (let at = Date.parse(period.start_date); at < Date.parse(period.end_date); at += DAY_MS) {
    const label = new Date(at).toISOString().slice(0, 10)
    const day = known.get(label)
    const [good, bad] = [day?.success_count ?? 0, day?.failed_count ?? 0]
    const note =
      good + bad === 0
        ? 'No settlements'
        : `${good.toLocaleString('en')} settled, ${bad.toLocaleString('en')} failed, ${usdc(day?.total_volume_atomic ?? '0')} USDC`
    bars.push({ label, good, bad, note })
  }
  return bars
}
