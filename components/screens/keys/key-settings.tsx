'use client'

import { type FormEvent, useState } from 'react'
import { fieldError, formError } from '../../client/errors'
import { type OwnKey, useKeyActions } from '../../client/own-key'
import { Problem } from '../../client/problem'
import { Button } from '../../ui/button'
import { Dialog, FormActions } from '../../ui/dialog'
import { TextField } from '../../ui/fields'
import { LIMIT_FIELDS, LimitFields, useLimits } from './limit-fields'
import { type Settling, SettlingFields } from './settling-fields'

/** Edits the name and limits of a key. */
export function KeySettings({ apiKey, onClose }: { apiKey: OwnKey; onClose: () => void }) {
  const { configure } = useKeyActions()
  const [name, setName] = useState(apiKey.name)
  const { limits, fields } = useLimits(apiKey)
  const [settling, setSettling] = useState<Settling>(apiKey)
  const problem = formError(configure.error, ['name', ...LIMIT_FIELDS])
  function save(event: FormEvent) {
    event.preventDefault()
    const { shareTransactions, waitUntil } = settling
    if (limits) configure.mutate({ id: apiKey.id, name, shareTransactions, waitUntil, ...limits }, { onSuccess: onClose })
  }
  return (
    <Dialog title="Key settings" open onClose={onClose} description="Changes apply from the next payment.">
      <form onSubmit={save} className="grid gap-4">
        {problem ? <Problem error={problem} /> : null}
        <TextField
          label="Name"
          value={name}
          onChange={({ target }) => setName(target.value)}
          maxLength={100}
          error={fieldError(configure.error, 'name')}
        />
        <LimitFields {...fields} error={configure.error} />
        <SettlingFields settling={settling} onChange={setSettling} />
        <FormActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" disabled={configure.isPending || limits === null}>
            Save
          </Button>
        </FormActions>
      </form>
    </Dialog>
  )
}
