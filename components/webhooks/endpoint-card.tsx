'use client'

import { useState } from 'react'
import { ConfirmDialog } from '../merchant/confirm-dialog'
import { Badge } from '../ui/badge'
import { Button } from '../ui/button'
import { Copyable } from '../ui/copyable'
import { Dialog } from '../ui/dialog'
import { notice } from '../ui/notice'
import { ExactTime, Time } from '../ui/time'
import { EndpointForm } from './endpoint-form'
import type { Endpoint } from './text'
import { useWebhookActions } from './use-webhooks'

type Props = { endpoint: Endpoint; onSecret: (secret: string) => void; onTested: (delivery: string) => void }

/** A webhook with its events and actions. */
export function EndpointCard({ endpoint, onSecret, onTested }: Props) {
  const { configure, rotate, remove, test } = useWebhookActions()
  const [open, setOpen] = useState<'change' | 'rotate' | 'remove' | null>(null)
  const { id, url, events, keys, disabledAt, gone, graceUntil, createdAt } = endpoint
  const onError = ({ message }: { message: string }) => notice.error(message)
  const done = { onError, onSettled: () => setOpen(null) }
  const off = disabledAt !== null
  return (
    <li className="grid gap-3 rounded-xl border border-solid border-line bg-card p-4">
      <header className="flex flex-wrap items-start justify-between gap-3">
        <div className="grid min-w-0 gap-1">
          <h2 className="m-0 flex min-w-0 items-center gap-2 font-semibold">
            <Copyable text={url} shown={url} label="URL" />
            {off ? <Badge tone="bad">Disabled</Badge> : <Badge tone="good">Active</Badge>}
          </h2>
          <p className="m-0 text-[0.8125rem] text-soft">
            {events.join(', ')} · {keys.length === 0 ? 'all keys' : `${keys.length} ${keys.length === 1 ? 'key' : 'keys'}`} ·
            created <Time at={createdAt} />
            {graceUntil ? (
              <>
                {' '}
                · previous secret valid until <ExactTime at={graceUntil} />
              </>
            ) : null}
          </p>
          {gone ? (
            <p className="m-0 text-[0.8125rem] text-bad">
              Your server answered 410 Gone, so we disabled this webhook. Enable it to send again.
            </p>
          ) : null}
        </div>
        <div className="flex flex-wrap gap-2">
          {off ? (
            <Button size="small" look="primary" onClick={() => configure.mutate({ id, enabled: true }, { onError })}>
              Enable
            </Button>
          ) : (
            <Button
              size="small"
              look="primary"
              disabled={test.isPending}
              onClick={() => test.mutate({ id }, { onError, onSuccess: ({ delivery }) => onTested(delivery) })}
            >
              Send test
            </Button>
          )}
          <Button size="small" onClick={() => setOpen('change')}>
            Edit
          </Button>
          <Button size="small" onClick={() => setOpen('rotate')}>
            Rotate secret
          </Button>
          {off ? null : (
            <Button size="small" onClick={() => configure.mutate({ id, enabled: false }, { onError })}>
              Disable
            </Button>
          )}
          <Button size="small" look="danger" onClick={() => setOpen('remove')}>
            Delete
          </Button>
        </div>
      </header>
      <Dialog title="Edit webhook" open={open === 'change'} onClose={() => setOpen(null)}>
        <EndpointForm
          initial={endpoint}
          action="Save"
          error={configure.error}
          busy={configure.isPending}
          onCancel={() => setOpen(null)}
          onSave={(settings) => configure.mutate({ id, ...settings }, { onSuccess: () => setOpen(null) })}
        />
      </Dialog>
      <ConfirmDialog
        open={open === 'rotate'}
        title="Rotate the secret?"
        action="Rotate secret"
        onClose={() => setOpen(null)}
        onConfirm={() => rotate.mutate({ id }, { ...done, onSuccess: ({ secret }) => onSecret(secret) })}
      >
        For 24 hours we sign messages with both secrets, so your server can switch.
      </ConfirmDialog>
      <ConfirmDialog
        open={open === 'remove'}
        title="Delete this webhook?"
        action="Delete webhook"
        danger
        onClose={() => setOpen(null)}
        onConfirm={() => remove.mutate({ id }, done)}
      >
        We stop sending at once, retries included. Past deliveries stay listed for 30 days.
      </ConfirmDialog>
    </li>
  )
}
