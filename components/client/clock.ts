'use client'

import { use, useSyncExternalStore } from 'react'
import { MINUTE_MS } from '@/server/base/durations'
import { AtFirst } from './remembered'

const TICK_MS = 1_000

let now = 0
let timer: ReturnType<typeof setInterval> | null = null
const listeners = new Set<() => void>()

/**
 * A text that depends on the time; before hydration at that of the HTML, or null on pages without one. One timer serves all texts of a
 * page, so no two disagree.
 */
export function useClock(text: (now: number) => string): string | null {
  const { now: first } = use(AtFirst)
  return useSyncExternalStore(
    subscribe,
    () => text(read()),
    () => (first === null ? null : text(first)),
  )
}

/** The minute that began last, in milliseconds: the present of made-up rows. */
export function useMinute(): number {
  return Number(useClock((at) => String(at - (at % MINUTE_MS))) ?? 0)
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  timer ??= setInterval(tick, TICK_MS)
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0 || timer === null) return
    clearInterval(timer)
    timer = null
    now = 0
  }
}

function read(): number {
  if (now === 0) now = Date.now()
  return now
}

// A hidden page needs no new text.
function tick(): void {
  if (document.hidden) return
  now = Date.now()
  for (const listener of listeners) listener()
}
