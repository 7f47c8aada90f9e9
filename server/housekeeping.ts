import type { Log } from './log'
import { type Loop, startLoop } from './settlement/loop'
import { pruneLookups } from './store/agents'
import { pruneMemos } from './store/analytics-memo'
import { pruneEntries } from './store/catalog'
import type { Db } from './store/database'
import { pruneFailedJudgements } from './store/history'
import { pruneKeys } from './store/idempotency'
import { pruneEndedKeys } from './store/keys'
import { pruneEffects } from './store/outbox'
import { pruneFailures } from './store/payer-failures'
import { scrubUnlogged } from './store/scrub'
import { pruneEndedSessions, pruneSessions } from './store/sessions'
import { pruneTallies } from './store/tallies'
import { pruneUsage } from './store/usage'
import { pruneDeliveries } from './store/webhook-deliveries'
import { pruneEndpoints } from './store/webhook-endpoints'

const HOURLY_MS = 3_600_000
const RETRY_MS = 60_000
const BATCH = 1_000

/** `failedHistoryDays`: how long the history keeps payments that were judged and failed before anything was sent. */
export type HousekeepingOptions = { db: Db; log: Log; failedHistoryDays: number; everyMs?: number; batch?: number }

/** Deletes or empties some rows that nobody needs any more, at most as many as it is told. Resolves with how many. */
type Prune = (db: Db, limit: number) => Promise<number>

const PRUNED: readonly Prune[] = [
  ...[pruneKeys, pruneSessions, pruneMemos, pruneEffects, pruneEntries, pruneLookups],
  ...[
    scrubUnlogged,
    pruneDeliveries,
    pruneEndpoints,
    pruneFailures,
    pruneEndedKeys,
    pruneTallies,
    pruneUsage,
    pruneEndedSessions,
  ],
]

/**
 * Starts what nobody waits for: at once and then hourly, batch by batch, whatever has outlived its time is
 * deleted, and settlements that keep no history lose what safety does not need a day after their end.
 */
export function startHousekeeping({ db, log, failedHistoryDays, everyMs = HOURLY_MS, batch = BATCH }: HousekeepingOptions): Loop {
  let stopping = false
  const failures: Prune = (db, limit) => pruneFailedJudgements(db, limit, failedHistoryDays)
  async function sweep(): Promise<number> {
    for (const prune of [...PRUNED, failures]) while (!stopping && (await prune(db, batch)) === batch);
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
