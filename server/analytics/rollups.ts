import type { Db } from '../db/database'
import { type Loop, startLoop } from '../ledger/loop'
import type { Log } from '../log'
import { environments } from '../x402/networks'
import { type AnalyticsScope, adminScope, analytics, analyticsDays, merchantScope } from './analytics'
import type { Coalesce } from './coalesce'
import { dirtyDays, largestMerchants, noteDay, rollDay, type TenantDay } from './rollup-queries'

const MINUTE_MS = 60_000
const BATCH = 100
/** Whose analytics take long enough for somebody to notice. */
const LARGEST = 10

/** By programs of all networks, by the dashboard of an environment. */
const SCOPES = [undefined, ...environments]

export type RollupOptions = { db: Db; coalesce: Coalesce; log: Log; everyMs?: number }

/**
 * Starts what sums finished days up for analytics: at once and then every minute, newest days first. Nobody waits for it; what is not summed
 * up yet is read. A day that cannot be summed up holds up no other, and is tried again in the next round. Afterwards
 * the platform's own analytics and those of the largest merchants are computed, before somebody asks.
 */
export function startRollups({ db, coalesce, log, everyMs = MINUTE_MS }: RollupOptions): Loop {
  let stopping = false
  async function round(): Promise<number> {
    let changed = false
    while (!stopping && (await noteDay(db))) changed = true
    for (let days = await dirtyDays(db, BATCH); !stopping && days.length > 0; days = await dirtyDays(db, BATCH, days.at(-1))) {
      for (const day of days) if (!stopping && (await rolled(day))) changed = true
    }
    if (changed) await remember()
    return everyMs
  }

  async function remember(): Promise<void> {
    const scopes: AnalyticsScope[] = [adminScope({}), ...(await largestMerchants(db, LARGEST)).map(({ id }) => merchantScope(id))]
    for (const scope of scopes) {
      for (const days of analyticsDays) {
        for (const within of SCOPES) if (!stopping) await analytics({ db, sums: db, coalesce }, scope, days, within)
      }
    }
  }

  async function rolled(day: TenantDay): Promise<boolean> {
    try {
      await rollDay(db, day)
      return true
    } catch (error) {
      log.error(
        { err: error, tenantId: day.tenantId, day: day.day },
        'a day could not be summed up, and its rows are read instead',
      )
      return false
    }
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
