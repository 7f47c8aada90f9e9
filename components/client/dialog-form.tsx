import type { FormEvent, ReactNode } from 'react'
import { Button } from '../ui/button'
import { formError } from './errors'
import { Problem } from './problem'

type Props = {
  error: { message: string } | null
  /** The fields that show their own errors. */
  fields: readonly string[]
  /** The text of the button that saves. */
  action: string
  disabled: boolean
  /** Forgets the error: what is edited is no longer what it was about. */
  onEdit: () => void
  onSave: () => void
  onCancel: () => void
  children: ReactNode
}

/** The form of a dialog. Its buttons stay in sight while its fields scroll. */
export function DialogForm({ error, fields, action, disabled, onEdit, onSave, onCancel, children }: Props) {
  const problem = formError(error, fields)
  function save(event: FormEvent) {
    event.preventDefault()
    onSave()
  }
  return (
    <form noValidate onSubmit={save} onInput={() => (error ? onEdit() : undefined)} className="grid gap-4">
      {problem ? <Problem error={problem} /> : null}
      {children}
      <div className="sticky bottom-0 -mx-5 -mb-5 flex justify-end gap-2 border-t bg-card px-5 py-3">
        <Button onClick={onCancel}>Cancel</Button>
        <Button type="submit" look="primary" disabled={disabled}>
          {action}
        </Button>
      </div>
    </form>
  )
}
