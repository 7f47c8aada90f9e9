import pg from 'pg'
import { place } from './place'

/** Runs one statement on the service's database. */
export async function inDatabase(statement: string, parameters: string[]): Promise<void> {
  const client = new pg.Client({ connectionString: place().databaseUrl })
  await client.connect()
  try {
    await client.query(statement, parameters)
  } finally {
    await client.end()
  }
}
