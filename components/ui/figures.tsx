import type { ReactNode } from 'react'
import { displayAmount } from '@/server/x402/networks/amounts'
import { type Token, USDC } from '@/server/x402/networks/assets'
import { cx } from './class-names'
import { Skeleton } from './panel'

/** Atomic units of a token as an amount of two to six decimals: "1000" of six is "0.001", and "8400000" is "8.40". Nothing is "0". */
export function amountText(atomic: string, decimals: number): string {
  const amount = BigInt(atomic)
  if (amount === 0n) return '0'
  const [whole = '0', fraction = ''] = displayAmount(amount, decimals).split('.')
  // A tiny amount has no number before its point: "<0.000001".
  const grouped = /^\d+$/.test(whole) ? BigInt(whole).toLocaleString('en') : whole
  return `${grouped}.${fraction.padEnd(2, '0')}`
}

/** Atomic units of a token as an amount with its symbol: "0.001 USDC". */
export function moneyText(atomic: string, { symbol, decimals }: Token): string {
  return `${amountText(atomic, decimals)} ${symbol}`
}

/** The symbol beside a large number. Its line is lower, so that figures with and without one are of the same height. */
export const UNIT = 'text-sm/none font-normal tracking-normal text-soft'

/** An amount with its symbol, small and grey: the number is what is read. */
export function Money({ atomic, token: { symbol, decimals } }: { atomic: string; token: Token }) {
  return (
    <>
      {amountText(atomic, decimals)} <span className={UNIT}>{symbol}</span>
    </>
  )
}

/**
 * A sum as a headline: "$67.89", "$0.001234", "1,234.57 EURC". Two decimals from one token on; below that it is exact. "$" stands for a
 * dollar stablecoin, and no symbol follows it. Lists and prices are exact (`moneyText`).
 */
export function headlineText(atomic: string, { symbol, decimals }: Token): string {
  const text = sumText(atomic, decimals)
  return symbol.includes('USD') ? text.replace(/^<?/, '$&$$') : `${text} ${symbol}`
}

/** The number of a headline: two decimals from one token on, exact below that. */
export function sumText(atomic: string, decimals: number): string {
  const unit = 10n ** BigInt(decimals)
  const amount = BigInt(atomic)
  return amount < unit ? amountText(atomic, decimals) : amountText(String((amount * 100n + unit / 2n) / unit), 2)
}

/** An amount of USDC without its unit: what credits and limits are written in. */
export const usdc = (atomic: string): string => amountText(atomic, USDC.decimals)

/** Sums of several tokens in one text: "5.40 USDC + 1.00 EURC". */
export const volumesText = (volumes: readonly { asset: string; decimals: number; amount: string }[]): string =>
  volumes.map(({ asset, decimals, amount }) => `${amountText(amount, decimals)} ${asset}`).join(' + ')

/** An amount of a column: atomic units, and how many decimals its token has. */
type InColumn = { atomic: string; decimals: number }

/** How many decimals the finest amount of a column shows. */
export function placesOf(amounts: readonly InColumn[]): number {
  return Math.max(0, ...amounts.map((one) => fractionOf(one).length))
}

type AlignedProps = InColumn & { places: number; before?: string; className?: string }

/** An amount in a column. Grey zeros follow it, so that the points and the ends of the column align. `before` stands before the amount. */
export function Aligned({ atomic, decimals, places, before = '', className }: AlignedProps) {
  return (
    <span
      className={cx('after:text-soft/75 after:content-[attr(data-rest)]', className)}
      data-rest={restOf({ atomic, decimals }, places)}
    >
      {before}
      {amountText(atomic, decimals)}
    </span>
  )
}

/** What an amount lacks to show so many decimals: "1.5" lacks "00" to have three, "2" lacks ".000", and one with more lacks nothing. */
export function restOf(amount: InColumn, places: number): string {
  const { length } = fractionOf(amount)
  return `${length === 0 && places > 0 ? '.' : ''}${'0'.repeat(Math.max(0, places - length))}`
}

const fractionOf = ({ atomic, decimals }: InColumn): string => amountText(atomic, decimals).split('.')[1] ?? ''

/** A share as a percentage with at most one decimal, rounded down so that any failure shows. */
export function percent(share: number): string {
  const floored = Math.floor(share * 1_000) / 10
  return `${floored.toLocaleString('en', { maximumFractionDigits: 1 })}%`
}

/** A share such as a success rate, always with one decimal, so that all of them compare. Rounded down as `percent` is. */
export function shareText(share: number): string {
  return `${(Math.floor(share * 1_000) / 10).toFixed(1)}%`
}

/** A part of a whole, rounded to one decimal, so that the parts come to about 100%. Less than the whole is never 100%. */
export function partText(share: number): string {
  return share < 1 ? `${Math.min(99.9, Math.round(share * 1_000) / 10).toFixed(1)}%` : '100.0%'
}

/** Milliseconds as a short time: "850 ms", "1.2 s", "2 min 5 s". */
export function duration(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`
  if (ms < 60_000) return `${(Math.round(ms / 100) / 10).toLocaleString('en')} s`
  const seconds = Math.round(ms / 1_000)
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`
}

/** A figure with its label and a hint; an empty hint keeps its line for one that comes later. */
export function Figure({ label, value, hint }: { label: string; value: ReactNode; hint?: ReactNode }) {
  return (
    <div className="grid min-w-0 content-start gap-1 px-4 py-3.5">
      <dt className="text-sm text-soft">{label}</dt>
      <dd className="text-xl leading-tight font-semibold tracking-tight wrap-anywhere tabular-nums sm:text-[1.6rem]">
        {value ?? <Skeleton className="my-1 h-7 w-24" />}
      </dd>
      {hint === undefined ? null : <dd className="min-h-5 text-sm text-soft">{hint}</dd>}
    </div>
  )
}

/**
 * A change since the previous period: a share of it, or a difference of shares in percentage points. Null without a previous value.
 * `good` says which direction is better, if one is.
 */
export type Change = { by: number; unit: 'percent' | 'points'; good: 'up' | 'down' | 'neither' } | null

/** A change with its sign, in the color of its meaning. */
export function Changed({ change }: { change: NonNullable<Change> }) {
  const text = changeText(change)
  return text === null ? <span>No change</span> : <span className={toneOf(change)}>{text}</span>
}

/** The small print of a figure: its change, then what else it says. */
export function ChangedNote({ change, note }: { change?: Change | undefined; note?: string | undefined }) {
  return (
    <span className="block h-5 truncate text-sm text-soft tabular-nums">
      {change ? <Changed change={change} /> : null}
      {change && note ? ' · ' : null}
      {note}
    </span>
  )
}

/** From so much on a change says only that there was almost nothing before. */
const BEYOND = 10

function toneOf({ by, unit, good }: NonNullable<Change>): string {
  if (good === 'neither' || (unit === 'percent' && by >= BEYOND)) return 'text-soft'
  return by > 0 === (good === 'up') ? 'text-accent' : 'text-bad'
}

/** A change as text: "+12.5%", "-1.2 pts"; null for none that shows. */
export function changeText({ by, unit }: NonNullable<Change>): string | null {
  const percents = Math.round(by * 1_000) / 10
  if (percents === 0) return null
  if (unit === 'percent' && by >= BEYOND) return `Over ${BEYOND}×`
  const digits = Math.abs(percents).toLocaleString('en', { maximumFractionDigits: 1 })
  return `${percents > 0 ? '+' : '−'}${digits}${unit === 'points' ? ' pts' : '%'}`
}
