'use client'

import { ArrowDown, ArrowUp, ChevronsUpDown } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Shown } from '@/server/history/present'
import { USDC } from '@/server/x402/networks/assets'
import { ColumnTime, useColumnZone } from '../../client/time'
import { cx } from '../../ui/class-names'
import { Aligned, placesOf } from '../../ui/figures'
import { openingLink } from '../../ui/opening-row'
import { STACKED_ROW } from '../../ui/resource-name'
import { useStepThrough } from '../../ui/step-through'
import { type Column, OPENS, Table } from '../../ui/table'
import { CARD_HEIGHT, Card } from './cards'
import { cells, hidingOf, isRoomy, limitText, ROOMY_RESOURCE, widths } from './cells'
import { type ColumnName, columns, isSortable, type OrderName, SORTS } from './columns'
import type { View } from './use-view'

type ListProps = {
  rows: readonly Shown[] | undefined
  arrived: ReadonlySet<string>
  /** Whether these rows are of an earlier question. */
  stale: boolean
  view: View
  onOpen: (id: string) => void
  /** A row may be opened soon. */
  onNear?: () => void
  /** The page with a settlement open, for new tabs. */
  hrefOf: (id: string) => string
}

/** Settlements that j and k step through; on a phone below a caption. */
export function SettlementList({ caption, ...props }: ListProps & { caption: ReactNode }) {
  const zone = useZoneOf(props.rows)
  return (
    <div ref={useStepThrough((opens) => props.rows?.find(({ id }) => id === opens)?.settlementId ?? opens)}>
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
export function SettlementRows({ rows, arrived, stale, view, onOpen, onNear, hrefOf }: ListProps) {
  const zone = useZoneOf(rows)
  const places = placesOf((rows ?? []).map(({ amount, decimals }) => ({ atomic: amount, decimals })))
  const near = onNear ? { near: onNear } : {}
  const openingOf = ({ id }: Shown): Opening => ({ open: () => onOpen(id), href: hrefOf(id), ...near })
  const height = view.density === 'compact' ? 'h-9 text-sm' : cx('h-11', view.columns.includes('resource') && STACKED_ROW)
  return (
    <div aria-busy={stale || !rows} className={cx('@container panel transition-opacity', stale && 'opacity-60')}>
      <Table
        columns={columnsOf(view, rows, { zone, places }, openingOf)}
        rows={rows}
        keyOf={({ id }) => id}
        opening={openingOf}
        wide
        // While rows load it is hidden, because they decide how wide its columns are.
        headClass={rows ? undefined : 'invisible'}
        rowClass={cx('has-[[data-opens]:focus-visible]:bg-code', height)}
        cardClass={CARD_HEIGHT}
        arriving={({ id }) => arrived.has(id)}
        card={(row) => <Card row={row} places={places} withOutcome={view.columns.includes('outcome')} {...openingOf(row)} />}
        loading={{ count: 8, row: cx('border-b', height), card: cx(CARD_HEIGHT, 'border-b px-4 py-5') }}
      />
    </div>
  )
}

type Opening = { open: () => void; href: string; near?: () => void }

// Where the columns that a width adds leave no room for it.
const OPENS_AT = { roomy: '@min-[52rem]:@max-[70rem]:hidden', full: '@min-[52rem]:hidden' } as const

/** The columns that the reader chose. */
function columnsOf(
  view: View,
  rows: ListProps['rows'] = [],
  { zone, places }: { zone: string; places: number },
  openingOf: (row: Shown) => Opening,
): Column<Shown>[] {
  const symbol = onlySymbol(rows)
  const longest = rows.map(({ asset }) => asset).reduce((one, other) => (other.length > one.length ? other : one), '')
  const headOf = (name: ColumnName) => {
    if (name === 'time') return <Sorter name={name} view={view} title={`${columns.time} (${zone})`} />
    if (name === 'amount') return <Sorter name={name} view={view} title={symbol ?? columns.amount} />
    // Without a transaction its cell says why, unless another column does.
    return name === 'transaction' && !view.columns.includes('reason') && rows.some(({ success }) => !success)
      ? 'Transaction or reason'
      : columns[name]
  }
  const cellOf = (name: ColumnName, row: Shown) => {
    if (name === 'time') return <OpeningTime row={row} {...openingOf(row)} />
    if (name === 'amount') return <Amount row={row} places={places} units={symbol === null ? longest : null} />
    return cells[name](row, view.columns)
  }
  const hidden = (name: ColumnName) => view.isUsual && hidingOf(name, view.columns)
  const roomy = view.isUsual && isRoomy(view.columns)
  // Its end is near the start of the next column.
  const apart = (name: ColumnName) => name === 'amount' && roomy && '@min-[70rem]:pr-7'
  const named = view.columns.map(
    (name): Column<Shown> => ({
      title: columns[name],
      head: headOf(name),
      sorted: sortOf(name, view.sort),
      headClass: cx(
        'whitespace-nowrap',
        name === 'resource' && (roomy ? 'w-full @min-[70rem]:w-auto' : 'w-full'),
        apart(name),
        hidden(name),
      ),
      cell: (row) => cellOf(name, row),
      cellClass: cx(name === 'resource' && roomy ? ROOMY_RESOURCE : widths[name], apart(name), hidden(name)),
    }),
  )
  const opensAt = OPENS_AT[roomy ? 'roomy' : 'full']
  return view.isUsual ? [...named, { ...OPENS, headClass: opensAt, cellClass: opensAt }] : named
}

function sortOf(name: ColumnName, sort: OrderName): Column<Shown>['sorted'] {
  if (!isSortable(name)) return undefined
  const { first, second } = SORTS[name]
  return sort === first ? 'descending' : sort === second ? 'ascending' : 'none'
}

function Sorter({ name, view, title }: { name: keyof typeof SORTS; view: View; title: string }) {
  const { first, second } = SORTS[name]
  const Icon = view.sort === first ? ArrowDown : view.sort === second ? ArrowUp : ChevronsUpDown
  const next = view.sort === first ? second : first
  return (
    <button
      type="button"
      title={`Order by ${next} first`}
      onClick={() => view.order(next)}
      // The title of figures ends where they end, so its icon stands before it.
      className={cx('flex items-center gap-1 rounded hover:text-ink', name === 'amount' && 'ml-auto flex-row-reverse')}
    >
      {title}
      <Icon aria-hidden className="size-3.5" />
    </button>
  )
}

/** The one token of all amounts, whose name stands above them; null if there are several. */
function onlySymbol(rows: readonly Shown[]): string | null {
  const symbols = new Set(rows.map(({ asset }) => asset))
  return symbols.size > 1 ? null : ([...symbols][0] ?? USDC.symbol)
}

function OpeningTime({ row, open, href }: Opening & { row: Shown }) {
  return (
    <a
      {...openingLink(open, href)}
      data-opens={row.id}
      className="scroll-mt-14 py-2 max-lg:scroll-mt-28 text-ink no-underline hover:underline"
    >
      <ColumnTime at={row.createdAt} />
    </a>
  )
}

// Each symbol is as wide as the longest, so that the points of the column align.
const UNIT =
  'inline-grid text-left font-normal text-soft after:invisible after:h-0 after:overflow-hidden after:content-[attr(data-longest)]'

type AmountProps = {
  row: Shown
  places: number
  /** The longest symbol of a column with amounts of several tokens, each of which names its own; null with one token. */
  units: string | null
}

function Amount({ row: { success, amount, maximum, decimals, asset }, places, units }: AmountProps) {
  return (
    <span className={cx('whitespace-nowrap', maximum !== null && 'block py-1.5', !success && 'font-normal text-soft')}>
      <Aligned atomic={amount} decimals={decimals} places={places} />
      {units === null ? null : (
        <>
          {' '}
          <span data-longest={units} className={UNIT}>
            {asset}
          </span>
        </>
      )}
      {maximum === null ? null : <span className="block text-xs/3.5 font-normal text-soft">{limitText(maximum, decimals)}</span>}
    </span>
  )
}
