import { forgetOld, type ServedStore } from './store'

/** Keeps served payments in this process. It survives lost answers, but no restart: for development. */
export function memoryStore(now: () => number = Date.now): ServedStore {
  const since = now()
  const entries = new Map<string, { value: string; at: number }>()
  return {
    since: async () => since,
    get: async (key) => entries.get(key)?.value ?? null,
    async replace(key, before, after) {
      if ((entries.get(key)?.value ?? null) !== before) return false
      // Removed first: a Map lists its keys in the order in which they came.
      entries.delete(key)
      entries.set(key, { value: after, at: now() })
      forgetOld(entries, ({ at }) => now() - at)
      return true
    },
  }
}
