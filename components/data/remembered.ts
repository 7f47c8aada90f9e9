'use client'

import { useSyncExternalStore } from 'react'

const YEAR_SECONDS = 31_536_000
const CHANGED = 'quittance-remembered'

/**
 * A choice that this browser keeps, and a function that changes it. Null if there is none, and on the server's first render. It is a
 * cookie, so that the server can read it.
 */
export function useRemembered(name: string): [string | null, (value: string) => void] {
  const value = useSyncExternalStore(
    subscribe,
    () => read(name),
    () => null,
  )
  return [value, (to) => write(name, to)]
}

function read(name: string): string | null {
  const found = document.cookie.split('; ').find((pair) => pair.startsWith(`${name}=`))
  return found === undefined ? null : decodeURIComponent(found.slice(name.length + 1))
}

function write(name: string, value: string): void {
  const secure = location.protocol === 'https:' ? '; secure' : ''
  // biome-ignore lint/suspicious/noDocumentCookie: the newer interface is not in all browsers
  document.cookie = `${name}=${encodeURIComponent(value)}; path=/; max-age=${YEAR_SECONDS}; samesite=lax${secure}`
  dispatchEvent(new Event(CHANGED))
}

function subscribe(listener: () => void): () => void {
  addEventListener(CHANGED, listener)
  return () => removeEventListener(CHANGED, listener)
}
