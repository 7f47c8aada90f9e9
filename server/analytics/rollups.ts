import { ofSubject } from '../accounts/tenant-queries'
import type { Db } from '../db/database'
import { refreshAllFigures } from '../discovery/figure-queries'
import { type Loop, startLoop } from '../ledger/loop'
import type { Log } from '../log'
import { type AnalyticsScope, adminScope, analytics, analyticsDays, merchantScope } from './analytics'
import type { Coalesce } from './coalesce'
import { dirtyDays, largestMerchants, noteDay, rollDay } from './rollup-queries'
import type { TenantDay } from './time-queries'

const MINUTE_MS = 60_000
const BATCH = 100
/** The number of merchants whose analytics are slow enough to precompute. */
const LARGEST = 10
/** The rollups have their own share of the slots of sums. */
const READER = 'rollups'

type RollupOptions = { db: Db; coalesce: Coalesce; log: Log; everyMs?: number }

/**
 * Starts the rollup of completed days, now and every minute, newest first; a day without rollup is read from its rows. A failed day
 * does not hold up others and is retried next round. Then it refreshes the analytics of the platform and of the largest merchants.
 */
export function startRollups({ db, coalesce, log, everyMs = MINUTE_MS }: RollupOptions): Loop {
  async function round(isStopped: () => boolean): Promise<number> {
    let changed = false
    while (!isStopped() && (await noteDay(db))) changed = true
    for (let days = await dirtyDays(db, BATCH); !isStopped() && days.length > 0; days = await dirtyDays(db, BATCH, days.at(-1))) {
      for (const day of days) if (!isStopped() && (await rolled(day))) changed = true
    }
    if (changed) await refreshAllFigures(db, isStopped)
    if (changed) await remember(isStopped)
    return everyMs
  }

  async function remember(isStopped: () => boolean): Promise<void> {
    const scopes: AnalyticsScope[] = [
      adminScope({}, READER),
      ...(await largestMerchants(db, LARGEST)).map(({ id }) => merchantScope(ofSubject(id), READER)),
    ]
    for (const scope of scopes) {
      for (const days of analyticsDays) if (!isStopped()) await analytics({ db, sums: db, coalesce }, scope, days)
    }
  }

  async function rolled(day: TenantDay): Promise<boolean> {
    try {
      await rollDay(db, day)
      return true
    } catch (error) {
      log.error({ err: error, tenantId: day.tenantId, day: day.day }, 'a rollup failed; its rows are read instead')
      return false
    }
  }
  return startLoop(round, (error) => log.error({ err: error }, 'rollups failed'), MINUTE_MS)
}
