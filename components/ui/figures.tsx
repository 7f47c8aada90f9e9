import { ArrowDown, ArrowUp } from 'lucide-react'
import type { ReactNode } from 'react'
import { cx } from './class-names'
import { Skeleton } from './panel'

/** Atomic units as an exact USDC amount: "1000" is "0.001". */
export function usdc(atomic: string): string {
  const digits = atomic.padStart(7, '0')
  const fraction = digits.slice(-6).replace(/0+$/, '')
  const whole = BigInt(digits.slice(0, -6)).toLocaleString('en')
  return fraction ? `${whole}.${fraction}` : whole
}

/** A share as a percentage with at most one decimal, rounded down so that any failure shows. */
export function percent(share: number): string {
  const floored = Math.floor(share * 1_000) / 10
  return `${floored.toLocaleString('en', { maximumFractionDigits: 1 })}%`
}

/** The relative change since the previous period; null without one. */
export type Change = number | null

/** A figure with its label and its change. */
export function Figure({
  label,
  value,
  unit,
  change,
  hint,
}: {
  label: string
  value: ReactNode
  unit?: string
  change?: Change | undefined
  hint?: string
}) {
  return (
    <div className="grid min-w-0 content-start gap-1 rounded-xl border border-solid border-line bg-card px-4 py-3.5">
      <dt className="text-[0.8125rem] text-soft">{label}</dt>
      <dd className="flex min-w-0 flex-wrap items-baseline gap-x-1.5">
        <span className="text-xl leading-tight font-semibold tracking-tight wrap-anywhere tabular-nums sm:text-[1.6rem]">
          {value ?? <Skeleton className="my-1 h-7 w-24" />}
        </span>
        {unit ? <span className="text-soft">{unit}</span> : null}
      </dd>
      <dd className="min-h-5 text-[0.8125rem] text-soft">{change === undefined ? hint : <Changed change={change} />}</dd>
    </div>
  )
}

function Changed({ change }: { change: Change }) {
  if (change === null) return 'No previous period'
  if (change === 0) return 'No change'
  const Arrow = change > 0 ? ArrowUp : ArrowDown
  return (
    <span className={cx('inline-flex items-center gap-0.5', change > 0 ? 'text-accent' : 'text-bad')}>
      <Arrow aria-hidden className="size-3.5" />
      {Math.abs(change) >= 10 ? 'Over 10×' : `${(Math.abs(change) * 100).toLocaleString('en', { maximumFractionDigits: 1 })}%`}
      <span className="text-soft max-sm:sr-only">&nbsp;vs. previous period</span>
    </span>
  )
}
