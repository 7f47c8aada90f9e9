import { ChevronRight } from 'lucide-react'
import type { ReactNode } from 'react'
import { cx } from './class-names'
import { keysOf, LoadingRows } from './list'
import { openingRow } from './opening-row'
import { Skeleton } from './panel'
import { Wide } from './wide'

/** A column of a table. */
export type Column<Row> = {
  /** It stays while the rows change. */
  title: string
  /** What its head shows, if not the title. */
  head?: ReactNode
  /** What its cell of a row shows. */
  cell: (row: Row) => ReactNode
  /** The full text of a cell that may be cut. */
  hint?: (row: Row) => string
  /** How the rows are sorted by it, where they can be. */
  sorted?: 'ascending' | 'descending' | 'none' | undefined
  /** Classes of its head and of its cells. */
  headClass?: string | undefined
  cellClass?: string | undefined
}

/** The last column of rows that open: it says so. */
export const OPENS: Column<unknown> = {
  title: 'Details',
  head: <span className="sr-only">Details</span>,
  cell: () => <ChevronRight aria-hidden className="ml-auto size-4 text-soft" />,
}

type Props<Row> = {
  /** Its name, where no heading has it. */
  label?: string
  columns: readonly Column<Row>[]
  /** Undefined while they load. */
  rows: readonly Row[] | undefined
  keyOf: (row: Row) => string
  /** The gap between columns. */
  gap?: keyof typeof GAPS
  /** On narrower screens a card stands for each row. */
  from?: keyof typeof FROM
  card: (row: Row) => ReactNode
  /** Opens a row as a whole, here or at its address in a new tab. `near`: it may open soon. */
  opening?: (row: Row) => { open: () => void; href?: string; near?: () => void }
  /** Whether its head stays in view, and it scrolls sideways where it is wider than its box. */
  wide?: boolean
  className?: string
  headClass?: string | undefined
  rowClass?: string
  cardClass?: string
  /** Whether a row came a moment ago, which shows for a while. */
  arriving?: (row: Row) => boolean
  /** How many rows stand in for those that load, with the classes of a row, of a card and of what a card shows. */
  loading?: { count: number; row: string; card: string; shown?: string }
}

const GAPS = { wide: 'px-3 first:pl-4 last:pr-4', narrow: 'px-2 first:pl-4' } as const

const FROM = {
  sm: { table: 'max-sm:hidden', cards: 'sm:hidden' },
  md: { table: 'max-md:hidden', cards: 'md:hidden' },
} as const

// Below the bar of a narrow screen. Borders of a table do not move with its head.
const STAYS = 'sticky top-0 z-10 bg-card shadow-[inset_0_-1px_var(--line)] max-lg:top-14'

const LINE = 'border-b last:border-b-0'

/** A table; a card for each of its rows where room is short. */
export function Table<Row>({ from = 'md', wide = false, className, ...props }: Props<Row>) {
  const { table, cards } = FROM[from]
  return (
    <>
      {wide ? (
        <Wide className={table}>
          <Rows {...props} headStays className={className} />
        </Wide>
      ) : (
        <Rows {...props} className={cx(table, className)} />
      )}
      <Cards {...props} className={cards} />
    </>
  )
}

type PartProps<Row> = Omit<Props<Row>, 'from' | 'wide' | 'className'> & { className: string | undefined }

function Rows<Row>({ headStays = false, ...props }: PartProps<Row> & { headStays?: boolean }) {
  const { label, columns, rows, keyOf, gap = 'wide', opening, className, headClass, rowClass, arriving, loading } = props
  return (
    <table aria-label={label} className={className}>
      <thead className={cx(headStays && STAYS, headClass)}>
        <tr className={cx('text-sm leading-5 text-soft', !headStays && 'border-b')}>
          {columns.map(({ title, head = title, sorted, headClass: titleClass }) => (
            <th key={title} scope="col" aria-sort={sorted} className={cx('py-2.5 font-medium', GAPS[gap], titleClass)}>
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows?.map((row) => {
          const opened = opening?.(row)
          return (
            <tr
              key={keyOf(row)}
              {...(opened ? openingRow(opened.open, opened.href, opened.near) : {})}
              className={cx(LINE, opened && 'cursor-pointer hover:bg-code/60', rowClass, arriving?.(row) && 'arriving')}
            >
              {columns.map(({ title, cell, hint, cellClass }) => (
                <td key={title} title={hint?.(row)} className={cx(GAPS[gap], cellClass)}>
                  {cell(row)}
                </td>
              ))}
            </tr>
          )
        }) ??
          keysOf(loading?.count ?? 0).map((key) => (
            <tr key={key} className={loading?.row}>
              <td colSpan={columns.length} className="px-4">
                <Skeleton />
              </td>
            </tr>
          ))}
      </tbody>
    </table>
  )
}

function Cards<Row>({ rows, keyOf, card, className, cardClass, arriving, loading }: PartProps<Row>) {
  return (
    <ul className={className}>
      {rows?.map((row) => (
        <li key={keyOf(row)} className={cx(LINE, cardClass, arriving?.(row) && 'arriving')}>
          {card(row)}
        </li>
      )) ?? <LoadingRows count={loading?.count ?? 0} row={loading?.card} className={loading?.shown} />}
    </ul>
  )
}
