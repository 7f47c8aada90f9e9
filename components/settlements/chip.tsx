import { X } from 'lucide-react'
import { Button } from '../ui/button'

/** A filter that a click clears. */
export function Chip({ text, clears, onClear }: { text: string; clears: string; onClear: () => void }) {
  return (
    <Button size="small" onClick={onClear} title={text} className="max-w-72">
      <span className="truncate">{text}</span>
      <X aria-label={clears} className="size-3.5" />
    </Button>
  )
}
