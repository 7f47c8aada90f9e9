import type { Log } from './log'
import { type Loop, startLoop } from './settlement/loop'
import { pruneLookups } from './store/agents'
import { pruneEntries } from './store/catalog'
import type { Db } from './store/database'
import { pruneKeys } from './store/idempotency'
import { pruneEffects } from './store/outbox'

const HOURLY_MS = 3_600_000
const RETRY_MS = 60_000
const BATCH = 1_000

export type HousekeepingOptions = { db: Db; log: Log; everyMs?: number; batch?: number }

/** What is deleted when its time is over: each takes away some and says how many. */
const prunes = [pruneKeys, pruneEffects, pruneEntries, pruneLookups] as const

/** Starts what nobody waits for: at once and then hourly, whatever has outlived its time is deleted, batch by batch. */
export function startHousekeeping({ db, log, everyMs = HOURLY_MS, batch = BATCH }: HousekeepingOptions): Loop {
  let stopping = false
  async function sweep(): Promise<number> {
    for (const prune of prunes) while (!stopping && (await prune(db, batch)) === batch);
    return everyMs
  }
  const loop = startLoop(sweep, (error) => log.error({ err: error }, 'housekeeping failed'), RETRY_MS)
  return {
    kick: loop.kick,
    stop() {
      stopping = true
      return loop.stop()
    },
  }
}
