'use client'

import { type KeyboardEvent, useState } from 'react'
import { singleKeys } from './commands'
import { copyId } from './use-copy'

/** The opened row, the rows behind the drawer, what opens another one, and the ID that people know, if it is not that of the row. */
type Options = {
  id: string | null
  rows: readonly { id: string }[] | undefined
  onOpen: (id: string) => void
  shownId?: string | undefined
}

/** Steps of a drawer through the rows behind it, also by j and k; c copies the ID. The last opened row gets the focus when the drawer closes. */
export function useDrawerSteps({ id, rows = [], onOpen, shownId }: Options) {
  const [last, setLast] = useState(id)
  if (id !== null && id !== last) setLast(id)
  const at = rows.findIndex((row) => row.id === id)
  const to = (by: 1 | -1) => {
    const row = at < 0 ? undefined : rows[at + by]
    return row ? () => onOpen(row.id) : null
  }
  const [previous, next] = [to(-1), to(1)]
  return {
    previous,
    next,
    onKey(event: KeyboardEvent) {
      if (event.ctrlKey || event.metaKey || event.altKey || !singleKeys.areOn()) return
      // Keys of a dialog above it arrive here too.
      if (!(event.target instanceof Node && event.currentTarget.contains(event.target))) return
      if (event.key === 'j') next?.()
      if (event.key === 'k') previous?.()
      if (event.key === 'c' && !event.repeat) void copyId(shownId ?? id)
    },
    returnsTo: () => rowOf(last),
  }
}

// Either the table or the cards are visible.
function rowOf(id: string | null): HTMLElement | null {
  const rows = [...document.querySelectorAll<HTMLElement>(`[data-opens="${id ?? ''}"]`)]
  return rows.find((one) => one.checkVisibility()) ?? null
}
