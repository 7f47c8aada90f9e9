import type { Log } from './log'
import { type Loop, startLoop } from './settlement/loop'
import { pruneLookups } from './store/agents'
import { pruneMemos } from './store/analytics-memo'
import { pruneEntries } from './store/catalog'
import type { Db } from './store/database'
import { pruneKeys } from './store/idempotency'
import { pruneEffects } from './store/outbox'
import { scrubUnlogged } from './store/scrub'
import { pruneEndedSessions, pruneSessions } from './store/sessions'
import { pruneDeliveries } from './store/webhook-deliveries'
import { pruneEndpoints } from './store/webhook-endpoints'

const HOURLY_MS = 3_600_000
const RETRY_MS = 60_000
const BATCH = 1_000

export type HousekeepingOptions = { db: Db; log: Log; everyMs?: number; batch?: number }

/** Deletes or empties some rows that nobody needs any more, at most as many as it is told. Resolves with how many. */
type Prune = (db: Db, limit: number) => Promise<number>

const PRUNED: readonly Prune[] = [
  ...[pruneKeys, pruneSessions, pruneMemos, pruneEffects, pruneEntries, pruneLookups],
  ...[scrubUnlogged, pruneDeliveries, pruneEndpoints, pruneEndedSessions],
]

/**
 * Starts what nobody waits for: at once and then hourly, batch by batch, whatever has outlived its time is
 * deleted, and settlements that keep no history lose what safety does not need a day after their end.
 */
export function startHousekeeping({ db, log, everyMs = HOURLY_MS, batch = BATCH }: HousekeepingOptions): Loop {
  let stopping = false
  async function sweep(): Promise<number> {
    for (const prune of PRUNED) while (!stopping && (await prune(db, batch)) === batch);
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
