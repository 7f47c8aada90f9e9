'use client'

import { amounts, drawn } from '../charts/scales'
import type { Series } from '../charts/series'
import { usdc } from '../ui/figures'
import { later } from '../ui/later'
import { Panel, Skeleton } from '../ui/panel'

// Few wallets paid in several months.
const Chart = later(() => import('../charts/chart').then((loaded) => loaded.Chart), <Skeleton className="h-[19rem]" />)

/** The payments of a month (`2026-11`); the amount is in atomic units. */
export type Month = { month: string; payments: number; amount: string }

const SERIES: Series[] = [{ key: 'amount', name: 'Spending (USDC)', color: 'var(--accent)', form: 'bar' }]

/** The spending of the newest month and of all months, with a bar for each if there are payments in several; one line if in one. */
export function Months({ months }: { months: readonly Month[] }) {
  const used = months.filter(({ payments }) => payments > 0)
  const newest = used.length > 1 ? months.at(-1) : used.at(-1)
  if (!newest || used.length === 0) return null
  if (used.length === 1) {
    return (
      <p className="mb-4 text-soft">
        Spent in {nameOf(newest.month)}: <span className="font-medium text-ink tabular-nums">{usdc(newest.amount)} USDC</span>,{' '}
        {countOf(newest.payments)}
      </p>
    )
  }
  const total = months.reduce((sum, { amount }) => sum + BigInt(amount), 0n)
  const points = months.map(({ month, amount, payments }) => ({
    ...{ key: month, tick: shortName(month), title: nameOf(month), partial: month === newest.month },
    values: { amount: drawn(BigInt(amount)) },
    shown: { amount: `${usdc(amount)} USDC, ${countOf(payments)}` },
  }))
  return (
    <Panel title="Spending per month" className="mb-4">
      <div className="grid gap-3 p-4">
        <div className="flex min-h-9 flex-wrap items-baseline justify-between gap-x-6 gap-y-1">
          <p className="m-0 text-[1.6rem] leading-tight font-semibold tracking-tight tabular-nums">
            {usdc(newest.amount)}{' '}
            <span className="text-base font-normal tracking-normal text-soft">
              USDC in {nameOf(newest.month)}, {countOf(newest.payments)}
            </span>
          </p>
          <p className="m-0 text-[0.8125rem] text-soft tabular-nums">Last 12 months: {usdc(String(total))} USDC</p>
        </div>
        <Chart what="Spending per month (USDC)" series={SERIES} points={points} scale={amounts} />
      </div>
    </Panel>
  )
}

const countOf = (payments: number) => `${payments.toLocaleString('en')} ${payments === 1 ? 'payment' : 'payments'}`

const format = (month: string, form: Intl.DateTimeFormatOptions) =>
  new Date(`${month}-01T00:00:00Z`).toLocaleDateString('en', { ...form, timeZone: 'UTC' })

const nameOf = (month: string) => format(month, { month: 'long', year: 'numeric' })
const shortName = (month: string) => format(month, { month: 'short' })
