import type { Db } from './database'
import { sql } from './sql'

/**
 * The time at or before which every history row that will ever be there is there: the begin of the oldest transaction that is writing,
 * or now. A row's time is taken after its transaction got its id (`History_now`), so one that is not among the writers here writes
 * later. The millisecond is what rounding takes.
 */
export const SAFE_WATERMARK = sql`
  (SELECT date_trunc('milliseconds', LEAST(now(), min("xact_start"))) - interval '1 ms' FROM pg_stat_activity
   WHERE "datname" = current_database() AND "backend_xid" IS NOT NULL)`

/** The horizon as it is now. Holds for statements that begin after this one: those who were writing are in it, the others have finished. */
export async function readSafeWatermark(db: Db): Promise<Date> {
  const [row] = await db.query<{ horizon: Date }>`SELECT ${SAFE_WATERMARK}::timestamptz(3) AS "horizon"`
  if (!row) throw new Error('the database did not say its time')
  return row.horizon
}
