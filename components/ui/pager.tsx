import { ChevronLeft, ChevronRight } from 'lucide-react'
import { Button } from './button'

/** Buttons for newer and older rows; in another order, for the previous and the next ones. Absent with a single page. */
export function Pager({
  newer,
  older,
  names = ['Newer', 'Older'],
  label = 'Pages',
  range,
}: {
  newer: (() => void) | null
  older: (() => void) | null
  names?: readonly [newer: string, older: string]
  /** Tells it from another one of the screen. */
  label?: string
  /** Which rows of how many these are, if that is known. */
  range?: string | null
}) {
  if (!newer && !older) return null
  return (
    <nav aria-label={label} className="mt-3 flex items-center justify-end gap-2">
      {range ? <p className="mr-auto text-sm text-soft tabular-nums">{range}</p> : null}
      <Button size="small" disabled={!newer} onClick={() => newer?.()}>
        <ChevronLeft aria-hidden className="size-4" /> {names[0]}
      </Button>
      <Button size="small" disabled={!older} onClick={() => older?.()}>
        {names[1]} <ChevronRight aria-hidden className="size-4" />
      </Button>
    </nav>
  )
}
