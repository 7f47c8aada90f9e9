'use client'

import { useQuery } from '@tanstack/react-query'
import { RotateCw } from 'lucide-react'
import { useState } from 'react'
import { useMinute } from '../../client/clock'
import { noticeFailure } from '../../client/notice-failure'
import { Problem } from '../../client/problem'
import { REFRESH_MS } from '../../client/refresh'
import { useTRPC } from '../../client/trpc'
import { type Delivery, type Endpoint, EVENT_NAMES, STATES } from '../../client/webhook-texts'
import { Button } from '../../ui/button'
import { cx } from '../../ui/class-names'
import { Snippet } from '../../ui/code/snippet'
import { Example } from '../../ui/example'
import { later } from '../../ui/later'
import { countedText, ListSummary } from '../../ui/list-summary'
import { Pager } from '../../ui/pager'
import { Empty } from '../../ui/panel'
import { ClearingPill, optionOf, Pill } from '../../ui/pill'
import { useStepThrough } from '../../ui/step-through'
import { withoutScheme } from '../../ui/urls'
import { DeliveryList } from './delivery-list'
import { exampleDeliveries } from './example'
import { failingQuery } from './queries'
import type { useDeliveries } from './use-deliveries'
import { useWebhookActions } from './use-webhooks'

const EVENTS: readonly (readonly [(typeof EVENT_NAMES)[number] | '', string])[] = [
  ['', 'All events'],
  ...EVENT_NAMES.map((name) => [name, name] as const),
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
        <Failing endpoints={endpoints} all={rows} onOpen={onOpen} onAll={() => void change({ state: 'undelivered' })} />
      )}
      <All {...props} rows={rows} />
    </div>
  )
}

type FailingProps = Pick<Props, 'endpoints' | 'onOpen'> & {
  /** The list below. */
  all: readonly Delivery[]
  onAll: () => void
}

/** The newest deliveries that failed in a day or are failing now, above all others; nothing while there is none. */
function Failing({ endpoints, all, onOpen, onAll }: FailingProps) {
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
          <p className="text-sm text-soft">Retrying, or failed in the last 24 hours</p>
        </div>
        <div className="flex flex-wrap items-center gap-2">
          {count > deliveries.length ? (
            <Button look="quiet" size="small" onClick={onAll}>
              Show all
            </Button>
          ) : null}
          <ResendEach endpoints={endpoints} any={false} resending={resending} onResending={setResending} />
        </div>
      </div>
      {deliveries.length > 0 ? <DeliveryList rows={deliveries} beside={all} onOpen={onOpen} endpoints={endpoints} /> : null}
    </section>
  )
}

type EachProps = Pick<Props, 'endpoints' | 'any'> & { resending: boolean; onResending: (resending: boolean) => void }

/** Sends everything again that was not delivered. An only webhook that is disabled gets enabled first. */
function ResendEach({ endpoints, any, resending, onResending }: EachProps) {
  const { configure } = useWebhookActions()
  const isOff = endpoints.every(({ disabledAt }) => disabledAt !== null)
  const [only] = endpoints
  const choose = () => onResending(true)
  const enable = () => only && configure.mutate({ id: only.id, enabled: true }, { onError: noticeFailure, onSuccess: choose })
  return (
    <>
      {only && (!isOff || endpoints.length === 1) ? (
        <Button
          size="small"
          look={any && !isOff ? 'primary' : 'plain'}
          disabled={configure.isPending}
          onClick={isOff ? enable : choose}
        >
          <RotateCw aria-hidden className="size-3.5" /> {isOff ? 'Enable and resend…' : 'Resend all…'}
        </Button>
      ) : null}
      {resending ? <ResendAll endpoints={endpoints} onClose={() => onResending(false)} /> : null}
    </>
  )
}

type AllProps = Props & { rows: readonly Delivery[] }

function All({ rows, tally, filters, change, any, newer, older, endpoints, exampleBody, onOpen }: AllProps) {
  const [resending, setResending] = useState(false)
  return (
    <section aria-label="Deliveries" className="mt-8">
      <h2 className={cx('text-lg font-semibold', any ? 'mb-2' : 'mb-1')}>Deliveries</h2>
      {/* The rows of a filter come first. */}
      {any ? null : (
        <p className="mb-3 text-sm text-soft">Refused payments send no event; the response to your server says why.</p>
      )}
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
          <div className="ml-auto flex min-w-0 flex-wrap items-center justify-between gap-x-4 gap-y-1 max-lg:basis-full max-sm:gap-x-2">
            <ListSummary parts={tally ? partsOf(tally, filters.state) : null} />
            {filters.state === 'failed' || filters.state === 'undelivered' ? (
              <ResendEach endpoints={endpoints} any={any} resending={resending} onResending={setResending} />
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

/** How the deliveries of a list went. */
function partsOf(
  { counts: { pending, delivered, failed }, more }: NonNullable<Props['tally']>,
  state: Props['filters']['state'],
) {
  const kind = state === 'failed' ? 'failed ' : ''
  return [
    `${countedText(delivered + failed + pending, `${kind}delivery`, { many: `${kind}deliveries`, more })} in 30 days`,
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
          <DeliveryList rows={rows} onOpen={() => {}} />
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
