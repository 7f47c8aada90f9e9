'use client'

import { ArrowDown, ArrowUp, ChevronsUpDown } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Shown } from '@/server/history/present'
import { USDC } from '@/server/x402/networks/assets'
import { ColumnTime, useColumnZone } from '../../client/time'
import { cx } from '../../ui/class-names'
import { Aligned, placesOf } from '../../ui/figures'
import { openingLink, openingRow } from '../../ui/opening-row'
import { Skeleton } from '../../ui/panel'
import { useStepThrough } from '../../ui/step-through'
import { Card, LoadingCards } from './cards'
import { cells, widths } from './cells'
import { type ColumnName, columns, isSortable, type OrderName, SORTS } from './columns'
import type { View } from './use-view'

export type ListProps = {
  rows: readonly Shown[] | undefined
  arrived: ReadonlySet<string>
  /** Whether these rows are of an earlier question. */
  stale: boolean
  view: View
  onOpen: (id: string) => void
  /** The page with a settlement open, for new tabs. */
  hrefOf: (id: string) => string
}

/** Settlements that j and k step through; on a phone below a caption. */
export function SettlementList({ caption, ...props }: ListProps & { caption: ReactNode }) {
  const zone = useZoneOf(props.rows)
  return (
    <div ref={useStepThrough()}>
      <p className="mb-2 flex min-h-4 justify-between gap-3 text-xs text-soft tabular-nums md:hidden">
        <span>{caption}</span>
        <span>Times in {zone}</span>
      </p>
      <SettlementRows {...props} />
    </div>
  )
}

const useZoneOf = (rows: ListProps['rows']) => useColumnZone(rows?.map(({ createdAt }) => createdAt) ?? [])

/** Settlements: a table on wide screens, cards on narrow ones. */
export function SettlementRows({ rows, arrived, stale, view, onOpen, hrefOf }: ListProps) {
  const zone = useZoneOf(rows)
  const places = placesOf(rows?.map(({ amount, decimals }) => ({ atomic: amount, decimals })) ?? [])
  const symbol = onlySymbol(rows)
  const longest = rows?.map(({ asset }) => asset).reduce((one, other) => (other.length > one.length ? other : one), '') ?? ''
  const height = view.density === 'compact' ? 'h-9 text-sm' : 'h-11'
  return (
    <div aria-busy={stale || !rows} className={cx('panel transition-opacity', stale && 'opacity-60')}>
      {/* The focus of its links scrolls it. */}
      <div className="overflow-x-auto rounded-[inherit] max-md:hidden">
        <table>
          <Head view={view} zone={zone} symbol={symbol} loading={!rows} />
          <tbody>
            {rows
              ? rows.map((row) => (
                  <SettlementRow
                    key={row.id}
                    row={row}
                    view={view}
                    onOpen={onOpen}
                    hrefOf={hrefOf}
                    height={height}
                    places={places}
                    units={symbol === null ? longest : null}
                    arriving={arrived.has(row.id)}
                  />
                ))
              : LINES.map((line) => (
                  <tr key={line} className={cx('border-b', height)}>
                    <td colSpan={view.columns.length} className="px-4">
                      <Skeleton />
                    </td>
                  </tr>
                ))}
          </tbody>
        </table>
      </div>
      <ul className="md:hidden">
        {rows ? (
          rows.map((row) => <Card key={row.id} row={row} onOpen={onOpen} hrefOf={hrefOf} arriving={arrived.has(row.id)} />)
        ) : (
          <LoadingCards />
        )}
      </ul>
    </div>
  )
}

const LINES = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']

type HeadProps = {
  view: View
  zone: string
  /** The one token of all amounts; null if there are several. */
  symbol: string | null
}

/** The head of the table. While rows load it is hidden, because they decide how wide its columns are. */
function Head({ view, zone, symbol, loading }: HeadProps & { loading: boolean }) {
  return (
    <thead className={cx(loading && 'invisible')}>
      <tr className="border-b text-sm text-soft">
        {view.columns.map((name) => (
          <th
            key={name}
            scope="col"
            aria-sort={sortOf(name, view.sort)}
            className={cx(
              'px-3 py-2.5 font-medium whitespace-nowrap first:pl-4 last:pr-4',
              name === 'amount' && 'pr-6',
              name === 'resource' && 'w-full',
            )}
          >
            {isSortable(name) ? <Sorter name={name} view={view} zone={zone} symbol={symbol} /> : headOf(name, view)}
          </th>
        ))}
      </tr>
    </thead>
  )
}

// Without a transaction its cell says why, unless another column does.
function headOf(name: ColumnName, { columns: shown }: View): string {
  return name === 'transaction' && !shown.includes('reason') ? 'Transaction or reason' : columns[name]
}

function sortOf(name: ColumnName, sort: OrderName): 'ascending' | 'descending' | 'none' | undefined {
  if (!isSortable(name)) return undefined
  const { first, second } = SORTS[name]
  return sort === first ? 'descending' : sort === second ? 'ascending' : 'none'
}

function Sorter({ name, view, zone, symbol }: HeadProps & { name: keyof typeof SORTS }) {
  const { first, second } = SORTS[name]
  const Icon = view.sort === first ? ArrowDown : view.sort === second ? ArrowUp : ChevronsUpDown
  const next = view.sort === first ? second : first
  return (
    <button
      type="button"
      title={`Order by ${next} first`}
      onClick={() => view.order(next)}
      // The title of figures ends where they end; its icon is beyond.
      className={cx('flex items-center gap-1 rounded hover:text-ink', name === 'amount' && '-mr-4.5 ml-auto')}
    >
      {name === 'time' ? `${columns.time} (${zone})` : (symbol ?? columns[name])}
      <Icon aria-hidden className="size-3.5" />
    </button>
  )
}

/** The one token of all amounts, whose name stands above them; null if there are several. */
function onlySymbol(rows: ListProps['rows']): string | null {
  const symbols = new Set(rows?.map(({ asset }) => asset))
  return symbols.size > 1 ? null : ([...symbols][0] ?? USDC.symbol)
}

// Each symbol is as wide as the longest, so that the points of the column align.
const UNIT =
  'inline-grid text-left font-normal text-soft after:invisible after:h-0 after:overflow-hidden after:content-[attr(data-longest)]'

function Amount({ row: { amount, decimals, asset }, places, units }: Pick<SettlementRowProps, 'row' | 'places' | 'units'>) {
  return (
    <span className="whitespace-nowrap">
      <Aligned atomic={amount} decimals={decimals} places={places} />
      {units === null ? null : (
        <>
          {' '}
          <span data-longest={units} className={UNIT}>
            {asset}
          </span>
        </>
      )}
    </span>
  )
}

type SettlementRowProps = Pick<ListProps, 'view' | 'onOpen' | 'hrefOf'> & {
  row: Shown
  height: string
  places: number
  /** The longest symbol of a column with amounts of several tokens, each of which names its own; null with one token. */
  units: string | null
  arriving: boolean
}

function SettlementRow({ row, view, onOpen, hrefOf, height, places, units, arriving }: SettlementRowProps) {
  const open = () => onOpen(row.id)
  const href = hrefOf(row.id)
  return (
    <tr
      {...openingRow(open, href)}
      className={cx(
        'cursor-pointer border-b last:border-b-0 hover:bg-code/60 has-[[data-opens]:focus-visible]:bg-code',
        height,
        arriving && 'arriving',
      )}
    >
      {view.columns.map((name) =>
        name === 'time' ? (
          <td key={name} className="pr-3 pl-4">
            <a {...openingLink(open, href)} data-opens={row.id} className="py-2 text-ink no-underline hover:underline">
              <ColumnTime at={row.createdAt} />
            </a>
          </td>
        ) : (
          <td key={name} className={cx('px-3 last:pr-4', widths[name])}>
            {name === 'amount' ? <Amount row={row} places={places} units={units} /> : cells[name](row, view.columns)}
          </td>
        ),
      )}
    </tr>
  )
}
