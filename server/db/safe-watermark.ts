import type { Db } from './database'
import { sql } from './sql'

/**
 * The time up to which history is complete: the begin of the oldest writing transaction, or now. A row gets its time after its
 * transaction got its id (`History_now`), so a later writer has a later time. The millisecond covers rounding.
 */
export const SAFE_WATERMARK = sql`
  (SELECT date_trunc('milliseconds', LEAST(now(), min("xact_start"))) - interval '1 ms' FROM pg_stat_activity
   WHERE "datname" = current_database() AND "backend_xid" IS NOT NULL)`

/** The current watermark. It holds for statements that begin after this one: open writers are in it, all others have committed. */
export async function readSafeWatermark(db: Db): Promise<Date> {
  const [row] = await db.query<{ horizon: Date }>`SELECT ${SAFE_WATERMARK}::timestamptz(3) AS "horizon"`
  if (!row) throw new Error('the database did not say its time')
  return row.horizon
}
