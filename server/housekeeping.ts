import type { Log } from './log'
import { type Loop, startLoop } from './settlement/loop'
import type { Db } from './store/database'
import { pruneKeys } from './store/idempotency'

const HOURLY_MS = 3_600_000
const RETRY_MS = 60_000
const BATCH = 1_000

export type HousekeepingOptions = { db: Db; log: Log; everyMs?: number; batch?: number }

/** Starts what nobody waits for: at once and then hourly, idempotency keys whose day is over are deleted, batch by batch. */
export function startHousekeeping({ db, log, everyMs = HOURLY_MS, batch = BATCH }: HousekeepingOptions): Loop {
  let stopping = false
  async function sweep(): Promise<number> {
    while (!stopping && (await pruneKeys(db, batch)) === batch);
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
