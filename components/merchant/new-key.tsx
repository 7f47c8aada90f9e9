'use client'

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { fieldError, formError } from '../data/errors'
import { useTRPC } from '../data/trpc'
import { Button } from '../ui/button'
import { Dialog } from '../ui/dialog'
import { TextField } from '../ui/fields'
import { Problem } from '../ui/panel'
import { LIMIT_FIELDS, LimitFields, useLimits } from './limit-fields'
import type { Secret } from './secret-dialog'

/** Creates a named key, with limits on request. */
export function NewKey({ onClose, onCreated }: { onClose: () => void; onCreated: (secret: Secret) => void }) {
  const trpc = useTRPC()
  const queries = useQueryClient()
  const [name, setName] = useState('')
  const { limits, fields } = useLimits()
  const create = useMutation(
    trpc.keys.create.mutationOptions({
      onSuccess: ({ secret, url }) => {
        void queries.invalidateQueries(trpc.keys.list.pathFilter())
        onClose()
        onCreated({ secret, url })
      },
    }),
  )
  const problem = formError(create.error, ['name', ...LIMIT_FIELDS])
  function save(event: FormEvent) {
    event.preventDefault()
    if (limits) create.mutate({ name, ...limits })
  }
  return (
    <Dialog
      title="New key"
      open
      onClose={onClose}
      description="New keys share the monthly quota of the Free plan. A key works in Live and Test."
    >
      <form className="grid gap-4" onSubmit={save}>
        {problem ? <Problem error={problem} /> : null}
        <TextField
          label="Name"
          value={name}
          onChange={({ target }) => setName(target.value)}
          maxLength={100}
          placeholder="Production server"
          error={fieldError(create.error, 'name')}
          hint="Only you see it. Name the server or project."
          autoFocus
        />
        <details className="rounded-lg border border-solid border-line">
          <summary className="flex min-h-10 cursor-pointer items-center gap-2 px-3 text-[0.8125rem] font-medium">
            Limits (optional)
            {limits === null ? <span className="text-bad">Check the fields</span> : null}
          </summary>
          <div className="grid gap-4 px-3 pt-1 pb-3">
            <LimitFields {...fields} error={create.error} />
          </div>
        </details>
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" disabled={create.isPending || limits === null}>
            Create key
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
