import type { ReactNode } from 'react'
import { cx } from './class-names'

type Props = {
  titles: readonly string[]
  /** The column of figures, aligned right. */
  figures?: string
  /** Columns without a visible title. */
  children?: ReactNode
}

/** The head row of a table. */
export function TableHead({ titles, figures, children }: Props) {
  return (
    <thead>
      <tr className="border-b text-sm text-soft">
        {titles.map((title) => (
          <th
            key={title}
            scope="col"
            className={cx('px-3 py-2.5 font-medium first:pl-4 last:pr-4', title === figures && 'text-right')}
          >
            {title}
          </th>
        ))}
        {children}
      </tr>
    </thead>
  )
}
