import { Plus } from 'lucide-react'
import { Button } from '../ui/button'

type Props = {
  /** What it adds. */
  text: string
  onAdd: () => void
  /** Why no more can be added now, with what to do; null if more can be. */
  full: string | null
}

/** Adds one to a list of limited length. A full list says beside it why it cannot. */
export function AddButton({ text, onAdd, full }: Props) {
  return (
    <>
      {full === null ? null : <p className="text-sm text-soft">{full}</p>}
      <Button look="primary" onClick={onAdd} disabled={full !== null}>
        <Plus aria-hidden className="size-4" /> {text}
      </Button>
    </>
  )
}
