import { useState } from 'react'
import { type NetworkId, networkTitle } from '@/server/x402/networks/networks'
import { DialogForm } from '../../client/dialog-form'
import { fieldError } from '../../client/errors'
import { ChoiceField, TextArea, TextField } from '../../ui/fields'

type Impact = 'degraded' | 'outage'

/** How much an incident affects payments, as screens name it. */
export const IMPACTS = { degraded: 'Degraded', outage: 'Outage' } as const satisfies Record<Impact, string>

const IMPACT_OPTIONS = [
  ['degraded', 'Degraded: slow, or some payments fail'],
  ['outage', 'Outage: payments fail'],
] as const satisfies (readonly [Impact, string])[]

const BEGAN = [
  ['0', 'Now'],
  ['5', '5 minutes ago'],
  ['15', '15 minutes ago'],
  ['30', '30 minutes ago'],
  ['60', '1 hour ago'],
  ['180', '3 hours ago'],
  ['720', '12 hours ago'],
  ['1440', '1 day ago'],
] as const

type Ends<What> = {
  error: { message: string } | null
  busy: boolean
  onEdit: () => void
  onSave: (what: What) => void
  onCancel: () => void
}

type New = { title: string; impact: Impact; networks: NetworkId[]; minutesAgo: number; text: string }

/** The form of a new incident. */
export function IncidentForm({
  networks,
  error,
  busy,
  onEdit,
  onSave,
  onCancel,
}: Ends<New> & { networks: readonly NetworkId[] }) {
  const [title, setTitle] = useState('')
  const [impact, setImpact] = useState<Impact>('degraded')
  const [chosen, setChosen] = useState<readonly NetworkId[]>([])
  const [minutesAgo, setMinutesAgo] = useState('0')
  const [text, setText] = useState('')
  return (
    <DialogForm
      error={error}
      fields={['title', 'text']}
      action="Publish"
      disabled={busy}
      onEdit={onEdit}
      onSave={() => onSave({ title, impact, networks: [...chosen], minutesAgo: Number(minutesAgo), text })}
      onCancel={onCancel}
    >
      <TextField
        label="Title"
        required
        maxLength={120}
        value={title}
        onChange={({ target }) => setTitle(target.value)}
        placeholder="Slow settlements on Base"
        error={fieldError(error, 'title')}
        autoFocus
      />
      <ChoiceField
        label="Impact"
        options={IMPACT_OPTIONS}
        value={impact}
        onChange={({ target }) => setImpact(target.value === 'outage' ? 'outage' : 'degraded')}
      />
      {networks.length < 2 ? null : (
        <fieldset className="grid gap-1.5">
          <legend className="pb-1 text-sm font-medium">Networks</legend>
          {networks.map((network) => (
            <label key={network} className="flex min-h-6 items-center gap-2">
              <input
                type="checkbox"
                checked={chosen.includes(network)}
                onChange={({ target }) =>
                  setChosen(target.checked ? [...chosen, network] : chosen.filter((one) => one !== network))
                }
              />
              {networkTitle(network)}
            </label>
          ))}
          <span className="text-sm text-soft">Select none for all networks.</span>
        </fieldset>
      )}
      <ChoiceField label="Began" options={BEGAN} value={minutesAgo} onChange={({ target }) => setMinutesAgo(target.value)} />
      <Message label="What happens" text={text} error={error} onChange={setText} />
    </DialogForm>
  )
}

/** The form of a message about an incident. `isLast`: the incident is over with it. */
export function MessageForm({ isLast, error, busy, onEdit, onSave, onCancel }: Ends<string> & { isLast: boolean }) {
  const [text, setText] = useState('')
  return (
    <DialogForm
      error={error}
      fields={['text']}
      action={isLast ? 'Resolve' : 'Publish'}
      disabled={busy}
      onEdit={onEdit}
      onSave={() => onSave(text)}
      onCancel={onCancel}
    >
      <Message label={isLast ? 'How it ended' : 'What is new'} text={text} error={error} onChange={setText} />
    </DialogForm>
  )
}

type MessageProps = { label: string; text: string; error: { message: string } | null; onChange: (text: string) => void }

function Message({ label, text, error, onChange }: MessageProps) {
  return (
    <TextArea
      label={label}
      required
      rows={4}
      maxLength={2_000}
      className="text-md"
      value={text}
      onChange={({ target }) => onChange(target.value)}
      error={fieldError(error, 'text')}
      hint="Name no customer, payment or key: everyone can read it."
    />
  )
}
