'use client'

import { type ReactNode, useState } from 'react'
import { type Finality, finalities } from '@/server/x402/networks/finality'
import { DialogForm } from '../../client/dialog-form'
import { fieldError } from '../../client/errors'
import { type OwnKey, useKeyActions } from '../../client/own-key'
import { Dialog } from '../../ui/dialog'
import { ChoiceField } from '../../ui/fields'
import { CLAIM_FIELDS, ClaimFields, useClaimPolicy } from './claim-policy'
import { LIMIT_FIELDS, LimitFields, useLimits } from './limit-fields'
import { NameField } from './name-field'

/** Edits the name, limits and behavior of a key. */
export function KeySettings({ apiKey, onClose }: { apiKey: OwnKey; onClose: () => void }) {
  const { configure } = useKeyActions()
  const [name, setName] = useState(apiKey.name)
  const { limits, fields } = useLimits(apiKey)
  const [settling, setSettling] = useState<Settling>(apiKey)
  const { policy, fields: policyFields } = useClaimPolicy(apiKey)
  function save() {
    const { shareTransactions, waitUntil, publicReceipts, secondChargeSeconds } = settling
    const changes = { id: apiKey.id, name, shareTransactions, waitUntil, publicReceipts, secondChargeSeconds }
    if (limits && policy) configure.mutate({ ...changes, ...limits, ...policy }, { onSuccess: onClose })
  }
  return (
    <Dialog title="Key settings" open onClose={onClose} description="Changes apply from the next payment.">
      <DialogForm
        error={configure.error}
        fields={['name', ...LIMIT_FIELDS, ...CLAIM_FIELDS]}
        action="Save"
        disabled={configure.isPending || limits === null || policy === null}
        onEdit={configure.reset}
        onSave={save}
        onCancel={onClose}
      >
        <NameField value={name} onChange={setName} error={fieldError(configure.error, 'name')} />
        <Fields title="Limits">
          <LimitFields {...fields} error={configure.error} />
        </Fields>
        <Fields title="Behavior">
          <SettlingFields settling={settling} onChange={setSettling} />
          <ClaimFields {...policyFields} error={configure.error} />
        </Fields>
      </DialogForm>
    </Dialog>
  )
}

function Fields({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section aria-label={title} className="grid grid-cols-1 gap-4 border-t pt-4">
      <h3 className="font-semibold">{title}</h3>
      {children}
    </section>
  )
}

/** How the payments of a key are settled, while it is edited. */
type Settling = Pick<OwnKey, 'shareTransactions' | 'waitUntil' | 'publicReceipts' | 'secondChargeSeconds'>

/** When settle answers, in words. */
export const ANSWERS: Record<Finality, string> = {
  preconfirmed: 'At preconfirmation',
  included: 'When in a block',
  safe: 'When its block is safe',
  finalized: 'When its block is finalized',
}

type Props = { settling: Settling; onChange: (settling: Settling) => void }

/** The guarded times that one can choose, in seconds. The API takes any from 1 to 600. */
const GUARDED_SECONDS = [30, 60, 300, 600]

/** The fields for when settle answers, second charges, whether payments share transactions, and whether receipts are public. */
function SettlingFields({ settling, onChange }: Props) {
  return (
    <>
      <ChoiceField
        label="Respond to settle"
        value={settling.waitUntil ?? ''}
        options={[
          ['', 'As usual: in a block, on /flash at preconfirmation'],
          ...finalities.map((finality) => [finality, ANSWERS[finality]] as const),
        ]}
        onChange={({ target }) => onChange({ ...settling, waitUntil: finalities.find((one) => one === target.value) ?? null })}
        hint={
          <>
            On Base, a block is safe after about 12 seconds and finalized after some minutes. After 20 seconds we answer{' '}
            <code>settlement_pending</code>. <a href="/docs/settlement">How payments settle</a>
          </>
        }
      />
      <ChoiceField
        label="Repeated payments"
        value={String(settling.secondChargeSeconds ?? '')}
        options={[
          ['', 'Allowed'],
          ...guardedTimes(settling.secondChargeSeconds).map(
            (seconds) => [String(seconds), `Refused for ${seconds} seconds`] as const,
          ),
        ]}
        onChange={({ target }) => onChange({ ...settling, secondChargeSeconds: Number(target.value) || null })}
        hint="Another payment of the same payer, resource and amount takes no money while the answer to the first may be lost. An answer that we began to send, a lookup or a delivered webhook ends that."
      />
      <label className="flex items-start gap-2">
        <input
          type="checkbox"
          className="mt-0.75"
          checked={settling.shareTransactions}
          onChange={({ target }) => onChange({ ...settling, shareTransactions: target.checked })}
        />
        <span>
          Batched transactions
          <span className="block text-sm text-soft">
            Payments that arrive together may share a transaction. Each answer names its own log in it.
          </span>
        </span>
      </label>
      <label className="flex items-start gap-2">
        <input
          type="checkbox"
          className="mt-0.75"
          checked={settling.publicReceipts}
          onChange={({ target }) => onChange({ ...settling, publicReceipts: target.checked })}
        />
        <span>
          Public receipts
          <span className="block text-sm text-soft">
            Each receipt gets a link that nobody can guess. Settle answers and webhooks contain it.
          </span>
        </span>
      </label>
    </>
  )
}

/** The times to choose, with one that the API set. */
function guardedTimes(chosen: number | null): number[] {
  return chosen === null || GUARDED_SECONDS.includes(chosen) ? GUARDED_SECONDS : [...GUARDED_SECONDS, chosen]
}
