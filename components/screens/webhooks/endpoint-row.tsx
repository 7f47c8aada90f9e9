'use client'

import { useState } from 'react'
import { webhookEvents } from '@/server/webhooks/events'
import { noticeFailure } from '../../client/notice-failure'
import { Time } from '../../client/time'
import type { Endpoint } from '../../client/webhook-texts'
import type { Action } from '../../ui/actions-list'
import { ActionsMenu } from '../../ui/actions-menu'
import { Badge } from '../../ui/badge'
import { Button } from '../../ui/button'
import { cx } from '../../ui/class-names'
import { Copyable } from '../../ui/copyable'
import { Dialog } from '../../ui/dialog'
import { later } from '../../ui/later'
import { countedText } from '../../ui/list-summary'
import { withoutScheme } from '../../ui/urls'
import { EndpointHealth } from './endpoint-health'
import { useWebhookActions } from './use-webhooks'

// Loaded when first opened.
const EndpointForm = later(() => import('./endpoint-form').then((loaded) => loaded.EndpointForm))
const ConfirmDialog = later(() => import('../../ui/confirm-dialog').then((loaded) => loaded.ConfirmDialog))

/** The cells of a webhook. */
export const ENDPOINT_GRID = 'grid grid-cols-[minmax(0,1fr)_auto] items-start gap-x-6 gap-y-3 px-4 py-3'

type Props = {
  endpoint: Endpoint
  onSecret: (secret: string) => void
  /** Opens a delivery. */
  onOpen: (delivery: string) => void
  /** Whether the list below has filters: it then comes first, without the webhook's figures. */
  filtered: boolean
}

/** A webhook with its events, how its deliveries went, and its actions. */
export function EndpointRow({ endpoint, onSecret, onOpen, filtered }: Props) {
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
    <li className="border-b last:border-b-0">
      <Off endpoint={endpoint} busy={configure.isPending} onEnable={() => enable(true)} />
      <div className={ENDPOINT_GRID}>
        <EndpointFacts endpoint={endpoint} onOpen={onOpen} brief={filtered} />
        <div
          className={cx(
            'flex items-center gap-1',
            off ? 'col-start-2 row-start-1 -my-1.5' : 'max-sm:col-span-2 sm:col-start-2 sm:row-start-1 sm:-my-1.5',
          )}
        >
          {off ? null : (
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

type FactsProps = {
  endpoint: Endpoint
  onOpen: Props['onOpen']
  /** Whether the figures are left out. */
  brief?: boolean
}

/** The cells of a webhook: its URL and events, and how its deliveries went. */
export function EndpointFacts({ endpoint, onOpen, brief = false }: FactsProps) {
  return (
    <>
      <Identity endpoint={endpoint} />
      {brief ? null : (
        <div className="col-span-2 min-w-0 max-sm:order-1">
          <EndpointHealth endpoint={endpoint} onOpen={onOpen} />
        </div>
      )}
    </>
  )
}

function Identity({ endpoint: { url, events, keys, disabledAt, graceUntil, createdAt } }: { endpoint: Endpoint }) {
  const all = events.length === webhookEvents.length
  return (
    // Beside the URL stands its state; below it where room is short.
    <div
      className={cx(
        'flex min-w-0 flex-wrap items-center gap-x-2 gap-y-0.5 self-start',
        disabledAt === null && 'max-sm:col-span-2',
      )}
    >
      <h2 className="flex min-h-6 min-w-0 items-center font-semibold sm:*:text-base">
        <Copyable text={url} shown={withoutScheme(url)} label="URL" />
      </h2>
      {disabledAt === null ? <Badge tone="good">Active</Badge> : null}
      <p className="w-full text-sm text-soft">
        <span title={events.join(', ')}>{all ? 'All events' : events.join(', ')}</span>{' '}
        <span className="whitespace-nowrap">· {keys.length === 0 ? 'all keys' : countedText(keys.length, 'key')}</span>{' '}
        <span className="whitespace-nowrap max-sm:block max-sm:first-letter:uppercase">
          <span className="max-sm:hidden">· </span>created <Time at={createdAt} />
        </span>
      </p>
      {graceUntil ? (
        <p className="w-full text-sm text-warn">
          The previous secret also signs until <Time at={graceUntil} />.
        </p>
      ) : null}
    </div>
  )
}

type OffProps = { endpoint: Endpoint; busy: boolean; onEnable: () => void }

/** Says over a disabled webhook that it gets nothing, and enables it. */
function Off({ endpoint: { disabledAt, gone }, busy, onEnable }: OffProps) {
  if (disabledAt === null) return null
  return (
    <div
      className={cx(
        'flex flex-wrap items-center justify-between gap-x-4 gap-y-2 border-b px-4 py-2',
        gone ? 'bg-bad-wash text-bad' : 'bg-warn-wash text-warn',
      )}
    >
      <p className="min-w-0 font-medium max-sm:basis-full">
        {gone ? (
          'Your server answered 410 Gone, so we disabled this webhook. Enable it to send again.'
        ) : (
          <>
            Disabled <Time at={disabledAt} /> by you. New events are not sent.
          </>
        )}
      </p>
      <Button size="small" look="primary" disabled={busy} onClick={onEnable}>
        Enable webhook
      </Button>
    </div>
  )
}
