import { LRUCache } from 'lru-cache'
import { createReadSlots, type ReadSlots } from '../base/read-slots'
import type { Rate } from '../base/token-buckets'

/**
 * Computes sums in turns by reader. Concurrent callers with the same `key` share one computation, so the key must identify the query and
 * its time. Throws `too_many` and `unavailable` as `ReadSlots`.
 */
export type Coalesce = <Sum>(reader: string, key: string, sum: () => Promise<Sum>) => Promise<Sum>

/** How many sums, and how many of today's short counts, are computed at once. */
export const SUMS_AT_ONCE = 3
export const COUNTS_AT_ONCE = 1

// A screen computes a few sums at once, and a person has several tabs.
const EACH = 16

/** A sum takes 20 ms of a core: a reader that never stops asking takes a tenth of one. */
const RATE: Rate = { burst: 60, perSecond: 5 }

/** The slots of sums, and the rate of a reader. */
export const sumSlots = (atOnce = SUMS_AT_ONCE): ReadSlots => createReadSlots({ what: 'sums', atOnce, each: EACH, rate: RATE })

/** Sums computed in these slots. */
export function createCoalesce(slots: ReadSlots = createReadSlots({ what: 'sums', atOnce: SUMS_AT_ONCE })): Coalesce {
  const inFlight = new Map<string, Promise<unknown>>()
  return <Sum>(reader: string, key: string, sum: () => Promise<Sum>) => {
    const joined = inFlight.get(key)
    if (joined) return sameKind<Sum>(joined)
    const begun = slots(reader, sum).finally(() => inFlight.delete(key))
    inFlight.set(key, begun)
    return begun
  }
}

// The key guarantees the type, here and below.
const sameKind = <Sum>(joined: Promise<unknown>) => joined as Promise<Sum>

/**
 * Returns the sums of a key for so many milliseconds after they were computed; the sums may say how many. The key must identify the query and its time. A reader has
 * a share of what is kept, and takes nothing from others.
 */
export type Recent = <Sums extends object>(
  reader: string,
  key: string,
  keepMs: number | ((sums: Sums) => number),
  compute: () => Promise<Sums>,
) => Promise<Sums>

/** The sums of a year are up to a megabyte. */
const KEPT = 64
const KEPT_OF_READER = 16

type Options = { kept?: number; keptOfReader?: number }

/** The recent sums of a process. */
export function createRecent({ kept: max = KEPT, keptOfReader = KEPT_OF_READER }: Options = {}): Recent {
  // In the order of their keeping.
  const keysOf = new Map<string, Set<string>>()
  const kept = new LRUCache<string, { reader: string; sums: object }>({
    max,
    dispose({ reader }, key) {
      const own = keysOf.get(reader)
      own?.delete(key)
      if (own?.size === 0) keysOf.delete(reader)
    },
  })

  function keep(reader: string, key: string, sums: object, ttl: number): void {
    kept.set(key, { reader, sums }, { ttl })
    const own = keysOf.get(reader) ?? new Set()
    keysOf.set(reader, own.add(key))
    const [oldest] = own
    if (own.size > keptOfReader && oldest !== undefined) kept.delete(oldest)
  }

  return async <Sums extends object>(
    reader: string,
    key: string,
    keepMs: number | ((sums: Sums) => number),
    compute: () => Promise<Sums>,
  ) => {
    const known = kept.get(key)
    if (known) return keptAs<Sums>(known.sums)
    const sums = await compute()
    const ms = typeof keepMs === 'number' ? keepMs : keepMs(sums)
    if (ms > 0) keep(reader, key, sums, ms)
    return sums
  }
}

const keptAs = <Sums>(known: object) => known as Sums
