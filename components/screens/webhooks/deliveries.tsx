'use client'

import { useQuery } from '@tanstack/react-query'
import { RotateCw } from 'lucide-react'
import { useState } from 'react'
import { TEST_EVENT, webhookEvents } from '@/server/webhooks/events'
import { useMinute } from '../../client/clock'
import { Problem } from '../../client/problem'
import { REFRESH_MS } from '../../client/refresh'
import { ColumnTime, useColumnZone } from '../../client/time'
import { useTRPC } from '../../client/trpc'
import { type Delivery, DeliveryState, type Endpoint, hostOf, isTest, responseOf, STATES } from '../../client/webhook-texts'
import { Button } from '../../ui/button'
import { cx } from '../../ui/class-names'
import { Snippet } from '../../ui/code/snippet'
import { Example } from '../../ui/example'
import { shareText } from '../../ui/figures'
import { later } from '../../ui/later'
import { countedText, ListSummary } from '../../ui/list-summary'
import { Pager } from '../../ui/pager'
import { Empty } from '../../ui/panel'
import { ClearingPill, optionOf, Pill } from '../../ui/pill'
import { STACKED_ROW } from '../../ui/resource-name'
import { useStepThrough } from '../../ui/step-through'
import { type Column, Table } from '../../ui/table'
import { withoutScheme } from '../../ui/urls'
import { exampleDeliveries } from './example'
import { failingQuery } from './queries'
import { EnableToResend, ResendButton } from './resend-button'
import { amountPlaces, onlySymbol, Said, SaidAmount, SaidOf } from './said'
import type { useDeliveries } from './use-deliveries'

const NAMES = [...webhookEvents, TEST_EVENT] as const
const EVENTS: readonly (readonly [(typeof NAMES)[number] | '', string])[] = [
  ['', 'All events'],
  ...NAMES.map((name) => [name, name] as const),
]

// Loaded when first opened.
const ResendAll = later(() => import('./resend-all').then((loaded) => loaded.ResendAll))

type Props = ReturnType<typeof useDeliveries> & {
  endpoints: readonly Endpoint[]
  /** The body of a message, for a list without any. */
  exampleBody: string | null
  onOpen: (id: string) => void
}

/** What was not delivered, then all deliveries with filters, newest first. Renders nothing without webhooks and deliveries. */
export function Deliveries(props: Props) {
  const { query, rows, any, newer, change, endpoints, onOpen } = props
  const list = useStepThrough()
  if (query.error) return <Problem error={query.error} retry={query.refetch} />
  if (!rows || (rows.length === 0 && !any && endpoints.length === 0)) return null
  return (
    <div ref={list}>
      {any || newer ? null : (
        <Failing endpoints={endpoints} onOpen={onOpen} onAll={() => void change({ state: 'undelivered' })} />
      )}
      <All {...props} rows={rows} />
    </div>
  )
}

type FailingProps = Pick<Props, 'endpoints' | 'onOpen'> & { onAll: () => void }

/** The newest deliveries that failed in a day or are failing now, above all others; nothing while there is none. */
function Failing({ endpoints, onOpen, onAll }: FailingProps) {
  const trpc = useTRPC()
  const { data } = useQuery({ ...failingQuery(trpc), refetchInterval: REFRESH_MS.deliveries })
  const { deliveries = [], count = 0 } = data ?? {}
  const [resending, setResending] = useState(false)
  if (!resending && count === 0) return null
  return (
    <section aria-label="Not delivered" className="mt-8">
      <div className="mb-3 flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <div className="grid gap-0.5 sm:flex sm:items-baseline sm:gap-x-2">
          <h2 className="text-lg font-semibold">
            Not delivered <span className="font-normal text-bad tabular-nums">{count.toLocaleString('en')}</span>
          </h2>
          <p className="text-sm text-soft">in 24 hours, failed or waiting for a retry</p>
        </div>
        <div className="flex flex-wrap items-center gap-2">
          {count > deliveries.length ? (
            <Button look="quiet" size="small" onClick={onAll}>
              Show all
            </Button>
          ) : null}
          <ResendEach endpoints={endpoints} resending={resending} onResending={setResending} />
        </div>
      </div>
      {deliveries.length > 0 ? <DeliveryList rows={deliveries} onOpen={onOpen} endpoints={endpoints} /> : null}
    </section>
  )
}

type EachProps = { endpoints: readonly Endpoint[]; resending: boolean; onResending: (resending: boolean) => void }

/** Sends everything again that was not delivered, once a webhook is enabled: each has that button above. */
function ResendEach({ endpoints, resending, onResending }: EachProps) {
  if (endpoints.length === 0) return null
  return (
    <>
      {endpoints.some(({ disabledAt }) => disabledAt === null) ? (
        <Button size="small" onClick={() => onResending(true)}>
          <RotateCw aria-hidden className="size-3.5" /> Resend all…
        </Button>
      ) : (
        <EnableToResend endpoints={endpoints} />
      )}
      {resending ? <ResendAll endpoints={endpoints} onClose={() => onResending(false)} /> : null}
    </>
  )
}

type AllProps = Props & { rows: readonly Delivery[] }

function All({ rows, tally, filters, change, any, newer, older, endpoints, exampleBody, onOpen }: AllProps) {
  const [resending, setResending] = useState(false)
  return (
    <section aria-label="Deliveries" className="mt-8">
      <h2 className="mb-1 text-lg font-semibold">Deliveries</h2>
      <p className="mb-3 text-sm text-soft">Refused payments send no event; the response to your server says why.</p>
      <div className="mb-4 flex flex-wrap items-center gap-2">
        <search className="contents">
          <Pill
            label="State"
            value={filters.state ?? ''}
            options={STATES}
            onChange={({ target }) => void change({ state: optionOf(STATES, target.value) })}
          />
          <Pill
            label="Event"
            value={filters.event ?? ''}
            options={EVENTS}
            onChange={({ target }) => void change({ event: optionOf(EVENTS, target.value) })}
          />
          {endpoints.length > 1 ? (
            <Pill
              label="Webhook"
              value={filters.endpoint ?? ''}
              options={[['', 'All webhooks'], ...endpoints.map(({ id, url }) => [id, withoutScheme(url)] as const)]}
              onChange={({ target }) => void change({ endpoint: target.value || null })}
            />
          ) : null}
          {filters.settlement ? (
            <ClearingPill
              text={`Settlement: ${filters.settlement}`}
              clears="Clear settlement filter"
              onClear={() => void change({ settlement: null })}
            />
          ) : null}
          {any ? (
            <Button look="quiet" size="small" onClick={() => void change(null)}>
              Clear filters
            </Button>
          ) : null}
        </search>
        {rows.length > 0 ? (
          <div className="ml-auto flex min-w-0 flex-wrap items-center justify-between gap-x-4 gap-y-1 max-lg:basis-full">
            <ListSummary parts={tally ? partsOf(tally, filters.state) : null} />
            {filters.state === 'failed' || filters.state === 'undelivered' ? (
              <ResendEach endpoints={endpoints} resending={resending} onResending={setResending} />
            ) : null}
          </div>
        ) : null}
      </div>
      {rows.length > 0 ? (
        <DeliveryList rows={rows} onOpen={onOpen} endpoints={endpoints} />
      ) : any ? (
        <div className="panel">
          <Empty title="No matching deliveries">Clear a filter.</Empty>
        </div>
      ) : (
        <NoDeliveries body={exampleBody} />
      )}
      {rows.length > 0 && !older ? (
        <p className="mt-3 text-center text-sm text-soft">End of the list. Deliveries stay here for 30 days.</p>
      ) : null}
      <Pager newer={newer} older={older} />
    </section>
  )
}

/** How the deliveries of a list went. The share is of those that ended: one that waits may still arrive. */
function partsOf(
  { counts: { pending, delivered, failed }, more }: NonNullable<Props['tally']>,
  state: Props['filters']['state'],
) {
  const ended = delivered + failed
  const share = state === null && ended > 0 ? shareText(delivered / ended) : null
  return [
    state === 'failed'
      ? countedText(failed, 'failed delivery', { many: 'failed deliveries', more })
      : countedText(ended + pending, 'delivery', { many: 'deliveries', more }),
    share && `${share} delivered`,
    pending === 0 || state === 'pending' ? null : `${pending.toLocaleString('en')} pending`,
    failed === 0 || state === 'failed' ? null : `${failed.toLocaleString('en')} failed`,
  ]
}

/** An empty list, with a delivery as it will look and the message that it will have sent. */
function NoDeliveries({ body }: { body: string | null }) {
  const rows = exampleDeliveries(useMinute(), body).slice(0, 1)
  return (
    <>
      <div className="panel">
        <Empty title="No deliveries yet">Send a test or wait for the next payment.</Empty>
      </div>
      <div className="mt-4">
        <Example>
          <DeliveryList rows={rows} />
          {body ? (
            <div className="grid grid-cols-1 p-4">
              <Snippet name="Its payload" code={JSON.stringify(JSON.parse(body), null, 2)} language="json" />
            </div>
          ) : null}
        </Example>
      </div>
    </>
  )
}

type ListProps = {
  rows: readonly Delivery[]
  /** Absent in an example. */
  onOpen?: (id: string) => void
  endpoints?: readonly Endpoint[]
}

/** Deliveries as a table; as cards on a phone. */
export function DeliveryList({ rows, onOpen = () => {}, endpoints = [] }: ListProps) {
  const zone = useColumnZone(rows.map(({ createdAt }) => createdAt))
  return (
    <div className="@container panel">
      <Table
        columns={columnsOf({ zone, several: endpoints.length > 1, places: amountPlaces(rows), symbol: onlySymbol(rows), onOpen })}
        rows={rows}
        keyOf={({ id }) => id}
        opening={({ id }) => ({ open: () => onOpen(id) })}
        rowClass={cx('h-12', STACKED_ROW)}
        card={(row) => <Card row={row} onOpen={onOpen} resends={canResend(row) && !isOff(row, endpoints)} />}
      />
    </div>
  )
}

type Shown = {
  zone: string
  /** Whether there are several webhooks. */
  several: boolean
  places: number
  /** The token of all amounts; null where they differ. */
  symbol: string | null
  onOpen: (id: string) => void
}

function columnsOf({ zone, several, places, symbol, onOpen }: Shown): Column<Delivery>[] {
  const webhook: Column<Delivery> = {
    title: 'Webhook',
    cell: (row) => hostOf(row.url),
    hint: (row) => row.url,
    headClass: '@max-[60rem]:hidden',
    cellClass: 'max-w-44 truncate @max-[60rem]:hidden',
  }
  return [
    {
      title: 'Time',
      head: `Time (${zone})`,
      cell: (row) => (
        <button type="button" data-opens={row.id} onClick={() => onOpen(row.id)} className="py-2 hover:underline">
          <ColumnTime at={row.createdAt} />
        </button>
      ),
    },
    { title: 'State', cell: (row) => <StateAndEvent row={row} />, cellClass: 'min-w-25' },
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
      cellClass: 'min-w-24 text-right whitespace-nowrap tabular-nums',
    },
    { title: 'About', cell: (row) => <SaidOf row={row} />, headClass: 'w-full', cellClass: 'w-full max-w-0' },
    {
      title: 'Last response',
      cell: (row) => <LastResponse row={row} />,
      hint: (row) => responseOf(row) ?? '',
      // As wide in both lists, so that their columns align.
      cellClass: 'max-w-72 min-w-36 @min-[60rem]:w-64 @min-[60rem]:min-w-64',
    },
    ...(several ? [webhook] : []),
  ]
}

/** The state of a row; with its event where that has no column of its own. */
function StateAndEvent({ row: { state, event } }: { row: Delivery }) {
  return (
    <span className="grid justify-items-start gap-0.5">
      <DeliveryState state={state} />
      <code className="hidden text-xs leading-4 whitespace-nowrap text-soft @max-[52rem]:block">{event}</code>
    </span>
  )
}

type CardProps = { row: Delivery; onOpen: (id: string) => void; resends: boolean }

function Card({ row, onOpen, resends }: CardProps) {
  return (
    <div className="relative">
      <button
        type="button"
        data-opens={row.id}
        onClick={() => onOpen(row.id)}
        className="grid w-full grid-cols-[minmax(0,1fr)_auto] items-center gap-x-3 gap-y-1 px-4 py-2.5 text-left"
      >
        {/* A phone has no room for the host. */}
        <span className="min-w-0 text-sm [&_[data-host]]:hidden">
          <Said row={row} />
        </span>
        <span className="flex justify-self-end">
          <DeliveryState state={row.state} />
        </span>
        <span className="min-w-0 truncate text-sm text-soft">
          <code>{row.event}</code>
          {row.state === 'delivered' ? triesText(row) : null}
        </span>
        <span className="text-right text-sm text-soft">
          <ColumnTime at={row.createdAt} />
        </span>
        {row.state === 'delivered' ? null : (
          // A line of its own, with room for a button on its right.
          <span className={cx('col-span-2 flex items-center text-sm text-soft', resends && 'min-h-8 pr-24')}>
            {responseOf(row) ?? hostOf(row.url)}
            {triesText(row)}
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

const triesText = ({ tries }: Delivery): string | null => (tries > 1 ? ` · ${tries} attempts` : null)

// Nothing is sent again to a disabled webhook.
const isOff = (row: Delivery, endpoints: readonly Endpoint[]): boolean =>
  endpoints.some(({ id, disabledAt }) => id === row.endpoint && disabledAt !== null)

const canResend = (row: Delivery): boolean =>
  row.state !== 'delivered' && row.tries > 0 && !row.removed && (row.said !== null || isTest(row.event))

/** The last response; a delivery that failed or is being retried can be sent now. */
function LastResponse({ row }: { row: Delivery }) {
  return (
    <span className="flex min-w-0 items-center justify-between gap-2">
      <span className="truncate">
        {responseOf(row) ?? <span className="text-soft">–</span>}
        <span className="text-soft">{triesText(row)}</span>
      </span>
      {canResend(row) ? <ResendButton row={row} /> : null}
    </span>
  )
}
