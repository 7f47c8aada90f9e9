'use client'

import { ChevronDown } from 'lucide-react'
import { useId, useState } from 'react'
import { webhookEvents } from '@/server/webhooks/events'
import { noticeFailure } from '../../client/notice-failure'
import { Time } from '../../client/time'
import { DeliveryState, type Endpoint, responseOf } from '../../client/webhook-texts'
import type { Action } from '../../ui/actions-list'
import { ActionsMenu } from '../../ui/actions-menu'
import { Badge } from '../../ui/badge'
import { Button } from '../../ui/button'
import { cx } from '../../ui/class-names'
import { Copyable } from '../../ui/copyable'
import { Dialog } from '../../ui/dialog'
import { duration, shareText } from '../../ui/figures'
import { Hint } from '../../ui/hint'
import { later } from '../../ui/later'
import { countedText } from '../../ui/list-summary'
import { withoutScheme } from '../../ui/urls'
import { HourBars } from './hour-bars'
import { useWebhookActions } from './use-webhooks'

// Loaded when first opened.
const EndpointForm = later(() => import('./endpoint-form').then((loaded) => loaded.EndpointForm))
const ConfirmDialog = later(() => import('../../ui/confirm-dialog').then((loaded) => loaded.ConfirmDialog))

/** The cells of a webhook below 1280 px: their first lines stand level. */
export const ENDPOINT_GRID = 'grid grid-cols-[minmax(0,1fr)_auto] items-start gap-x-6 gap-y-3 px-4 py-3'

type Props = {
  endpoint: Endpoint
  onSecret: (secret: string) => void
  /** Opens a delivery. */
  onOpen: (delivery: string) => void
}

/** A webhook with its events, how its deliveries went, and its actions. */
export function EndpointRow({ endpoint, onSecret, onOpen }: Props) {
  const { configure, rotate, remove, test } = useWebhookActions()
  const [open, setOpen] = useState<'change' | 'rotate' | 'remove' | null>(null)
  const { id, url, disabledAt } = endpoint
  const close = () => setOpen(null)
  const done = { onError: noticeFailure, onSettled: close }
  const enable = (enabled: boolean) => configure.mutate({ id, enabled }, { onError: noticeFailure })
  const off = disabledAt !== null
  const actions: Action[] = [
    { name: 'Edit', run: () => setOpen('change') },
    { name: 'Rotate secret', run: () => setOpen('rotate') },
    ...(off ? [] : [{ name: 'Disable', run: () => enable(false) }]),
    { name: 'Delete', run: () => setOpen('remove'), danger: true },
  ]
  return (
    <li className={cx(ENDPOINT_GRID, 'border-b last:border-b-0 xl:grid-cols-[minmax(0,1fr)_31rem_9rem]')}>
      <EndpointFacts endpoint={endpoint} onOpen={onOpen} />
      <div className="flex items-center gap-1 max-sm:col-span-2 sm:justify-end sm:max-xl:col-start-2 sm:max-xl:row-start-1">
        {off ? (
          <Button size="small" look="primary" onClick={() => enable(true)}>
            Enable
          </Button>
        ) : (
          <Button
            size="small"
            disabled={test.isPending}
            onClick={() => test.mutate({ id }, { onError: noticeFailure, onSuccess: ({ delivery }) => onOpen(delivery) })}
          >
            Send test
          </Button>
        )}
        <ActionsMenu title={withoutScheme(url)} actions={actions} />
      </div>
      {open === 'change' ? (
        <Dialog title="Edit webhook" open onClose={close}>
          <EndpointForm
            initial={endpoint}
            action="Save"
            error={configure.error}
            onEdit={configure.reset}
            busy={configure.isPending}
            onCancel={close}
            onSave={(settings) => configure.mutate({ id, ...settings }, { onSuccess: close })}
          />
        </Dialog>
      ) : null}
      {open === 'rotate' ? (
        <ConfirmDialog
          open
          title="Rotate the secret?"
          action="Rotate secret"
          onClose={close}
          onConfirm={() => rotate.mutate({ id }, { ...done, onSuccess: ({ secret }) => onSecret(secret) })}
        >
          For 24 hours we sign messages with both secrets, so your server can switch.
        </ConfirmDialog>
      ) : null}
      {open === 'remove' ? (
        <ConfirmDialog
          open
          title="Delete this webhook?"
          action="Delete webhook"
          danger
          onClose={close}
          onConfirm={() => remove.mutate({ id }, done)}
        >
          We stop sending at once, retries included. Past deliveries stay listed for 30 days.
        </ConfirmDialog>
      ) : null}
    </li>
  )
}

/** The cells of a webhook: its URL and events, and how its deliveries went. */
export function EndpointFacts({ endpoint, onOpen }: Pick<Props, 'endpoint' | 'onOpen'>) {
  return (
    <>
      <Identity endpoint={endpoint} />
      <Health endpoint={endpoint} onOpen={onOpen} />
    </>
  )
}

function Identity({ endpoint: { url, events, keys, disabledAt, gone, graceUntil, createdAt } }: { endpoint: Endpoint }) {
  const all = events.length === webhookEvents.length
  return (
    // Beside the URL stands its state; below it where room is short.
    <div className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-0.5 self-start max-sm:col-span-2">
      <h2 className="flex min-h-6 min-w-0 items-center font-semibold">
        <Copyable text={url} shown={withoutScheme(url)} label="URL" />
      </h2>
      <span className="flex max-sm:py-1">
        {disabledAt !== null ? <Badge tone="warn">Disabled</Badge> : <Badge tone="good">Active</Badge>}
      </span>
      <p className="w-full text-sm text-soft">
        <span title={events.join(', ')}>{all ? 'All events' : events.join(', ')}</span>{' '}
        <span className="whitespace-nowrap">· {keys.length === 0 ? 'all keys' : countedText(keys.length, 'key')}</span>{' '}
        <span className="whitespace-nowrap">
          · created <Time at={createdAt} />
        </span>
      </p>
      {disabledAt !== null && !gone ? (
        <p className="w-full text-sm text-warn">
          You disabled it <Time at={disabledAt} />. Events since then are not sent.
        </p>
      ) : null}
      {graceUntil ? (
        <p className="w-full text-sm text-warn">
          The previous secret also signs until <Time at={graceUntil} />.
        </p>
      ) : null}
      {gone ? (
        <p className="w-full text-sm text-bad">
          Your server answered 410 Gone, so we disabled this webhook. Enable it to send again.
        </p>
      ) : null}
    </div>
  )
}

/** The newest delivery, and how those of a day went, by hour too. On a phone it stands below the actions. */
function Health({ endpoint: { last, failures, day, hours, disabledAt }, onOpen }: Pick<Props, 'endpoint' | 'onOpen'>) {
  if (!last) return <p className="text-sm text-soft max-xl:col-span-2 max-sm:order-1">Nothing sent yet</p>
  const response = responseOf({ lastStatus: last.status, lastError: last.error })
  return (
    <div className="grid min-w-0 grid-cols-1 gap-2 text-sm max-xl:col-span-2 max-sm:order-1">
      <div className="flex min-w-0 flex-wrap items-center justify-between gap-x-6 gap-y-0.5">
        <button
          type="button"
          onClick={() => onOpen(last.id)}
          title={response ?? undefined}
          className="flex min-h-6 flex-wrap items-center gap-x-2 justify-self-start text-left hover:underline"
        >
          <span className="text-soft">Last delivery</span>
          <DeliveryState state={last.state} /> <Time at={last.at} />
        </button>
        {disabledAt !== null ? null : failures > 0 ? (
          <p className="text-bad">{countedText(failures, 'delivery', { many: 'deliveries' })} failed or failing in 24 hours</p>
        ) : (
          <p className="text-soft">No failed deliveries in 24 hours</p>
        )}
      </div>
      {day ? <Answers day={day} /> : null}
      {hours.length > 0 ? <Hours hours={hours} /> : null}
    </div>
  )
}

/** The attempts by hour; folded on a phone. */
function Hours({ hours }: Pick<Endpoint, 'hours'>) {
  const [unfolded, setUnfolded] = useState(false)
  const bars = useId()
  return (
    <>
      <button
        type="button"
        aria-expanded={unfolded}
        aria-controls={bars}
        onClick={() => setUnfolded(!unfolded)}
        className="flex min-h-8 items-center gap-1 justify-self-start text-soft hover:text-ink sm:hidden"
      >
        Last 24 hours
        <ChevronDown aria-hidden className={cx('size-4 transition-transform', unfolded && 'rotate-180')} />
      </button>
      <div id={bars} className={cx(!unfolded && 'max-sm:hidden')}>
        <HourBars hours={hours} />
      </div>
    </>
  )
}

/** The share of a day's messages that arrived, and how long the receiver took. */
function Answers({ day: { ended, delivered, median, p95 } }: { day: NonNullable<Endpoint['day']> }) {
  const times = median === null || p95 === null ? '' : `; half answered within ${duration(median)}, 95% within ${duration(p95)}`
  return (
    <p className="text-soft tabular-nums">
      <Hint
        text={`Of the newest ${countedText(ended, 'delivery', { many: 'deliveries' })} of 24 hours, retries included: ${shareText(delivered / ended)} arrived${times}`}
      >
        {shareText(delivered / ended)} of deliveries arrived
        {median === null || p95 === null ? null : ` · median ${duration(median)} · p95 ${duration(p95)}`}
      </Hint>
    </p>
  )
}
