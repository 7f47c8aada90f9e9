'use client'

import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { keyName } from '@/server/accounts/key-name'
import { type WebhookEvent, webhookEvents } from '@/server/webhooks/events'
import { DialogForm } from '../../client/dialog-form'
import { fieldError } from '../../client/errors'
import { keysQuery } from '../../client/queries'
import { FRESH_MS } from '../../client/refresh'
import { useTRPC } from '../../client/trpc'
import type { Endpoint } from '../../client/webhook-texts'
import { TextField } from '../../ui/fields'
import { EventChoice } from './event-choice'

type Settings = { url: string; events: WebhookEvent[]; keys: string[] }

type Props = {
  initial?: Pick<Endpoint, 'url' | 'events' | 'keys'>
  action: string
  error: { message: string } | null
  busy: boolean
  onEdit: () => void
  onSave: (settings: Settings) => void
  onCancel: () => void
}

/** Edits the URL, events and keys of a webhook. */
export function EndpointForm({ initial, action, error, busy, onEdit, onSave, onCancel }: Props) {
  const [url, setUrl] = useState(initial?.url ?? '')
  const [events, setEvents] = useState<readonly WebhookEvent[]>(initial?.events ?? webhookEvents)
  const [keys, setKeys] = useState<Keys>(initial?.keys.length ? initial.keys : null)
  const [missing, setMissing] = useState(false)
  function save() {
    const written = url.trim() !== ''
    setMissing(!written)
    if (!written) return
    onSave({ url: url.trim(), events: webhookEvents.filter((one) => events.includes(one)), keys: [...(keys ?? [])] })
  }
  return (
    <DialogForm
      error={error}
      fields={['url']}
      action={action}
      disabled={busy || events.length === 0 || keys?.length === 0}
      onEdit={onEdit}
      onSave={save}
      onCancel={onCancel}
    >
      <TextField
        label="URL"
        type="url"
        required
        value={url}
        onChange={({ target }) => {
          setUrl(target.value)
          setMissing(false)
        }}
        placeholder="https://your-server.com/webhooks"
        error={missing ? 'Enter the URL of your server, such as https://your-server.com/webhooks.' : fieldError(error, 'url')}
        hint="Answer each POST with a 2xx status within 10 seconds."
        autoFocus
      />
      <EventChoice events={events} onChange={setEvents} />
      <KeySelection keys={keys} onChange={setKeys} />
    </DialogForm>
  )
}

/** The chosen keys; null for all. */
type Keys = readonly string[] | null

/** Selects keys if there are several: all, or only some. */
function KeySelection({ keys, onChange }: { keys: Keys; onChange: (keys: Keys) => void }) {
  const trpc = useTRPC()
  const { data } = useQuery({ ...keysQuery(trpc), staleTime: FRESH_MS.account })
  const selectable = data?.keys.filter(({ id, revokedAt }) => revokedAt === null || keys?.includes(id)) ?? []
  // It stands there while the keys load, as most have several. Chosen keys must stay possible to change.
  if (data && keys === null && selectable.length < 2) return null
  return (
    <fieldset className="grid gap-1.5">
      <legend className="pb-1.5 text-sm font-medium">API keys</legend>
      <label className="flex min-h-6 items-center gap-2">
        <input type="radio" name="keys" checked={keys === null} onChange={() => onChange(null)} />
        All keys, including future ones
      </label>
      <label className="flex min-h-6 items-center gap-2">
        <input type="radio" name="keys" checked={keys !== null} onChange={() => onChange([])} />
        Only chosen keys
      </label>
      {keys &&
        selectable.map((key) => (
          <label key={key.id} className="flex min-h-6 items-center gap-2 pl-6">
            <input
              type="checkbox"
              checked={keys.includes(key.id)}
              onChange={({ target }) => onChange(target.checked ? [...keys, key.id] : keys.filter((one) => one !== key.id))}
            />
            {keyName(key)}
            {key.secrets[0] ? <code className="text-sm text-soft">{key.secrets[0].prefix}…</code> : null}
          </label>
        ))}
      {keys?.length === 0 ? <p className="pl-6 text-sm text-soft">Choose at least one key.</p> : null}
    </fieldset>
  )
}
