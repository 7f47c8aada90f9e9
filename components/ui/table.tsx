import type { ReactNode } from 'react'
import { cx } from './class-names'
import { keysOf, LoadingRows } from './list'
import { openingRow } from './opening-row'
import { Skeleton } from './panel'

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
  /** Classes of its head and of its cells. */
  headClass?: string | undefined
  cellClass?: string | undefined
}

type Props<Row> = {
  columns: readonly Column<Row>[]
  /** Undefined while they load. */
  rows: readonly Row[] | undefined
  keyOf: (row: Row) => string
  /** The gap between columns. */
  gap?: keyof typeof GAPS
  /** A card stands for each row on a phone. */
  card: (row: Row) => ReactNode
  /** Opens a row as a whole, here or at its address in a new tab. */
  opening?: (row: Row) => { open: () => void; href?: string }
  /** Whether it scrolls sideways: then what has the focus in it scrolls it. */
  scrolls?: boolean
  className?: string
  rowClass?: string
  cardClass?: string
  /** How many rows stand in for those that load, with the classes of a row and of a card. */
  loading?: { count: number; row: string; card: string }
}

const GAPS = { wide: 'px-3 first:pl-4 last:pr-4', narrow: 'px-2 first:pl-4' } as const

const LINE = 'border-b last:border-b-0'

/** A table; a card for each of its rows where room is short. */
export function Table<Row>({ scrolls = false, className, ...props }: Props<Row>) {
  return (
    <>
      {scrolls ? (
        <div className="overflow-x-auto rounded-[inherit] max-md:hidden">
          <Rows {...props} className={className} />
        </div>
      ) : (
        <Rows {...props} className={cx('max-md:hidden', className)} />
      )}
      <Cards {...props} className="md:hidden" />
    </>
  )
}

type PartProps<Row> = Omit<Props<Row>, 'scrolls' | 'className'> & { className: string | undefined }

function Rows<Row>(props: PartProps<Row>) {
  const { columns, rows, keyOf, gap = 'wide', opening, className, rowClass, loading } = props
  return (
    <table className={className}>
      <thead>
        <tr className="border-b text-sm text-soft">
          {columns.map(({ title, head = title, headClass: titleClass }) => (
            <th key={title} scope="col" className={cx('py-2.5 font-medium', GAPS[gap], titleClass)}>
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
              {...(opened ? openingRow(opened.open, opened.href) : {})}
              className={cx(LINE, opened && 'cursor-pointer hover:bg-code/60', rowClass)}
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

function Cards<Row>({ rows, keyOf, card, className, cardClass, loading }: PartProps<Row>) {
  return (
    <ul className={className}>
      {rows?.map((row) => (
        <li key={keyOf(row)} className={cx(LINE, cardClass)}>
          {card(row)}
        </li>
      )) ?? <LoadingRows count={loading?.count ?? 0} row={loading?.card} />}
    </ul>
  )
}
