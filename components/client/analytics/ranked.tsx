'use client'

import { ArrowDown, ArrowUp } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import type { Token } from '@/server/x402/networks/assets'
import { Course } from '../../ui/chart/course'
import { cx } from '../../ui/class-names'
import { Aligned, moneyText, placesOf } from '../../ui/figures'
import { countedText } from '../../ui/list-summary'
import { Pill } from '../../ui/pill'
import { type Column, Table } from '../../ui/table'
import { ColumnTime, useColumnZone } from '../time'
import { ChangedVolume } from './changed-volume'
import { ShareBar, ShareFigure, shareOf } from './line-list'

/** A row of a table of leaders. */
export type RankedRow = {
  key: string
  name: ReactNode
  note?: ReactNode
  /** Of a resource: a phone shows it below the path. */
  host?: string
  /** Attempts, of which `good` settled. */
  count: number
  good: number
  /** Atomic units. */
  volume: string
  /** The volume of the period before; null if unknown. */
  before: string | null
  /** The course of the volume: percents of its highest. */
  course?: readonly number[]
  last?: string
}

type Figure = 'volume' | 'count' | 'failed' | 'last'

const TITLES: Record<Figure, string> = { volume: 'Volume', count: 'Attempts', failed: 'Failed', last: 'Last seen' }

/** As many rows stand in for those that load, so that nothing moves. */
const SHOWN = 5
/** The server sends leaders by count, volume and failures. Further rows would have gaps. */
const MOST = 20

const ORDERS: Record<Figure, (one: RankedRow, other: RankedRow) => number> = {
  volume: (one, other) => compare(BigInt(one.volume), BigInt(other.volume)) || one.count - other.count,
  count: (one, other) => one.count - other.count,
  failed: (one, other) => failedOf(one) - failedOf(other) || other.count - one.count,
  last: (one, other) => compare(one.last ?? '', other.last ?? ''),
}

const failedOf = ({ count, good }: RankedRow): number => count - good

const compare = <Value extends bigint | string>(one: Value, other: Value) => (one < other ? -1 : one > other ? 1 : 0)

type Props = {
  what: string
  first: string
  rows: readonly RankedRow[] | undefined
  token: Token
  /** The volume of all, of which each row has a share. Atomic units. */
  total: string
  /** Whether the rows are compared with a period before. */
  compared: boolean
  empty: string
  withCourse?: boolean
  withLast?: boolean
}

/** A table of leaders, by volume first. A click on a column sorts by it, a second one the other way round. */
export function Ranked({ what, first, rows, token, total, compared, empty, withCourse = false, withLast = false }: Props) {
  const [{ by, ascending }, sort] = useState<{ by: Figure; ascending: boolean }>({ by: 'volume', ascending: false })
  const [all, setAll] = useState(false)
  const zone = useColumnZone(rows?.flatMap(({ last }) => last ?? []) ?? [])
  if (rows?.length === 0) return <p className="px-4 py-3 text-soft">{empty}</p>
  const sortable: Figure[] = ['volume', 'count', 'failed', ...(withLast ? (['last'] as const) : [])]
  const sorted = rows?.toSorted((one, other) => ORDERS[by](one, other) * (ascending ? 1 : -1))
  const shown = sorted?.slice(0, all ? MOST : SHOWN)
  const places = placesOf(shown?.map(({ volume }) => ({ atomic: volume, decimals: token.decimals })) ?? [])
  const cells: Record<Figure, Column<RankedRow>['cell']> = {
    volume: ({ volume }) => <Aligned atomic={volume} decimals={token.decimals} places={places} />,
    count: ({ count }) => count.toLocaleString('en'),
    failed: (row) => failedOf(row).toLocaleString('en'),
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
  const [volume, ...rest] = sortable.map(columnOf)
  const columns = [
    nameColumn(first),
    ...(withCourse ? [COURSE] : []),
    shareColumn(total),
    ...(volume ? [volume] : []),
    ...(compared ? [CHANGE] : []),
    ...rest,
  ]
  return (
    <>
      <div className="flex items-center justify-between px-4 pt-2.5 text-sm text-soft sm:hidden">
        {first}
        <Pill
          label={`Sort ${what.toLowerCase()} by`}
          value={by === 'volume' ? '' : by}
          unset={titleIn('volume')}
          options={sortable.map((column) => [column === 'volume' ? '' : column, titleIn(column)] as const)}
          onChange={({ target }) => sort({ by: sortable.find((one) => one === target.value) ?? 'volume', ascending: false })}
        />
      </div>
      <Table
        label={what}
        columns={columns}
        rows={shown}
        keyOf={({ key }) => key}
        from="sm"
        cardClass="grid grid-cols-1 gap-1 px-4 py-2.5"
        card={(row) => <Card row={row} token={token} total={total} compared={compared} />}
        loading={{ count: SHOWN, row: withLast ? 'h-11' : 'h-16', card: 'm-4', shown: 'h-9' }}
      />
      {rows && rows.length > SHOWN ? (
        <button
          type="button"
          onClick={() => setAll(!all)}
          className="w-full border-t py-2.5 text-center text-sm text-soft hover:text-ink"
        >
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

// Room for it is only on wide screens.
const WIDE = 'max-xl:hidden'

const COURSE: Column<RankedRow> = {
  title: 'Trend',
  headClass: cx(WIDE, 'align-middle'),
  cellClass: WIDE,
  cell: ({ course = [] }) => <Course heights={course} />,
}

const shareColumn = (total: string): Column<RankedRow> => ({
  title: 'Share',
  headClass: cx(WIDE, 'align-middle'),
  cellClass: WIDE,
  cell: ({ volume }) => <ShareFigure share={shareOf(volume, total)} className="w-36" />,
})

const CHANGE: Column<RankedRow> = {
  title: 'Change',
  headClass: 'max-md:hidden align-middle text-right',
  cellClass: 'max-md:hidden text-right whitespace-nowrap tabular-nums',
  cell: ({ volume, before }) => <ChangedVolume now={volume} before={before} />,
}

type CardProps = { row: RankedRow } & Pick<Props, 'token' | 'total' | 'compared'>

/** A row on a phone. */
function Card({ row: { name, note, host, count, good, volume, before }, token, total, compared }: CardProps) {
  return (
    <>
      <span className="flex items-baseline justify-between gap-4">
        <span className={cx('min-w-0 truncate', host && '[&_[data-host]]:hidden')}>{name}</span>
        <span className="font-medium whitespace-nowrap tabular-nums">{moneyText(volume, token)}</span>
      </span>
      {(host ?? note) ? <span className="truncate text-sm text-soft">{host ?? note}</span> : null}
      <ShareBar share={shareOf(volume, total)} tone="good" />
      <span className="flex justify-between gap-4 text-sm text-soft tabular-nums">
        <span className="min-w-0 truncate">
          {host && note ? <>{note} · </> : null}
          {countedText(count, 'attempt')}, {(count - good).toLocaleString('en')} failed
        </span>
        {compared ? (
          <span className="shrink-0">
            <ChangedVolume now={volume} before={before} />
          </span>
        ) : null}
      </span>
    </>
  )
}
