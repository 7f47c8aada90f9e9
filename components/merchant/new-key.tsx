'use client'

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { fieldError, formError } from '../data/errors'
import { useTRPC } from '../data/trpc'
import { Button } from '../ui/button'
import { Dialog } from '../ui/dialog'
import { TextField } from '../ui/fields'
import { Problem } from '../ui/panel'
import type { Secret } from './secret-dialog'

/** Creates a named key. */
export function NewKey({
  open,
  onClose,
  onCreated,
}: {
  open: boolean
  onClose: () => void
  onCreated: (secret: Secret) => void
}) {
  const trpc = useTRPC()
  const queries = useQueryClient()
  const [name, setName] = useState('')
  const create = useMutation(
    trpc.keys.create.mutationOptions({
      onSuccess: ({ secret, url }) => {
        void queries.invalidateQueries(trpc.keys.list.pathFilter())
        setName('')
        onClose()
        onCreated({ secret, url })
      },
    }),
  )
  const problem = formError(create.error, ['name'])
  return (
    <Dialog
      title="New key"
      open={open}
      onClose={onClose}
      description="New keys share the monthly quota of the free plan. A key works in Live and Test."
    >
      <form
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          create.mutate({ name })
        }}
      >
        {problem ? <Problem error={problem} /> : null}
        <TextField
          label="Name"
          value={name}
          onChange={({ target }) => setName(target.value)}
          maxLength={100}
          error={fieldError(create.error, 'name')}
          hint="Only you see it. Name the server or project."
          autoFocus
        />
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" disabled={create.isPending}>
            Create key
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
