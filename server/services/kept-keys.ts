import { LRUCache } from 'lru-cache'
import type { Db } from '../store/database'
import { countKeys } from '../store/idempotency'
import type { Caller } from './caller'

/** How many idempotency keys each caller keeps. It is counted in the database once a minute, and here in between. */
export type KeptKeys = {
  /** Whether the caller may keep one more. */
  hasRoom(caller: KeepingCaller): Promise<boolean>
  /** The caller keeps one more, or one less. */
  changed(callerId: string, by: 1 | -1): void
}

/** What decides how many keys a caller may keep. */
export type KeepingCaller = Pick<Caller, 'id' | 'limits' | 'metered'>

/** Everyone may keep so many a day. */
const LEAST = 10_000
/** Credits have no month: agents may keep so many a day. */
const OF_AGENTS = 100_000
const REMEMBERED_CALLERS = 10_000
const COUNTED_EVERY_MS = 60_000

type Count = { kept: number }

/** The counts of one process. */
export function createKeptKeys(db: Db): KeptKeys {
  const counts = new LRUCache<string, Count, number>({
    max: REMEMBERED_CALLERS,
    ttl: COUNTED_EVERY_MS,
    fetchMethod: async (callerId, _stale, { context: most }) => ({ kept: await countKeys(db, callerId, most) }),
    ignoreFetchAbort: true,
  })
  return {
    async hasRoom(caller) {
      const most = mostKeysOf(caller)
      const { kept } = await counts.forceFetch(caller.id, { context: most })
      return kept < most
    },
    changed(callerId, by) {
      const count = counts.get(callerId)
      if (count) count.kept += by
    },
  }
}

/** A caller who settles its whole month in one day keeps that many keys. */
function mostKeysOf({ limits, metered }: KeepingCaller): number {
  return Math.max(LEAST, metered.by === 'credits' ? OF_AGENTS : limits.settlements)
}
