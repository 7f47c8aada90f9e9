import { once } from 'node:events'
import { Redis } from 'ioredis'
import pg from 'pg'
import { describe, expect, test } from 'vitest'
import { freshDatabase } from '../../../test/support/database/database'
import { startRedis } from '../../../test/support/database/redis'
import { fixture } from '../../../test/support/fixture'
import { createServed } from '../src/served'
import { openedFile } from '../src/stores/file'
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
const stores: Record<string, () => (now: Clock) => ServedStore | Promise<ServedStore>> = {
  memory: () => memoryStore,
  file: () => {
    const file = newStore()
    return (now) => openedFile(file, now, async () => true)
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
  const open = async (now: Clock = Date.now) => stores[name]?.()(now) ?? memoryStore()

  test('sets a key only from the value that it has', async () => {
    const store = await open()
    expect(await store.get('a')).toBeNull()
    expect(await store.replace('a', 'x', 'one')).toBe(false)
    expect(await store.replace('a', null, 'one')).toBe(true)
    expect(await store.replace('a', null, 'two')).toBe(false)
    expect(await store.replace('a', 'one', 'two')).toBe(true)
    expect([await store.get('a'), await store.get('b')]).toEqual(['two', null])
  })

  test('gives a key to one of many at once', async () => {
    const store = await open()
    const won = await Promise.all(Array.from({ length: 20 }, (_, at) => store.replace('a', null, `by ${at}`)))
    expect(won.filter(Boolean)).toHaveLength(1)
  })

  test('knows since when it is complete', async () => {
    const store = await open(() => 1_700_000_000_000)
    expect(await store.since()).toBe(1_700_000_000_000)
  })
})

describe.each(['file', 'Redis', 'SQL'])('the store in %s, opened again', (name) => {
  test('has its keys and its age', async () => {
    const make = stores[name]?.()
    const before = await make?.(() => 1_000)
    expect(await before?.since()).toBe(1_000)
    expect(await before?.replace('a', null, 'one')).toBe(true)
    const again = await make?.(() => 2_000)
    expect([await again?.since(), await again?.get('a')]).toEqual([1_000, 'one'])
  })
})

test('a table forgets what is a day old, without a restart', async () => {
  const table = `served_${++made}`
  let clock = 1_000
  const store = sqlStore((text, values) => servers.pool.query(text, values), { table, now: () => clock })
  await store.replace('old', null, 'x')
  clock += KEPT_MS + 1
  expect(await store.get('old')).toBeNull()
  expect(await store.since()).toBe(1_000)
})

test('an answer of a process that died is given again after its time, by one of the others', async () => {
  const store = memoryStore()
  const dead = createServed(store, 60_000)
  const others = [createServed(store, 100), createServed(store, 100)]
  expect([await dead.take('a'), await dead.take('a')]).toEqual([true, false])
  const began = performance.now()
  const taken = await Promise.all(others.map((one) => one.take('a')))
  expect(taken.filter(Boolean)).toHaveLength(1)
  expect(performance.now() - began).toBeGreaterThanOrEqual(300)
})

test('a process waits once for a mark that stays: its settle follows its verify', async () => {
  const store = memoryStore()
  await createServed(store, 60_000).take('a')
  const other = createServed(store, 500)
  expect(await other.isOpen('a')).toBe(true)
  const began = performance.now()
  expect(await other.take('a')).toBe(true)
  expect(performance.now() - began).toBeLessThan(1_000)
})

test('two machines with different clocks do not both answer a payment', async () => {
  const store = memoryStore()
  const behind = createServed(store, 300, () => performance.now() - 3_600_000)
  const here = createServed(store, 300)
  expect(await behind.take('a')).toBe(true)
  expect([await here.isOpen('a'), await here.take('a')]).toEqual([false, false])
})
