'use client'

import { useRef } from 'react'
import { useCommands } from '../shell/commands'

/** Goes through the rows of a list by keys. What it returns is the ref of the element that holds the rows, each opened by what is marked `data-opens`. */
export function useStepThrough() {
  const list = useRef<HTMLDivElement>(null)
  useCommands([
    { title: 'Next row, which Enter opens', key: 'j', repeats: true, run: () => stepThrough(list.current, 1) },
    { title: 'Previous row', key: 'k', repeats: true, run: () => stepThrough(list.current, -1) },
  ])
  return list
}

/** Puts the focus on the row after or before the one that has it; on the first when none has. */
function stepThrough(list: HTMLElement | null, by: 1 | -1): void {
  // Of table and cards one is seen.
  const rows = [...(list?.querySelectorAll<HTMLElement>('[data-opens]') ?? [])].filter((one) => one.checkVisibility())
  const at = rows.findIndex((one) => one.closest('tr, li')?.contains(document.activeElement))
  rows[at < 0 ? 0 : Math.min(Math.max(at + by, 0), rows.length - 1)]?.focus()
}
