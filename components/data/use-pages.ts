'use client'

import { useEffect, useState } from 'react'

/** Cursor pages of a list. A new `key` starts at the first page. */
export function usePages(key: string) {
  const [cursors, setCursors] = useState<string[]>([])
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new key starts at the first page
  useEffect(() => setCursors([]), [key])
  return {
    /** The cursor of this page; undefined for the first. */
    cursor: cursors.at(-1),
    /** Go to the newer and older pages; null if there is none. */
    neighbors: (next: string | null | undefined) => ({
      newer: cursors.length > 0 ? () => setCursors(cursors.slice(0, -1)) : null,
      older: next ? () => setCursors([...cursors, next]) : null,
    }),
  }
}
