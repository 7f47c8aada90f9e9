'use client'

import { createContext, use, useSyncExternalStore } from 'react'
import type { FirstView, RememberedName } from './first-view'

const YEAR_SECONDS = 31_536_000
const CHANGED = 'quittance-remembered'

/** The view of the HTML. The browser's first render uses it too, so that both draw the same. */
export const AtFirst = createContext<FirstView>({ remembered: {}, now: null })

/** A choice that this browser keeps, or null, and its setter. It is a cookie, so that the HTML of the server shows it too. */
export function useRemembered(name: RememberedName): [string | null, (value: string) => void] {
  const { remembered } = use(AtFirst)
  const value = useSyncExternalStore(
    subscribe,
    () => read(name),
    () => remembered[name] ?? null,
  )
  return [value, (to) => write(name, to)]
}

function read(name: RememberedName): string | null {
  const found = document.cookie.split('; ').find((pair) => pair.startsWith(`${name}=`))
  return found === undefined ? null : decoded(found.slice(name.length + 1))
}

// Other programs of this host write cookies too: one that is not encoded must not break every screen. The server ignores it as well.
function decoded(value: string): string | null {
  try {
    return decodeURIComponent(value)
  } catch {
    return null
  }
}

function write(name: RememberedName, value: string): void {
  const secure = location.protocol === 'https:' ? '; secure' : ''
  // biome-ignore lint/suspicious/noDocumentCookie: the newer interface is not in all browsers
  document.cookie = `${name}=${encodeURIComponent(value)}; path=/; max-age=${YEAR_SECONDS}; samesite=lax${secure}`
  dispatchEvent(new Event(CHANGED))
}

function subscribe(listener: () => void): () => void {
  addEventListener(CHANGED, listener)
  return () => removeEventListener(CHANGED, listener)
}
