import { ChevronRight } from 'lucide-react'
import { MINUTE_MS } from '@/server/base/durations'
import { useMinute } from '../../client/clock'
import { ColumnTime, useColumnZone } from '../../client/time'
import { type Delivery, DeliveryState, type Endpoint, isTest, responseOf } from '../../client/webhook-texts'
import { cx } from '../../ui/class-names'
import { roundSpan } from '../../ui/dates'
import { moneyText } from '../../ui/figures'
import { STACKED_ROW } from '../../ui/resource-name'
import { type Column, OPENS, Table } from '../../ui/table'
import { hostOf } from '../../ui/urls'
import { ResendButton } from './resend-button'
import { amountPlaces, onlySymbol, SaidAmount, SaidOf } from './said'

type ListProps = {
  rows: readonly Delivery[]
  /** Those of a list near it: amounts of both have as many decimals. */
  beside?: readonly Delivery[]
  onOpen: (id: string) => void
  endpoints?: readonly Endpoint[]
}

/** Deliveries as a table; as cards on a phone. */
export function DeliveryList({ rows, beside = [], onOpen, endpoints = [] }: ListProps) {
  const zone = useColumnZone(rows.map(({ createdAt }) => createdAt))
  return (
    <div className="@container panel">
      <Table
        columns={columnsOf({ zone, endpoints, places: amountPlaces([...rows, ...beside]), symbol: onlySymbol(rows), onOpen })}
        rows={rows}
        keyOf={({ id }) => id}
        opening={({ id }) => ({ open: () => onOpen(id) })}
        rowClass={cx('h-12', STACKED_ROW)}
        card={(row) => <Card row={row} onOpen={onOpen} off={isOff(row, endpoints)} />}
      />
    </div>
  )
}

type Shown = {
  zone: string
  endpoints: readonly Endpoint[]
  places: number
  /** The token of all amounts; null where they differ. */
  symbol: string | null
  onOpen: (id: string) => void
}

function columnsOf({ zone, endpoints, places, symbol, onOpen }: Shown): Column<Delivery>[] {
  const webhook: Column<Delivery> = {
    title: 'Webhook',
    cell: (row) => hostOf(row.url),
    hint: (row) => row.url,
    headClass: '@max-[60rem]:hidden',
    cellClass: 'max-w-44 truncate @max-[60rem]:hidden',
  }
  return [
    {
      title: 'Created',
      head: `Created (${zone})`,
      // With the event where that has no column of its own.
      cell: (row) => (
        <button
          type="button"
          data-opens={row.id}
          onClick={() => onOpen(row.id)}
          className="grid justify-items-start py-1 hover:underline @min-[52rem]:py-2"
        >
          <ColumnTime at={row.createdAt} />
          <code className="text-xs leading-4 whitespace-nowrap text-soft @min-[52rem]:hidden">{row.event}</code>
        </button>
      ),
    },
    {
      title: 'Event',
      cell: (row) => row.event,
      hint: (row) => row.event,
      headClass: '@max-[52rem]:hidden',
      cellClass: 'min-w-44 font-mono text-sm whitespace-nowrap @max-[52rem]:hidden',
    },
    {
      title: 'Amount',
      head: symbol === null ? 'Amount' : symbol,
      cell: (row) => <SaidAmount row={row} places={places} withSymbol={symbol === null} />,
      headClass: 'text-right',
      cellClass: 'min-w-20 text-right @min-[52rem]:min-w-24 whitespace-nowrap tabular-nums',
    },
    { title: 'About', cell: (row) => <SaidOf row={row} stacks="narrow" />, headClass: 'w-full', cellClass: 'w-full max-w-0' },
    {
      title: 'Last response',
      cell: (row) => <LastResponse row={row} off={isOff(row, endpoints)} />,
      hint: (row) => responseOf(row) ?? '',
      // As wide in both lists, so that their columns align.
      cellClass:
        'max-w-66 min-w-66 @max-[60rem]:pr-0 @max-[60rem]:text-sm @min-[60rem]:max-w-88 @min-[60rem]:min-w-80 @min-[70rem]:min-w-88',
    },
    ...(endpoints.length > 1 ? [webhook] : []),
    OPENS,
  ]
}

/** The last response, with a mark if it is good; where room is short, a status without its words. */
function Response({ row, brief = false }: { row: Delivery; brief?: boolean }) {
  const text = responseOf(row) ?? '–'
  const [status = text] = /^HTTP \d+/.exec(text) ?? []
  return (
    <span className={cx('truncate', text === '–' && 'text-soft')}>
      {row.state === 'delivered' ? (
        <span aria-hidden className="mr-2 inline-block size-1.5 rounded-full bg-accent align-middle" />
      ) : null}
      {brief ? status.replace('HTTP ', '') : status}
      <span className="@max-[60rem]:hidden">{text.slice(status.length)}</span>
    </span>
  )
}

type CardProps = { row: Delivery; onOpen: (id: string) => void; off: boolean }

function Card({ row, onOpen, off }: CardProps) {
  const resends = canResend(row) && !off
  return (
    <div className="relative">
      <button
        type="button"
        data-opens={row.id}
        onClick={() => onOpen(row.id)}
        className="grid w-full grid-cols-[minmax(0,1fr)_auto] items-center gap-x-3 gap-y-1 px-4 py-2.5 text-left"
      >
        <span className="col-span-2 flex min-w-0 items-center gap-3 text-sm">
          <SaidOf row={row} />
          <span className="-mr-1 ml-auto flex shrink-0 items-center gap-1.5">
            {row.state === 'delivered' ? <Response row={row} brief /> : <DeliveryState state={row.state} />}
            <ChevronRight aria-hidden className="size-4 text-soft" />
          </span>
        </span>
        <span className="min-w-0 truncate text-sm text-soft">
          {row.said?.kind === 'payment' ? (
            <span className="mr-2 font-medium text-ink tabular-nums">{moneyText(row.said.amount, row.said.token)}</span>
          ) : null}
          <code className="text-xs">{row.event}</code>
        </span>
        <span className="text-right text-sm text-soft">
          <ColumnTime at={row.createdAt} />
        </span>
        {row.state === 'delivered' && row.tries < 2 ? null : (
          // A line of its own, with room for a button on its right.
          <span className={cx('col-span-2 flex items-center text-sm text-soft', resends && 'min-h-8 pr-24')}>
            <span className="grid">
              {row.state === 'delivered' ? null : (responseOf(row) ?? hostOf(row.url))}
              <Tries row={row} off={off} />
            </span>
          </span>
        )}
      </button>
      {resends ? (
        <div className="absolute right-4 bottom-2.5">
          <ResendButton row={row} />
        </div>
      ) : null}
    </div>
  )
}

/** How often we tried, and when we try again or gave up. */
function Tries({ row: { state, tries, nextAt, endedAt }, off }: { row: Delivery; off: boolean }) {
  const now = useMinute()
  const next = state === 'pending' && tries > 0 && !off ? nextAt : null
  if (!next && tries < 2) return null
  return (
    <span className="truncate text-sm leading-4.5 text-soft">
      {state === 'failed' && endedAt ? ['Gave up ', <ColumnTime key="end" at={endedAt} brief />, ' after '] : null}
      {next ? `attempt ${tries + 1} ${untilText(Date.parse(next) - now)}` : `${tries} attempts`}
    </span>
  )
}

const untilText = (ms: number): string => (ms < MINUTE_MS ? 'in a minute' : `in ${roundSpan(ms)}`)

// Nothing is sent again to a disabled webhook.
const isOff = (row: Delivery, endpoints: readonly Endpoint[]): boolean =>
  endpoints.some(({ id, disabledAt }) => id === row.endpoint && disabledAt !== null)

const canResend = (row: Delivery): boolean =>
  row.state !== 'delivered' && row.tries > 0 && !row.removed && (row.said !== null || isTest(row.event))

/** The state, unless the response says it, and the last response; one that was not delivered can be sent now, in narrow tables from its details. */
function LastResponse({ row, off }: { row: Delivery; off: boolean }) {
  return (
    <span className="flex min-w-0 items-center justify-between gap-2 py-1.5">
      <span className="grid min-w-0">
        <span className="flex min-w-0 items-center gap-2">
          {row.state === 'delivered' ? null : <DeliveryState state={row.state} />}
          <Response row={row} />
        </span>
        <Tries row={row} off={off} />
      </span>
      {canResend(row) ? (
        <span className="flex @max-[60rem]:hidden">
          <ResendButton row={row} />
        </span>
      ) : null}
    </span>
  )
}
