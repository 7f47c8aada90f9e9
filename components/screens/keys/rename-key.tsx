import { useState } from 'react'
import { DialogForm } from '../../client/dialog-form'
import { fieldError } from '../../client/errors'
import { type OwnKey, useKeyActions } from '../../client/own-key'
import { Dialog } from '../../ui/dialog'
import { NameField } from './name-field'

/** Gives a key another name. */
export function RenameKey({ apiKey, onClose }: { apiKey: Pick<OwnKey, 'id' | 'name'>; onClose: () => void }) {
  const { configure } = useKeyActions()
  const [name, setName] = useState(apiKey.name)
  return (
    <Dialog title="Rename key" open onClose={onClose}>
      <DialogForm
        error={configure.error}
        fields={['name']}
        action="Rename"
        disabled={configure.isPending}
        onEdit={configure.reset}
        onSave={() => configure.mutate({ id: apiKey.id, name }, { onSuccess: onClose })}
        onCancel={onClose}
      >
        <NameField value={name} onChange={setName} error={fieldError(configure.error, 'name')} autoFocus />
      </DialogForm>
    </Dialog>
  )
}
