import type { ReactNode } from 'react'
import { cx } from '../../ui/class-names'
import { Skeleton } from '../../ui/panel'

/** Figures above their course; beside it where there is room. */
export function Spending({ course, children }: { course: ReactNode; children: ReactNode }) {
  return (
    <section aria-label="Spending" className="@container min-w-0 panel">
      <div className={cx('grid gap-x-8 gap-y-4 p-4', course !== null && '@3xl:grid-cols-[15rem_minmax(0,1fr)]')}>
        <dl
          className={cx(
            'grid grid-cols-2 content-start gap-x-4 gap-y-3',
            // An odd one takes a line of its own.
            'max-sm:*:first:nth-last-[3]:col-span-full sm:flex sm:*:flex-1',
            course !== null && '@3xl:grid @3xl:grid-cols-1',
          )}
        >
          {children}
        </dl>
        {course}
      </div>
    </section>
  )
}

/** The room that a wallet's spending most often takes. */
export function Loading() {
  return (
    <Spending
      course={
        <Bars name="By month">
          <Skeleton className="h-43" />
        </Bars>
      }
    >
      <Tile name="This month" note=" " size={FIRST}>
        <Skeleton className="my-1 h-7 w-24" />
      </Tile>
      <Tile name="Last 12 months" note=" ">
        <Skeleton className="my-1 h-5 w-20" />
      </Tile>
    </Spending>
  )
}

/** A course of time under its name. */
export function Bars({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="grid min-w-0 content-start gap-2">
      <p className="text-sm text-soft">{name}</p>
      {children}
    </div>
  )
}

/** The size of the first figure. */
export const FIRST = 'text-3xl leading-9'

export type TileProps = { name: string; note?: string; size?: string; children: ReactNode }

/** A figure of a wallet's spending; its size says its rank. */
export function Tile({ name, note, size = 'text-xl leading-7', children }: TileProps) {
  return (
    // The lines of neighbors align at any size of their figures.
    <div className="grid min-w-0 grid-rows-[1fr_auto_auto] gap-0.5">
      <dt className="text-sm text-soft">{name}</dt>
      <dd className={cx('min-h-7 font-semibold tracking-tight wrap-anywhere tabular-nums', size)}>{children}</dd>
      {note ? <dd className="min-h-5 text-sm text-soft">{note}</dd> : null}
    </div>
  )
}
