'use client'

import { useRef } from 'react'
import { useCommands } from './commands'

/** Steps through the rows of a list with j and k. Returns the ref of the list; rows open by their `data-opens` element. */
export function useStepThrough() {
  const list = useRef<HTMLDivElement>(null)
  useCommands([
    { title: 'Next row (Enter opens it)', key: 'j', repeats: true, run: () => stepThrough(list.current, 1) },
    { title: 'Previous row', key: 'k', repeats: true, run: () => stepThrough(list.current, -1) },
  ])
  return list
}

/** Focuses the next or previous row; the first if no row has the focus. */
function stepThrough(list: HTMLElement | null, by: 1 | -1): void {
  // Either the table or the cards are visible.
  const rows = [...(list?.querySelectorAll<HTMLElement>('[data-opens]') ?? [])].filter((one) => one.checkVisibility())
  const at = rows.findIndex((one) => one.closest('tr, li')?.contains(document.activeElement))
  rows[at < 0 ? 0 : Math.min(Math.max(at + by, 0), rows.length - 1)]?.focus()
}
