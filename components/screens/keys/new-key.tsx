'use client'

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
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
export function NewKey({ onClose, onCreated }: { onClose: () => void; onCreated: (secret: Secret, name: string) => void }) {
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
        onCreated({ secret, url }, name)
      },
    }),
  )
  const faulty = limits === null || LIMIT_FIELDS.some((field) => fieldError(create.error, field) !== undefined)
  function save() {
    if (limits) create.mutate({ name, ...limits })
  }
  return (
    <Dialog
      title="New key"
      open
      onClose={onClose}
      description={`A key works ${where}. New keys share the monthly quota of the Free plan.`}
    >
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
          <summary className="flex min-h-10 cursor-pointer list-none items-center gap-2 px-3 text-sm [&::-webkit-details-marker]:hidden">
            <Plus aria-hidden className="size-4 text-soft transition-transform group-open:rotate-45" />
            <span className="font-medium">Add limits</span>
            {faulty ? (
              <span className="ml-auto text-bad">Check the fields</span>
            ) : (
              <span className="ml-auto text-soft group-open:invisible">
                {limitsText(limits) ?? 'Networks, recipient, amount'}
              </span>
            )}
          </summary>
          <div className="grid gap-4 border-t px-3 py-3">
            <LimitFields {...fields} error={create.error} />
          </div>
        </details>
      </DialogForm>
    </Dialog>
  )
}
