'use client'

import { Settings2 } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { networkIds } from '@/server/x402/networks'
import { fieldError, formError } from '../data/errors'
import { titleOf } from '../settlements/explorer'
import { Button } from '../ui/button'
import { shortened } from '../ui/copyable'
import { Dialog } from '../ui/dialog'
import { TextArea, TextField } from '../ui/fields'
import { notice } from '../ui/notice'
import { Problem } from '../ui/panel'
import { Switch } from '../ui/switch'
import { networkNames, type OwnKey, useKeyActions } from './own-key'

/** The limits of a key: history, networks, recipients, amounts. */
export function Guardrails({ apiKey }: { apiKey: OwnKey }) {
  const { configure } = useKeyActions()
  const [open, setOpen] = useState(false)
  const { id, historyEnabled, allowedNetworks, payToAllow, maxUsdc } = apiKey
  const change = (on: boolean) =>
    configure.mutate({ id, historyEnabled: on }, { onError: ({ message }) => notice.error(message) })
  return (
    <div className="flex flex-wrap items-center justify-between gap-3 border-0 border-t border-solid border-line pt-3">
      <p className="m-0 text-[0.8125rem] text-soft">
        Allows {allowedNetworks.length === 0 ? 'all networks' : networkNames(allowedNetworks)},{' '}
        {payToAllow.length === 0 ? 'any recipient' : payToAllow.map(shortened).join(', ')},{' '}
        {maxUsdc === null ? 'any amount' : `up to ${maxUsdc} USDC`}
      </p>
      <div className="flex items-center gap-4">
        <label
          htmlFor={`history ${id}`}
          title="When off, new settlements appear in no list, figure or catalog."
          className="flex items-center gap-2 text-[0.8125rem]"
        >
          Keep history
          <Switch id={`history ${id}`} checked={historyEnabled} disabled={configure.isPending} onChange={change} />
        </label>
        <Button size="small" onClick={() => setOpen(true)}>
          <Settings2 aria-hidden className="size-4" /> Settings
        </Button>
      </div>
      <Dialog title="Key settings" open={open} onClose={() => setOpen(false)} description="Changes apply from the next payment.">
        <Settings apiKey={apiKey} onDone={() => setOpen(false)} />
      </Dialog>
    </div>
  )
}

const ATOMIC = /^(\d{1,15})(?:\.(\d{1,6}))?$/

function Settings({ apiKey, onDone }: { apiKey: OwnKey; onDone: () => void }) {
  const { configure } = useKeyActions()
  const [name, setName] = useState(apiKey.name)
  const [networks, setNetworks] = useState<readonly string[]>(
    apiKey.allowedNetworks.length > 0 ? apiKey.allowedNetworks : networkIds,
  )
  const [recipients, setRecipients] = useState(apiKey.payToAllow.join('\n'))
  const [most, setMost] = useState(apiKey.maxUsdc ?? '')
  const amount = atomicOf(most)
  const problem = formError(configure.error, ['name', 'payToAllow', 'maxAmount'])
  function save(event: FormEvent) {
    event.preventDefault()
    if (amount === undefined) return
    const allowed = networkIds.filter((id) => networks.includes(id))
    const payToAllow = recipients.split(/[\s,]+/).filter(Boolean)
    configure.mutate(
      {
        id: apiKey.id,
        name,
        payToAllow,
        maxAmount: amount,
        allowedNetworks: allowed.length === networkIds.length ? [] : allowed,
      },
      { onSuccess: onDone },
    )
  }
  return (
    <form onSubmit={save} className="grid gap-4">
      {problem ? <Problem error={problem} /> : null}
      <TextField
        label="Name"
        value={name}
        onChange={({ target }) => setName(target.value)}
        maxLength={100}
        error={fieldError(configure.error, 'name')}
      />
      <fieldset className="m-0 grid gap-1.5 border-0 p-0">
        <legend className="p-0 text-[0.8125rem] font-medium">Networks</legend>
        {networkIds.map((id) => (
          <label key={id} className="flex items-center gap-2">
            <input
              type="checkbox"
              checked={networks.includes(id)}
              onChange={({ target }) => setNetworks(target.checked ? [...networks, id] : networks.filter((one) => one !== id))}
            />
            {titleOf(id)}
          </label>
        ))}
      </fieldset>
      <TextArea
        label="Recipients"
        value={recipients}
        onChange={({ target }) => setRecipients(target.value)}
        rows={3}
        error={fieldError(configure.error, 'payToAllow')}
        hint="One address per line. Leave empty to allow any."
      />
      <TextField
        label="Maximum per payment (USDC)"
        inputMode="decimal"
        value={most}
        onChange={({ target }) => setMost(target.value)}
        error={amount === undefined ? 'Enter an amount such as 0.05, or leave empty.' : fieldError(configure.error, 'maxAmount')}
        hint="Leave empty to allow any amount."
      />
      <div className="flex justify-end gap-2">
        <Button onClick={onDone}>Cancel</Button>
        <Button type="submit" look="primary" disabled={configure.isPending || networks.length === 0}>
          Save
        </Button>
      </div>
    </form>
  )
}

/** The atomic units of a USDC amount; null if empty, undefined if invalid. */
function atomicOf(written: string): string | null | undefined {
  if (written.trim() === '') return null
  const [, whole, fraction = ''] = ATOMIC.exec(written.trim()) ?? []
  const atomic = whole === undefined ? undefined : BigInt(`${whole}${fraction.padEnd(6, '0')}`)
  return atomic === undefined || atomic === 0n ? undefined : String(atomic)
}
