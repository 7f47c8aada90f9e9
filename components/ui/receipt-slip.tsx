import type { ReactNode } from 'react'
import { Mark } from './brand'
import { cx } from './class-names'

type SlipProps = { word: string; label: string; mark?: ReactNode; children: ReactNode }

/** A narrow slip of paper with the torn edge of the logo. `word` says what it is, next to a mark. */
export function Slip({ word, label, mark, children }: SlipProps) {
  return (
    <article
      aria-label={label}
      className="mx-auto w-full max-w-[27rem] drop-shadow-[0_6px_14px_var(--shade)] print:drop-shadow-none"
    >
      <div className="grid grid-cols-1 gap-5 rounded-t-lg border border-b-0 bg-raised px-5 pt-5 pb-6 sm:px-7">
        <header className="flex items-center justify-between gap-3 text-sm">
          <span className="flex items-center gap-2 font-semibold tracking-tight">
            <Mark className="size-5" /> Quittance
          </span>
          <span className="flex items-center gap-3 text-soft">
            {mark}
            {word}
          </span>
        </header>
        {children}
      </div>
      <div aria-hidden className="torn" />
    </article>
  )
}

const TONES = { good: 'text-accent', warn: 'text-warn', bad: 'text-bad' } as const
export type StampTone = keyof typeof TONES

/** The state of a payment as a stamp on paper. `date`: a large one with the day of the stamp below its word. */
export function Stamp({ tone, date, children }: { tone: StampTone; date?: string; children: ReactNode }) {
  return (
    <span
      className={cx(
        'inline-grid -rotate-6 justify-items-center border-current font-bold uppercase',
        date
          ? 'rounded-lg border-5 border-double px-2 py-1 text-sm sm:px-3 sm:text-base leading-tight tracking-[0.14em]'
          : 'rounded-md border-2 px-2.5 py-0.5 text-sm tracking-[0.12em]',
        TONES[tone],
      )}
    >
      {children}
      {date ? <span className="text-[0.65rem] font-semibold tracking-[0.08em] tabular-nums">{date}</span> : null}
    </span>
  )
}

type Sum = { amount: string; symbol: string; stamps: ReactNode }

/** The amount of a slip in the numerals of a ledger, with its stamps. */
export function SlipSum({ amount, symbol, stamps }: Sum) {
  return (
    <p className="flex flex-wrap items-center justify-between gap-x-4 gap-y-3 border-y border-dashed py-4">
      <span className="min-w-0 text-3xl leading-none sm:text-[2.6rem] font-semibold tracking-[-0.03em] wrap-anywhere slashed-zero tabular-nums">
        {amount} <span className="text-lg font-normal tracking-normal text-soft">{symbol}</span>
      </span>
      <span className="ml-auto flex flex-wrap items-center gap-2">{stamps}</span>
    </p>
  )
}

/** The named lines of a slip. */
export function SlipLines({ children }: { children: ReactNode }) {
  return <dl className="grid grid-cols-1 gap-2.5 text-md">{children}</dl>
}

/** A line of a slip. */
export function SlipLine({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="grid grid-cols-[6rem_minmax(0,1fr)] items-baseline gap-3 print:break-inside-avoid">
      <dt className="text-soft">{name}</dt>
      <dd className="min-w-0 wrap-anywhere">{children}</dd>
    </div>
  )
}

/** A slip in a row of several: what was paid for, the amount and a line below them. */
export function SmallSlip({ head, sum, foot }: { head: ReactNode; sum: ReactNode; foot: ReactNode }) {
  return (
    <article className="flex h-full flex-col drop-shadow-[0_3px_8px_var(--shade)]">
      <div className="flex grow flex-col gap-3 rounded-t-lg border border-b-0 bg-raised px-4 pt-4 pb-3">
        <div className="grid min-w-0">{head}</div>
        <div className="mt-auto border-y border-dashed py-3">{sum}</div>
        <div className="grid gap-0.5 text-sm text-soft">{foot}</div>
      </div>
      <div aria-hidden className="torn" />
    </article>
  )
}
