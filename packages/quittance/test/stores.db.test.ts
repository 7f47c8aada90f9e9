import { once } from 'node:events'
import { appendFileSync, readFileSync } from 'node:fs'
import { Redis } from 'ioredis'
import pg from 'pg'
import { describe, expect, test } from 'vitest'
import { freshDatabase } from '../../../test/support/database/database'
import { startRedis } from '../../../test/support/database/redis'
import { fixture } from '../../../test/support/fixture'
import { createServed } from '../src/served'
import { fileStore } from '../src/stores/file'
import { memoryStore } from '../src/stores/memory'
import { redisStore } from '../src/stores/redis'
import { sqlStore } from '../src/stores/sql'
import { KEPT_MS, type ServedStore } from '../src/stores/store'
import { newStore } from './new-store'

const servers = fixture(async () => {
  const [database, server] = await Promise.all([freshDatabase(), startRedis()])
  const [pool, redis] = [new pg.Pool({ connectionString: database.url }), new Redis(server.url)]
  // The pool does not wait for its connections to end.
  const clients: pg.PoolClient[] = []
  pool.on('connect', (client) => void clients.push(client))
  return {
    pool,
    redis,
    async close() {
      redis.disconnect()
      const gone = Promise.all(clients.map((client) => once(client, 'end')))
      await pool.end()
      await gone
      await Promise.all([server.kill(), database.close()])
    },
  }
})

type Clock = () => number
let made = 0
const stores: Record<string, () => (now: Clock) => ServedStore> = {
  memory: () => memoryStore,
  file: () => {
    const path = newStore()
    return (now) => fileStore(path, now)
  },
  Redis: () => {
    const prefix = `t${++made}:`
    return (now) => redisStore((words) => servers.redis.call(...words), { prefix, now })
  },
  SQL: () => {
    const table = `served_${++made}`
    return (now) => sqlStore((text, values) => servers.pool.query(text, values), { table, now })
  },
}

describe.each(Object.keys(stores))('the store in %s', (name) => {
  const open = (now: Clock = Date.now) => stores[name]?.()(now) ?? memoryStore()

  test('sets a key only from the value that it has', async () => {
    const store = open()
    expect(await store.get('a')).toBeNull()
    expect(await store.replace('a', 'x', 'one')).toBe(false)
    expect(await store.replace('a', null, 'one')).toBe(true)
    expect(await store.replace('a', null, 'two')).toBe(false)
    expect(await store.replace('a', 'one', 'two')).toBe(true)
    expect([await store.get('a'), await store.get('b')]).toEqual(['two', null])
  })

  test('gives a key to one of many at once', async () => {
    const store = open()
    const won = await Promise.all(Array.from({ length: 20 }, (_, at) => store.replace('a', null, `by ${at}`)))
    expect(won.filter(Boolean)).toHaveLength(1)
  })

  test('knows since when it is complete', async () => {
    const store = open(() => 1_700_000_000_000)
    expect(await store.since()).toBe(1_700_000_000_000)
  })
})

describe.each(['file', 'Redis', 'SQL'])('the store in %s, opened again', (name) => {
  test('has its keys and its age', async () => {
    const make = stores[name]?.()
    const [before, after] = [make?.(() => 1_000), make?.(() => 2_000)]
    expect(await before?.since()).toBe(1_000)
    expect(await before?.replace('a', null, 'one')).toBe(true)
    const again = name === 'file' ? make?.(() => 2_000) : after
    expect([await again?.since(), await again?.get('a')]).toEqual([1_000, 'one'])
  })
})

test('a file forgets a line that a crash cut off, and what is a day old', async () => {
  const path = newStore()
  const store = fileStore(path, () => 1_000)
  await store.replace('old', null, 'x')
  appendFileSync(path, '["cut","x"')
  expect(await fileStore(path, () => 2_000).get('cut')).toBeNull()
  expect(readFileSync(path, 'utf8')).not.toContain('cut')
  expect(await fileStore(path, () => 1_000 + KEPT_MS).get('old')).toBeNull()
})

test('an answer of a process that died is given again after its time, by one of the others', async () => {
  const store = memoryStore()
  let clock = 0
  const [dead, ...others] = Array.from({ length: 3 }, () => createServed(store, 60_000, () => clock))
  expect(await dead?.take('a')).toBe(true)
  expect(await dead?.take('a')).toBe(false)
  clock = 180_000
  const taken = await Promise.all(others.map((one) => one.take('a')))
  expect(taken.filter(Boolean)).toHaveLength(1)
})
