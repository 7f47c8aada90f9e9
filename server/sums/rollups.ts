import { MINUTE_MS } from '../base/durations'
import type { Log } from '../base/log'
import { type Loop, startLoop } from '../base/loop'
import type { Db } from '../db/database'
import { refreshAllFigures } from './resource-queries'
import { dirtyDays, noteDay, rollDay } from './rollup-queries'
import type { TenantDay } from './time-queries'

const BATCH = 100

type RollupOptions = { db: Db; log: Log; everyMs?: number }

/**
 * Starts the rollup of completed days, now and every minute, newest first; a day without rollup is read from its rows. A failed day
 * does not hold up others and is retried next round. Then it refreshes the figures of listed resources.
 */
export function startRollups({ db, log, everyMs = MINUTE_MS }: RollupOptions): Loop {
  async function round(isStopped: () => boolean): Promise<number> {
    let changed = false
    while (!isStopped() && (await noteDay(db))) changed = true
    for (let days = await dirtyDays(db, BATCH); !isStopped() && days.length > 0; days = await dirtyDays(db, BATCH, days.at(-1))) {
      for (const day of days) if (!isStopped() && (await rolled(day))) changed = true
    }
    if (changed) await refreshAllFigures(db, isStopped)
    return everyMs
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
