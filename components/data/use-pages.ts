'use client'

import { useEffect, useState } from 'react'

/** The pages of a list, by their cursors. Another `key` is another list, which begins at its first page. */
export function usePages(key: string) {
  const [cursors, setCursors] = useState<string[]>([])
  // biome-ignore lint/correctness/useExhaustiveDependencies: another list begins at its first page
  useEffect(() => setCursors([]), [key])
  return {
    /** Where this page begins; undefined for the first. */
    cursor: cursors.at(-1),
    /** The ways to the pages beside this one; null where there is none. */
    pagesBeside: (next: string | null | undefined) => ({
      newer: cursors.length > 0 ? () => setCursors(cursors.slice(0, -1)) : null,
      older: next ? () => setCursors([...cursors, next]) : null,
    }),
  }
}
