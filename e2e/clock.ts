import pg from 'pg'
import { place } from './place'

/** Makes a merchant's settlements of yesterday: figures are of finished days, and no journey lasts until midnight. */
export async function letADayPass(owner: string): Promise<void> {
  const client = new pg.Client({ connectionString: place().databaseUrl })
  await client.connect()
  try {
    const late = `date_trunc('day', now(), 'UTC') - interval '1 hour'`
    await client.query(`UPDATE "History" SET "createdAt" = ${late} WHERE "ownerId" = $1`, [owner])
  } finally {
    await client.end()
  }
}
