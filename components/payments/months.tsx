'use client'

import { useId, useState } from 'react'
import { cx } from '../ui/class-names'
import { usdc } from '../ui/figures'

/** The payments of a month (`2026-11`); the amount is in atomic units. */
export type Month = { month: string; payments: number; amount: string }

/** A bar for each month; the figures of the hovered or newest month stand above. */
export function Months({ months }: { months: Month[] }) {
  const [at, setAt] = useState<number | null>(null)
  const id = useId()
  const amounts = months.map(({ amount }) => BigInt(amount))
  const [most = 0n] = amounts.toSorted((one, other) => (one < other ? 1 : -1))
  const shown = months[at ?? months.length - 1]
  const total = amounts.reduce((sum, amount) => sum + amount, 0n)
  return (
    <figure className="grid gap-3">
      <div className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1">
        <p className="m-0 text-[1.6rem] leading-tight font-semibold tracking-tight tabular-nums">
          {usdc(shown?.amount ?? '0')} <span className="text-base font-normal text-soft">USDC in {nameOf(shown?.month)}</span>
        </p>
        <p className="m-0 text-[0.8125rem] text-soft tabular-nums">
          {countOf(shown?.payments ?? 0)} · {usdc(String(total))} USDC in 12 months
        </p>
      </div>
      <ol className="flex h-32 items-stretch gap-1.5 sm:gap-3" aria-hidden onPointerLeave={() => setAt(null)}>
        {months.map(({ month, amount }, index) => (
          <li key={month} className="grid min-w-0 grow basis-0 grid-rows-[1fr_auto] gap-1.5" onPointerEnter={() => setAt(index)}>
            <span className="flex items-end border-0 border-b border-solid border-line">
              <span
                className={cx('w-full rounded-t', index === (at ?? months.length - 1) ? 'bg-accent' : 'bg-accent/45')}
                style={{ height: `${heightOf(BigInt(amount), most)}%` }}
              />
            </span>
            <span className="text-center text-xs text-soft">
              <span className="max-sm:hidden">{shortName(month)}</span>
              <span className="sm:hidden">{shortName(month).slice(0, 1)}</span>
            </span>
          </li>
        ))}
      </ol>
      <table className="sr-only" aria-labelledby={id}>
        <caption id={id}>Spending per month (USDC)</caption>
        <tbody>
          {months.map(({ month, amount, payments }) => (
            <tr key={month}>
              <th scope="row">{nameOf(month)}</th>
              <td>{usdc(amount)}</td>
              <td>{countOf(payments)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </figure>
  )
}

// Computed in bigint: atomic amounts exceed safe integers. Small amounts stay visible.
function heightOf(amount: bigint, most: bigint): number {
  if (amount === 0n || most === 0n) return 0
  return Math.max(2, Number((amount * 1_000n) / most) / 10)
}

const countOf = (payments: number) => `${payments.toLocaleString('en')} ${payments === 1 ? 'payment' : 'payments'}`

const format = (month: string, form: Intl.DateTimeFormatOptions) =>
  new Date(`${month}-01T00:00:00Z`).toLocaleDateString('en', { ...form, timeZone: 'UTC' })

const nameOf = (month: string | undefined) => (month ? format(month, { month: 'long', year: 'numeric' }) : '')
const shortName = (month: string) => format(month, { month: 'short' })
