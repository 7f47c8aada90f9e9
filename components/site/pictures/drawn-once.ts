import { LRUCache } from 'lru-cache'
import type { ImageResponse } from 'next/og'

/** Drawing takes some 50 ms of the thread that payments need. */
const DRAW_EVERY_MS = 1_000
const KEPT = 100

/** Draws pictures as PNG, each once as long as it is kept; null while another one was drawn a moment ago. */
export function drawnOnce<Words extends object>(draw: (words: Words) => ImageResponse) {
  const kept = new LRUCache<string, ArrayBuffer>({ max: KEPT })
  let drawnAt = Number.NEGATIVE_INFINITY
  return async (words: Words): Promise<ArrayBuffer | null> => {
    const key = JSON.stringify(words)
    const known = kept.get(key)
    if (known) return known
    const now = performance.now()
    if (now - drawnAt < DRAW_EVERY_MS) return null
    drawnAt = now
    const picture = await draw(words).arrayBuffer()
    kept.set(key, picture)
    return picture
  }
}
