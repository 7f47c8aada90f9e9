import type { Log } from './log'
import { adminScope, analytics, analyticsDays } from './services/analytics'
import { type Loop, startLoop } from './settlement/loop'
import type { Db } from './store/database'
import { dirtyDays, noteDay, rollDay } from './store/rollups'

const MINUTE_MS = 60_000
const BATCH = 100

export type RollupOptions = { db: Db; log: Log; everyMs?: number }

/**
 * Starts what sums finished days up for analytics: at once and then every minute, newest days first. Nobody waits for it; what is not summed
 * up yet is read. Afterwards the platform's own analytics are computed, before somebody asks.
 */
export function startRollups({ db, log, everyMs = MINUTE_MS }: RollupOptions): Loop {
  let stopping = false
  async function round(): Promise<number> {
    let changed = false
    while (!stopping && (await noteDay(db))) changed = true
    for (let days = await dirtyDays(db, BATCH); !stopping && days.length > 0; days = await dirtyDays(db, BATCH)) {
      for (const day of days) if (!stopping) await rollDay(db, day)
      changed = true
    }
    if (changed) for (const days of analyticsDays) if (!stopping) await analytics({ db }, adminScope({}), days)
    return everyMs
  }
  const loop = startLoop(round, (error) => log.error({ err: error }, 'days could not be summed up'), MINUTE_MS)
  return {
    kick: loop.kick,
    stop() {
      stopping = true
      return loop.stop()
    },
  }
}
