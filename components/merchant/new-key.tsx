'use client'

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
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
  return (
    <Dialog title="New key" open={open} onClose={onClose} description="All your keys share the monthly quota of the free plan.">
      <form
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          create.mutate({ name })
        }}
      >
        {create.error ? <Problem error={create.error} /> : null}
        <TextField
          label="Name"
          value={name}
          onChange={({ target }) => setName(target.value)}
          maxLength={100}
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
