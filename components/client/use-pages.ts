'use client'

import { useState } from 'react'

/** Cursor pages of a list. A new `key` starts at the first page. */
export function usePages(key: string) {
  const [pages, setPages] = useState<{ key: string; cursors: string[] }>({ key, cursors: [] })
  // A cursor of another list is never used, not even once.
  const cursors = pages.key === key ? pages.cursors : []
  const go = (to: string[]) => setPages({ key, cursors: to })
  return {
    /** The cursor of this page; undefined for the first. */
    cursor: cursors.at(-1),
    /** Go to the newer and older pages; null if there is none, or while the rows before are still shown: `next` then leads here. */
    neighbors: (next: string | null | undefined) => ({
      newer: cursors.length > 0 ? () => go(cursors.slice(0, -1)) : null,
      older: next && next !== cursors.at(-1) ? () => go([...cursors, next]) : null,
    }),
  }
}
