'use client'

import { ArrowDown, ArrowUp } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import type { Token } from '@/server/x402/networks/assets'
import { cx } from '../../ui/class-names'
import { Aligned, moneyText, placesOf, shareText } from '../../ui/figures'
import { Skeleton } from '../../ui/panel'
import { Pill } from '../../ui/pill'
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

type Column = 'count' | 'rate' | 'volume' | 'last'

const TITLES: Record<Column, string> = { count: 'Attempts', rate: 'Success rate', volume: 'Volume', last: 'Last seen' }

/** As many rows stand in for those that load, so that nothing moves. */
const SHOWN = 5
/** The server sends leaders by count, volume and failures. Further rows would have gaps. */
const MOST = 20
const LINES = ['a', 'b', 'c', 'd', 'e']

const ORDERS: Record<Column, (one: RankedRow, other: RankedRow) => number> = {
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
  const [{ by, ascending }, sort] = useState<{ by: Column; ascending: boolean }>({ by: 'count', ascending: false })
  const [all, setAll] = useState(false)
  const zone = useColumnZone(rows?.flatMap(({ last }) => last ?? []) ?? [])
  if (rows?.length === 0) return <p className="px-4 py-6 text-soft">{empty}</p>
  const columns: Column[] = ['count', 'rate', 'volume', ...(withLast ? (['last'] as const) : [])]
  const sorted = rows?.toSorted((one, other) => ORDERS[by](one, other) * (ascending ? 1 : -1))
  const shown = sorted?.slice(0, all ? MOST : SHOWN)
  const places = placesOf(shown?.map(({ volume }) => ({ atomic: volume, decimals: token.decimals })) ?? [])
  const titleIn = (column: Column) => (column === 'volume' ? `${TITLES.volume} (${token.symbol})` : TITLES[column])
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
      <ul className="sm:hidden">
        {shown
          ? shown.map((row) => <Card key={row.key} row={row} token={token} />)
          : LINES.map((line) => <Skeleton key={line} className="m-4 h-9" />)}
      </ul>
      <table aria-label={what} className="max-sm:hidden">
        <thead>
          <tr className="border-b text-sm text-soft">
            <th scope="col" className="w-full px-4 py-2.5 align-middle leading-5 font-medium">
              {first}
            </th>
            {columns.map((column) => (
              <th
                key={column}
                scope="col"
                aria-sort={column === by ? (ascending ? 'ascending' : 'descending') : 'none'}
                className="px-3 py-2.5 text-right align-middle font-medium whitespace-nowrap last:pr-4"
              >
                <button
                  type="button"
                  onClick={() => sort({ by: column, ascending: column === by && !ascending })}
                  className={cx('ml-auto flex items-center gap-1 leading-5 hover:text-ink', column === by && 'text-ink')}
                >
                  <Direction shown={column === by} ascending={ascending} />
                  {column === 'last' ? `${TITLES.last} (${zone})` : titleIn(column)}
                </button>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {shown
            ? shown.map((row) => <RankedTableRow key={row.key} row={row} token={token} withLast={withLast} places={places} />)
            : LINES.map((line) => (
                <tr key={line} className={withLast ? 'h-11' : 'h-16'}>
                  <td colSpan={columns.length + 1} className="px-4">
                    <Skeleton />
                  </td>
                </tr>
              ))}
        </tbody>
      </table>
      {rows && rows.length > SHOWN ? (
        <button type="button" onClick={() => setAll(!all)} className="w-full py-2.5 text-center text-sm text-soft hover:text-ink">
          {all ? 'Show fewer' : `Show top ${Math.min(MOST, rows.length)}`}
        </button>
      ) : null}
    </>
  )
}

function Direction({ shown, ascending }: { shown: boolean; ascending: boolean }) {
  const Arrow = ascending ? ArrowUp : ArrowDown
  return <Arrow aria-hidden className={cx('size-3.5', !shown && 'invisible')} />
}

type RankedTableRowProps = { row: RankedRow; token: Token; withLast: boolean; places: number }

function RankedTableRow({ row: { name, note, count, good, volume, last }, token, withLast, places }: RankedTableRowProps) {
  return (
    <tr className="border-b last:border-b-0">
      <td className="w-full max-w-0 py-2.5 pr-3 pl-4">
        <span className="block truncate">{name}</span>
        {note ? <span className="block truncate text-sm text-soft">{note}</span> : null}
      </td>
      <td className="px-3 text-right whitespace-nowrap tabular-nums">{count.toLocaleString('en')}</td>
      <td className="px-3 text-right whitespace-nowrap tabular-nums">{shareText(good / count)}</td>
      <td className="px-3 text-right whitespace-nowrap tabular-nums last:pr-4">
        <Aligned atomic={volume} decimals={token.decimals} places={places} />
      </td>
      {withLast ? <td className="px-3 pr-4 text-right text-soft">{last ? <ColumnTime at={last} /> : null}</td> : null}
    </tr>
  )
}

/** A row on a phone. */
function Card({ row: { name, note, count, good, volume }, token }: Pick<RankedTableRowProps, 'row' | 'token'>) {
  return (
    <li className="grid gap-0.5 border-b px-4 py-2.5 last:border-b-0">
      <span className="truncate">{name}</span>
      {note ? <span className="truncate text-sm text-soft">{note}</span> : null}
      <span className="flex justify-between gap-4 text-sm tabular-nums">
        <span className="text-soft">
          {count.toLocaleString('en')} {count === 1 ? 'attempt' : 'attempts'}, {shareText(good / count)} settled
        </span>
        <span className="font-medium whitespace-nowrap">{moneyText(volume, token)}</span>
      </span>
    </li>
  )
}
