'use client'

import { usdc } from '../ui/figures'
import { later } from '../ui/later'
import { Panel, Skeleton } from '../ui/panel'
import { countOf, type Month, nameOf } from './month'

// Few wallets paid in several months.
const MonthBars = later(() => import('./month-bars').then((loaded) => loaded.MonthBars), <Skeleton className="h-[19rem]" />)

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
        <MonthBars months={months} />
      </div>
    </Panel>
  )
}
