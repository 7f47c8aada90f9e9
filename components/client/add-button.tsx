import { Plus } from 'lucide-react'
import { Button } from '../ui/button'

type Props = {
  /** What it adds. */
  text: string
  onAdd: () => void
  /** Why no more can be added now, with what to do; null if more can be. */
  full: string | null
  /** Whether something else on the screen comes first. */
  second?: boolean
}

/** Adds one to a list of limited length. A full list says beside it why it cannot. */
export function AddButton({ text, onAdd, full, second = false }: Props) {
  return (
    <>
      {full === null ? null : <p className="text-sm text-soft">{full}</p>}
      <Button look={second ? 'plain' : 'primary'} size={second ? 'small' : 'usual'} onClick={onAdd} disabled={full !== null}>
        <Plus aria-hidden className="size-4" /> {text}
      </Button>
    </>
  )
}
