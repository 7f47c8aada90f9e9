import pg from 'pg'
import { place } from './place'

const MOVE = `
  WITH gone AS (DELETE FROM "History" WHERE "ownerId" = $1 RETURNING to_jsonb("History") AS row),
    late AS (SELECT jsonb_build_object('createdAt', date_trunc('day', now(), 'UTC') - interval '1 hour') AS day)
  INSERT INTO "History" SELECT (jsonb_populate_record(NULL::"History", row || day)).* FROM gone, late`

/** Makes a merchant's settlements of yesterday: figures are of finished days, and no journey lasts until midnight. */
export async function letADayPass(owner: string): Promise<void> {
  const client = new pg.Client({ connectionString: place().databaseUrl })
  await client.connect()
  try {
    // Written anew: what is in a day is summed up when rows come and go, and no row ever changes its own.
    await client.query(MOVE, [owner])
  } finally {
    await client.end()
  }
}
