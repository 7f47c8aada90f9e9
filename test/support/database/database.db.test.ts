import pg from 'pg'
import { expect, inject, test } from 'vitest'
import { type FreshDatabase, freshDatabase } from './database'

test('a fresh database is isolated, and closing drops it', async () => {
  const [one, two] = await Promise.all([freshDatabase(), freshDatabase()])
  await one.db.$executeRaw`CREATE TABLE mine (n int)`
  const tablesOf = ({ db }: FreshDatabase) => db.$queryRaw`SELECT count(*)::int AS n FROM pg_tables WHERE tablename = 'mine'`
  expect(await tablesOf(one)).toEqual([{ n: 1 }])
  expect(await tablesOf(two)).toEqual([{ n: 0 }])
  await Promise.all([one.close(), two.close()])

  const admin = new pg.Client({ connectionString: `${inject('postgres')}postgres` })
  await admin.connect()
  const names = [one, two].map(({ url }) => new URL(url).pathname.slice(1))
  expect((await admin.query('SELECT 1 FROM pg_database WHERE datname = ANY($1)', [names])).rows).toEqual([])
  await admin.end()
})
