import type { ReactNode } from 'react'
import { cx } from './class-names'
import { Skeleton } from './panel'

/** The titles of a list whose rows have columns, on wide screens. Screen readers hear no columns, so they are hidden from them. */
export function ListTitles({ columns, children }: { columns: string; children: ReactNode }) {
  return (
    <div aria-hidden className={cx('hidden gap-x-6 border-b px-4 py-2.5 text-sm font-medium text-soft xl:grid', columns)}>
      {children}
    </div>
  )
}

type LoadingProps = {
  count: number
  /** Classes of a row. */
  row?: string | undefined
  /** Classes of what a row shows. */
  className?: string | undefined
}

/** Rows of a list that stand in for those that load. */
export function LoadingRows({ count, row = 'border-b px-4 py-3 last:border-b-0', className }: LoadingProps) {
  return keysOf(count).map((key) => (
    <li key={key} className={row}>
      <Skeleton className={className} />
    </li>
  ))
}

/** The keys of rows that have no data yet. */
export function keysOf(count: number): string[] {
  return Array.from({ length: count }, (_, at) => `line ${at}`)
}
