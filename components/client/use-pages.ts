'use client'

import { parseAsString, useQueryState } from 'nuqs'

/** The parameter of the URL that names a page. What changes a list sets it to null: that list starts at its first page. */
export const pageParser = { page: parseAsString }

/** Cursor pages of a list, in the URL. A page of another list is ignored; `key` tells lists apart. */
export function usePages(key: string) {
  const [page, setPage] = useQueryState('page', pageParser.page.withOptions({ history: 'push' }))
  const list = nameOf(key)
  const cursor = page?.startsWith(`${list}.`) ? page.slice(list.length + 1) : undefined
  const go = (to: string | null) => void setPage(to === null ? null : `${list}.${to}`)
  return {
    /** The cursor of this page; undefined for the first. */
    cursor,
    /** Go to the newer and older pages; null if there is none, or while the rows before are still shown: `next` then leads here. */
    neighbors: (next: string | null | undefined) => ({
      newer: cursor === undefined ? null : () => go(pageBefore(cursor)),
      older:
        next && next !== cursor
          ? () => {
              noteBefore(next, cursor)
              go(next)
            }
          : null,
    }),
  }
}

/** A short name of a list. */
function nameOf(key: string): string {
  let hash = 0
  for (const letter of key) hash = (Math.imul(hash, 31) + (letter.codePointAt(0) ?? 0)) | 0
  return (hash >>> 0).toString(36)
}

// A cursor does not say which one was before it, so this tab remembers. Another tab goes back to the first page.
const noteBefore = (cursor: string, before: string | undefined) => inTab((tab) => tab.setItem(STORED + cursor, before ?? ''))
const pageBefore = (cursor: string): string | null => inTab((tab) => tab.getItem(STORED + cursor)) || null

const STORED = 'page before '

// A browser may forbid storage.
function inTab<T>(use: (tab: Storage) => T): T | null {
  try {
    return use(sessionStorage)
  } catch {
    return null
  }
}
