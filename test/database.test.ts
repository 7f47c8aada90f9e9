import pg from 'pg'
import { expect, inject, test } from 'vitest'
import { z } from 'zod'
import { Prisma } from '../generated/prisma/client'
import { query } from '../server/store/database'
import { freshDatabase } from './database'

test('a fresh database is the test’s own, and gone afterwards', async () => {
  const [one, two] = await Promise.all([freshDatabase(), freshDatabase()])
  await one.db.$executeRaw`CREATE TABLE mine (n int)`
  const tables = Prisma.sql`SELECT count(*)::int AS n FROM pg_tables WHERE tablename = 'mine'`
  const Count = z.object({ n: z.number() })
  expect(await query(one.db, tables, Count)).toEqual([{ n: 1 }])
  expect(await query(two.db, tables, Count)).toEqual([{ n: 0 }])
  await expect(query(one.db, tables, z.object({ n: z.string() }))).rejects.toThrow('expected string')
  await Promise.all([one.close(), two.close()])

  const admin = new pg.Client({ connectionString: `${inject('postgres')}postgres` })
  await admin.connect()
  const names = [one, two].map(({ url }) => new URL(url).pathname.slice(1))
  expect((await admin.query('SELECT 1 FROM pg_database WHERE datname = ANY($1)', [names])).rows).toEqual([])
  await admin.end()
})
