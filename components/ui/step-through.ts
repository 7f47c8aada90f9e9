'use client'

import { useRef } from 'react'
import { useCommands } from './commands'
import { copyId } from './use-copy'

/**
 * Steps through the rows of a list with j and k, and copies the ID of the row with the focus with c. Returns the ref of the list; rows open by
 * their `data-opens` element. `idOf`: the ID that people know, if it is not what opens the row.
 */
export function useStepThrough(idOf: (opens: string) => string = (opens) => opens) {
  const list = useRef<HTMLDivElement>(null)
  useCommands([
    { title: 'Next row (Enter opens it)', key: 'j', repeats: true, run: () => stepThrough(list.current, 1) },
    { title: 'Previous row', key: 'k', repeats: true, run: () => stepThrough(list.current, -1) },
    { title: 'Copy the ID of the row', key: 'c', run: () => void copyId(opensOf(list.current), idOf) },
  ])
  return list
}

/** Focuses the next or previous row; the first if no row has the focus. */
function stepThrough(list: HTMLElement | null, by: 1 | -1): void {
  const rows = rowsIn(list)
  const at = rows.findIndex(hasFocus)
  rows[at < 0 ? 0 : Math.min(Math.max(at + by, 0), rows.length - 1)]?.focus()
}

// Either the table or the cards are visible.
const rowsIn = (list: HTMLElement | null) =>
  [...(list?.querySelectorAll<HTMLElement>('[data-opens]') ?? [])].filter((one) => one.checkVisibility())

const hasFocus = (row: HTMLElement) => row.closest('tr, li')?.contains(document.activeElement) ?? false

/** What the row with the focus opens; null without one. */
const opensOf = (list: HTMLElement | null) => rowsIn(list).find(hasFocus)?.dataset.opens ?? null
