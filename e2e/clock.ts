import { inDatabase } from './database'

const MOVE = `
  WITH gone AS (DELETE FROM "History" WHERE "ownerId" = $1 RETURNING to_jsonb("History") AS row),
    late AS (SELECT jsonb_build_object('createdAt', date_trunc('day', now(), 'UTC') - interval '1 hour') AS day)
  INSERT INTO "History" SELECT (jsonb_populate_record(NULL::"History", row || day)).* FROM gone, late`

/** Makes a merchant's settlements of yesterday: figures are of finished days, and no journey lasts until midnight. */
export function letADayPass(owner: string): Promise<void> {
  // Written anew: what is in a day is summed up when rows come and go, and no row ever changes its own.
  return inDatabase(MOVE, [owner])
}
