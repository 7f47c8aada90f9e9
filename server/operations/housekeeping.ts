import { pruneEndedKeys } from '../accounts/key-queries'
import { pruneLookups } from '../agents/queries'
import type { Log } from '../base/log'
import { type Loop, startLoop } from '../base/loop'
import type { Db } from '../db/database'
import { pruneEffects } from '../db/outbox'
import { pruneEntries } from '../discovery/entry-queries'
import { scrubUnlogged } from '../history/queries'
import { pruneChecks } from '../ledger/statements/finality'
import { pruneFailedJudgements } from '../ledger/statements/history'
import { pruneFailures } from '../ledger/statements/payer-failures'
import { pruneGasSpends, pruneTallies, pruneUsage } from '../ledger/statements/usage'
import { pruneUndeposited } from '../payments/channels/stored-queries'
import { pruneKeys } from '../payments/queries'
import { pruneUptoChannels } from '../payments/upto-svm/queries'
import { pruneEndedSessions, pruneSessions } from '../sign-in/session-queries'
import { pruneResourceDays } from '../sums/resource-queries'
import { pruneAlerts } from '../webhooks/alert-queries'
import { pruneDeliveries, pruneHours } from '../webhooks/delivery-queries'
import { pruneEndpoints } from '../webhooks/endpoint-queries'

const HOURLY_MS = 3_600_000
const RETRY_MS = 60_000
const BATCH = 1_000

/** `failedHistoryDays`: how long history keeps payments that failed their judgement before anything was sent. */
type HousekeepingOptions = { db: Db; log: Log; failedHistoryDays: number; everyMs?: number; batch?: number }

/** Deletes or empties expired rows, at most as many as given. Resolves with how many. */
type Prune = (db: Db, limit: number) => Promise<number>

const PRUNED: readonly Prune[] = [
  pruneKeys,
  pruneSessions,
  pruneEffects,
  pruneEntries,
  pruneResourceDays,
  pruneLookups,
  scrubUnlogged,
  pruneDeliveries,
  pruneEndpoints,
  pruneFailures,
  pruneChecks,
  pruneEndedKeys,
  pruneTallies,
  pruneUsage,
  pruneGasSpends,
  pruneEndedSessions,
  pruneAlerts,
  pruneHours,
  pruneUndeposited,
  pruneUptoChannels,
]

/** Starts housekeeping, now and hourly, in batches: deletes expired rows, and strips settlements without history a day after their end. */
export function startHousekeeping({ db, log, failedHistoryDays, everyMs = HOURLY_MS, batch = BATCH }: HousekeepingOptions): Loop {
  const failures: Prune = (db, limit) => pruneFailedJudgements(db, limit, failedHistoryDays)
  async function sweep(isStopped: () => boolean): Promise<number> {
    for (const prune of [...PRUNED, failures]) while (!isStopped() && (await prune(db, batch)) === batch);
    return everyMs
  }
  return startLoop(sweep, (error) => log.error({ err: error }, 'housekeeping failed'), RETRY_MS)
}
