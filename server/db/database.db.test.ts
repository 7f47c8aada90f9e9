import type pg from 'pg'
import { expect, onTestFinished, test, vi } from 'vitest'
import { freshDatabase } from '../../test/support/database/database'
import { newBroadcast } from '../../test/support/database/ledger'
import { fixture } from '../../test/support/fixture'
import { connect } from './database'

const database = fixture(freshDatabase)

test('a connection plans a writing statement once and a reading one each time', async () => {
  const { db, close } = connect({ url: database.url, poolMax: 1, ownSessions: true })
  const kept = () => db.$queryRaw<{ statement: string }[]>`SELECT "statement" FROM pg_prepared_statements WHERE "name" <> ''`
  await newBroadcast(db)
  const first = await kept()
  await newBroadcast(db)
  const second = await kept()
  await close()
  expect(first.filter(({ statement }) => statement.includes('INSERT INTO "Settlement"'))).toHaveLength(1)
  expect(second).toHaveLength(first.length)
  expect(second.filter(({ statement }) => !/INSERT|UPDATE|DELETE/.test(statement))).toEqual([])
})

test('a session that others share keeps no statement', async () => {
  const { db, close } = connect({ url: database.url, poolMax: 1 })
  await newBroadcast(db)
  const kept = await db.$queryRaw<{ name: string }[]>`SELECT "name" FROM pg_prepared_statements WHERE "name" <> ''`
  await close()
  expect(kept).toEqual([])
})

test('as many connections as are kept outlast a quiet minute', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  let pool: pg.Pool | undefined
  const { db, close } = connect({ url: database.url, poolMax: 5, kept: 2, onPool: (made) => (pool = made) })
  await Promise.all(Array.from({ length: 5 }, () => db.query`SELECT pg_sleep(0.1)`))
  expect(pool?.totalCount).toBe(5)
  vi.advanceTimersByTime(61_000)
  expect(pool?.totalCount).toBe(2)
  await close()
})
