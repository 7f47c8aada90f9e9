'use client'

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { ChevronDown } from 'lucide-react'
import { useState } from 'react'
import { DialogForm } from '../../client/dialog-form'
import { fieldError } from '../../client/errors'
import { useTRPC } from '../../client/trpc'
import { useSignedWallet, worksInTest } from '../../client/use-signed-wallet'
import { Dialog } from '../../ui/dialog'
import type { Secret } from '../../ui/secret-dialog'
import { LIMIT_FIELDS, LimitFields, limitsText, useLimits } from './limit-fields'
import { NameField } from './name-field'

/** Creates a named key, with limits on request. */
export function NewKey({ onClose, onCreated }: { onClose: () => void; onCreated: (secret: Secret) => void }) {
  const trpc = useTRPC()
  const queries = useQueryClient()
  const where = worksInTest(useSignedWallet()) ? 'in Live and Test' : 'in Live only'
  const [name, setName] = useState('')
  const [unfolded, setUnfolded] = useState(false)
  const { limits, fields } = useLimits()
  const create = useMutation(
    trpc.keys.create.mutationOptions({
      onError: (error) => {
        // The faulty field must be visible.
        if (LIMIT_FIELDS.some((field) => fieldError(error, field) !== undefined)) setUnfolded(true)
      },
      onSuccess: ({ secret, url }) => {
        void queries.invalidateQueries(trpc.keys.list.pathFilter())
        onClose()
        onCreated({ secret, url })
      },
    }),
  )
  const faulty = limits === null || LIMIT_FIELDS.some((field) => fieldError(create.error, field) !== undefined)
  function save() {
    if (limits) create.mutate({ name, ...limits })
  }
  return (
    <Dialog title="New key" open onClose={onClose} description={`A key works ${where}. You see its secret once.`}>
      <DialogForm
        error={create.error}
        fields={['name', ...LIMIT_FIELDS]}
        action="Create key"
        disabled={create.isPending || limits === null}
        onEdit={create.reset}
        onSave={save}
        onCancel={onClose}
      >
        <NameField value={name} onChange={setName} error={fieldError(create.error, 'name')} autoFocus />
        <details
          open={unfolded}
          onToggle={({ currentTarget }) => setUnfolded(currentTarget.open)}
          className="group rounded-lg border"
        >
          <summary className="grid min-h-10 cursor-pointer list-none grid-cols-[minmax(0,1fr)_auto_auto] items-center gap-x-2 px-3 py-2 text-sm [&::-webkit-details-marker]:hidden">
            <span className="font-medium">Limits (optional)</span>
            {faulty ? (
              <span className="text-bad">Check the fields</span>
            ) : (
              <span className="text-soft group-open:invisible">{limitsText(limits)}</span>
            )}
            <ChevronDown aria-hidden className="size-4 text-soft transition-transform group-open:rotate-180" />
            <span className="col-span-2 text-soft">Limit networks, recipient or amount. You can change this later.</span>
          </summary>
          <div className="grid gap-4 border-t px-3 py-3">
            <LimitFields {...fields} error={create.error} />
          </div>
        </details>
        <p className="text-sm text-soft">New keys share the monthly quota of the Free plan.</p>
      </DialogForm>
    </Dialog>
  )
}
