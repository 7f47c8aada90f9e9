/**
 * Where a merchant keeps which payments it served. Every process that serves them shares one store. `memoryStore`, `fileStore`, `redisStore`
 * and `sqlStore` are such stores.
 */
export type ServedStore = {
  /** The time since which it knows every served payment, in Unix milliseconds: the time at which it was made. */
  since: () => Promise<number>
  /** The value of a key; null if there is none. */
  get: (key: string) => Promise<string | null>
  /** Sets a key whose value is `before` (null: has none), in one step and on the disk. False if its value is another. */
  replace: (key: string, before: string | null, after: string) => Promise<boolean>
}

/** How long a store must keep an entry, in milliseconds: far longer than a payment can be recovered. */
export const KEPT_MS = 24 * 60 * 60 * 1_000

/** How often a store on the disk removes older entries, in milliseconds. */
export const PRUNED_EVERY_MS = 60 * 60 * 1_000

/** Removes the entries that are older than a store must keep, from a Map in the order of their age. */
export function forgetOld<Entry>(entries: Map<string, Entry>, ageOf: (entry: Entry) => number): void {
  for (const [key, entry] of entries) {
    if (ageOf(entry) < KEPT_MS) return
    entries.delete(key)
  }
}
