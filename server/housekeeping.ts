import type { Log } from './log'
import { type Loop, startLoop } from './settlement/loop'
import { pruneMemos } from './store/analytics-memo'
import type { Db } from './store/database'
import { pruneKeys } from './store/idempotency'
import { scrubUnlogged } from './store/scrub'

const HOURLY_MS = 3_600_000
const RETRY_MS = 60_000
const BATCH = 1_000

export type HousekeepingOptions = { db: Db; log: Log; everyMs?: number; batch?: number }

/**
 * Starts what nobody waits for: at once and then hourly, batch by batch, idempotency keys and remembered answers whose day is over
 * are deleted, and settlements that keep no history lose what safety does not need a day after their end.
 */
export function startHousekeeping({ db, log, everyMs = HOURLY_MS, batch = BATCH }: HousekeepingOptions): Loop {
  let stopping = false
  async function sweep(): Promise<number> {
    for (const task of [pruneKeys, pruneMemos, scrubUnlogged]) while (!stopping && (await task(db, batch)) === batch);
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
