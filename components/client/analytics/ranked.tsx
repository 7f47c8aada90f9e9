'use client'

import { ArrowDown, ArrowUp } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import type { Token } from '@/server/x402/networks/assets'
import { cx } from '../../ui/class-names'
import { Aligned, moneyText, placesOf, shareText } from '../../ui/figures'
import { Pill } from '../../ui/pill'
import { type Column, Table } from '../../ui/table'
import { ColumnTime, useColumnZone } from '../time'

/** A row of a table of leaders. */
export type RankedRow = {
  key: string
  name: ReactNode
  note?: ReactNode
  /** Attempts, of which `good` settled. */
  count: number
  good: number
  /** Atomic units. */
  volume: string
  last?: string
}

type Figure = 'count' | 'rate' | 'volume' | 'last'

const TITLES: Record<Figure, string> = { count: 'Attempts', rate: 'Success rate', volume: 'Volume', last: 'Last seen' }

/** As many rows stand in for those that load, so that nothing moves. */
const SHOWN = 5
/** The server sends leaders by count, volume and failures. Further rows would have gaps. */
const MOST = 20

const ORDERS: Record<Figure, (one: RankedRow, other: RankedRow) => number> = {
  count: (one, other) => one.count - other.count,
  rate: (one, other) => one.good / one.count - other.good / other.count || one.count - other.count,
  volume: (one, other) => compare(BigInt(one.volume), BigInt(other.volume)),
  last: (one, other) => compare(one.last ?? '', other.last ?? ''),
}

const compare = <Value extends bigint | string>(one: Value, other: Value) => (one < other ? -1 : one > other ? 1 : 0)

type Props = {
  what: string
  first: string
  rows: readonly RankedRow[] | undefined
  token: Token
  empty: string
  withLast?: boolean
}

/** A table of leaders. A click on a column sorts by it, a second one the other way round. */
export function Ranked({ what, first, rows, token, empty, withLast = false }: Props) {
  const [{ by, ascending }, sort] = useState<{ by: Figure; ascending: boolean }>({ by: 'count', ascending: false })
  const [all, setAll] = useState(false)
  const zone = useColumnZone(rows?.flatMap(({ last }) => last ?? []) ?? [])
  if (rows?.length === 0) return <p className="px-4 py-6 text-soft">{empty}</p>
  const columns: Figure[] = ['count', 'rate', 'volume', ...(withLast ? (['last'] as const) : [])]
  const sorted = rows?.toSorted((one, other) => ORDERS[by](one, other) * (ascending ? 1 : -1))
  const shown = sorted?.slice(0, all ? MOST : SHOWN)
  const places = placesOf(shown?.map(({ volume }) => ({ atomic: volume, decimals: token.decimals })) ?? [])
  const cells: Record<Figure, Column<RankedRow>['cell']> = {
    count: ({ count }) => count.toLocaleString('en'),
    rate: ({ good, count }) => shareText(good / count),
    volume: ({ volume }) => <Aligned atomic={volume} decimals={token.decimals} places={places} />,
    last: ({ last }) => (last ? <ColumnTime at={last} /> : null),
  }
  const titleIn = (column: Figure) => (column === 'volume' ? `${TITLES.volume} (${token.symbol})` : TITLES[column])
  const columnOf = (column: Figure): Column<RankedRow> => ({
    title: TITLES[column],
    head: (
      <button
        type="button"
        onClick={() => sort({ by: column, ascending: column === by && !ascending })}
        className={cx('ml-auto flex items-center gap-1 leading-5 hover:text-ink', column === by && 'text-ink')}
      >
        <Direction shown={column === by} ascending={ascending} />
        {column === 'last' ? `${TITLES.last} (${zone})` : titleIn(column)}
      </button>
    ),
    sorted: column !== by ? 'none' : ascending ? 'ascending' : 'descending',
    headClass: 'text-right align-middle whitespace-nowrap',
    cell: cells[column],
    cellClass: cx('text-right', column === 'last' ? 'text-soft' : 'whitespace-nowrap tabular-nums'),
  })
  return (
    <>
      <div className="flex items-center justify-between px-4 pt-2.5 text-sm text-soft sm:hidden">
        {first}
        <Pill
          label={`Sort ${what.toLowerCase()} by`}
          value={by === 'count' ? '' : by}
          unset={TITLES.count}
          options={columns.map((column) => [column === 'count' ? '' : column, titleIn(column)] as const)}
          onChange={({ target }) => sort({ by: columns.find((one) => one === target.value) ?? 'count', ascending: false })}
        />
      </div>
      <Table
        label={what}
        columns={[nameColumn(first), ...columns.map(columnOf)]}
        rows={shown}
        keyOf={({ key }) => key}
        from="sm"
        cardClass="grid gap-0.5 px-4 py-2.5"
        card={(row) => <Card row={row} token={token} />}
        loading={{ count: SHOWN, row: withLast ? 'h-11' : 'h-16', card: 'm-4', shown: 'h-9' }}
      />
      {rows && rows.length > SHOWN ? (
        <button type="button" onClick={() => setAll(!all)} className="w-full py-2.5 text-center text-sm text-soft hover:text-ink">
          {all ? 'Show fewer' : rows.length > MOST ? `Show top ${MOST}` : `Show all ${rows.length}`}
        </button>
      ) : null}
    </>
  )
}

function Direction({ shown, ascending }: { shown: boolean; ascending: boolean }) {
  const Arrow = ascending ? ArrowUp : ArrowDown
  return <Arrow aria-hidden className={cx('size-3.5', !shown && 'invisible')} />
}

const nameColumn = (title: string): Column<RankedRow> => ({
  title,
  headClass: 'w-full align-middle leading-5',
  cellClass: 'w-full max-w-0 py-2.5',
  cell: ({ name, note }) => (
    <>
      <span className="block truncate">{name}</span>
      {note ? <span className="block truncate text-sm text-soft">{note}</span> : null}
    </>
  ),
})

/** A row on a phone. */
function Card({ row: { name, note, count, good, volume }, token }: { row: RankedRow; token: Token }) {
  return (
    <>
      <span className="truncate">{name}</span>
      {note ? <span className="truncate text-sm text-soft">{note}</span> : null}
      <span className="flex justify-between gap-4 text-sm tabular-nums">
        <span className="text-soft">
          {count.toLocaleString('en')} {count === 1 ? 'attempt' : 'attempts'}, {shareText(good / count)} settled
        </span>
        <span className="font-medium whitespace-nowrap">{moneyText(volume, token)}</span>
      </span>
    </>
  )
}
