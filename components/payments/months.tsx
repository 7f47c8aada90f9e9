'use client'

import { Chart } from '../charts/chart'
import { amounts, drawn } from '../charts/scales'
import type { Series } from '../charts/series'
import { usdc } from '../ui/figures'
import { Skeleton } from '../ui/panel'

/** The payments of a month (`2026-11`); the amount is in atomic units. */
export type Month = { month: string; payments: number; amount: string }

const SERIES: Series[] = [{ key: 'amount', name: 'Spending (USDC)', color: 'var(--accent)', form: 'bar' }]

/** A bar for each month, with the newest month and the sum of all above. */
export function Months({ months }: { months: readonly Month[] | undefined }) {
  const newest = months?.at(-1)
  const total = months?.reduce((sum, { amount }) => sum + BigInt(amount), 0n)
  const points = months?.map(({ month, amount, payments }) => ({
    ...{ key: month, tick: shortName(month), title: nameOf(month), partial: month === newest?.month },
    values: { amount: drawn(BigInt(amount)) },
    shown: { amount: `${usdc(amount)} USDC, ${countOf(payments)}` },
  }))
  return (
    <div className="grid gap-3">
      <div className="flex min-h-9 flex-wrap items-baseline justify-between gap-x-6 gap-y-1">
        {newest && total !== undefined ? (
          <>
            <p className="m-0 text-[1.6rem] leading-tight font-semibold tracking-tight tabular-nums">
              {usdc(newest.amount)}{' '}
              <span className="text-base font-normal tracking-normal text-soft">
                USDC in {nameOf(newest.month)}, {countOf(newest.payments)}
              </span>
            </p>
            <p className="m-0 text-[0.8125rem] text-soft tabular-nums">Last 12 months: {usdc(String(total))} USDC</p>
          </>
        ) : (
          <Skeleton className="h-7 w-56" />
        )}
      </div>
      <Chart what="Spending per month (USDC)" series={SERIES} points={points} scale={amounts} />
    </div>
  )
}

const countOf = (payments: number) => `${payments.toLocaleString('en')} ${payments === 1 ? 'payment' : 'payments'}`

const format = (month: string, form: Intl.DateTimeFormatOptions) =>
  new Date(`${month}-01T00:00:00Z`).toLocaleDateString('en', { ...form, timeZone: 'UTC' })

const nameOf = (month: string) => format(month, { month: 'long', year: 'numeric' })
const shortName = (month: string) => format(month, { month: 'short' })
