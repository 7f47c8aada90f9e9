import { randomBytes, randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { freshDatabase } from '../../test/support/database/database'
import { fixture } from '../../test/support/fixture'
import { until } from '../../test/support/until'
import { dbOf } from '../db/database'
import { type Begun, begin, finish, forget, type IdempotencyKey, type KeyLock, pruneKeys, release } from './queries'

const database = fixture(freshDatabase)

const LOCK_MS = 60_000
const newKey = (): IdempotencyKey => ({ scope: 'ip:10.0.0.1', key: randomUUID(), bodyHash: randomBytes(32) })
const beginNow = (key: IdempotencyKey, lockMs = LOCK_MS) => begin(database.db, key, lockMs)

/** How many statements wait for another transaction. */
async function waitingStatements(): Promise<number> {
  const [row] = await database.db.$queryRaw<{ count: bigint }[]>`
    SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`
  return Number(row?.count)
}

async function lockOf(begun: Promise<Begun>): Promise<KeyLock> {
  const result = await begun
  if (result.say !== 'act') throw new Error(`no lock: ${result.say}`)
  return result.lock
}

/** Sets the clock of a key back, as if it had been used that much earlier. */
const age = ({ scope, key }: IdempotencyKey, interval: string) =>
  database.db.$executeRaw`
    UPDATE "Idempotency" SET "createdAt" = "createdAt" - ${interval}::interval, "lockedUntil" = "lockedUntil" - ${interval}::interval
    WHERE "scope" = ${scope} AND "key" = ${key}`

describe('a key', () => {
  test('gives its lock to one of fifty requests; the others wait', async () => {
    const key = newKey()
    const begun = await Promise.all(Array.from({ length: 50 }, () => beginNow(key)))
    expect(begun.map(({ say }) => say).toSorted()).toEqual(['act', ...Array(49).fill('wait')])
  })

  test('belongs to its body for a request that finds it before the first one has committed it', async () => {
    const key = newKey()
    const late = await database.db.transaction(async (within) => {
      await lockOf(begin(dbOf(within), key, LOCK_MS))
      const asked = [beginNow({ ...key, bodyHash: randomBytes(32) }), beginNow(key)]
      await until(async () => (await waitingStatements()) === 2, 'both requests to wait for the first one')
      // A transaction waits for all that its work returns.
      return { asked }
    })
    expect(await Promise.all(late.asked)).toEqual([{ say: 'other body' }, { say: 'wait' }])
  })

  test('repeats the response of its request, to the character', async () => {
    const key = newKey()
    const lock = await lockOf(beginNow(key))
    expect(lock.again).toBe(false)
    const answer = '{"b":1,"a":"é \\u0000 💶","10":2,"9":1}'
    await finish(database.db, key, lock, answer)
    expect(await beginNow(key)).toEqual({ say: 'repeat', answer })
  })

  test('belongs to its body, while its request runs and after', async () => {
    const key = newKey()
    const other = { ...key, bodyHash: randomBytes(32) }
    const lock = await lockOf(beginNow(key))
    expect(await beginNow(other)).toEqual({ say: 'other body' })
    await finish(database.db, key, lock, '{}')
    expect(await beginNow(other)).toEqual({ say: 'other body' })
  })

  test('belongs to its scope: another one has its own', async () => {
    const key = newKey()
    await lockOf(beginNow(key))
    expect(await beginNow({ ...key, scope: 'ip:10.0.0.2', bodyHash: randomBytes(32) })).toMatchObject({ say: 'act' })
  })

  test('that was released is acted under again, and the lock says so', async () => {
    const key = newKey()
    await release(database.db, key, await lockOf(beginNow(key)))
    expect(await lockOf(beginNow(key))).toMatchObject({ again: true })
    expect(await beginNow(key)).toEqual({ say: 'wait' })
  })

  test('that was forgotten is free, also for another body', async () => {
    const key = newKey()
    await forget(database.db, key, await lockOf(beginNow(key)))
    expect(await lockOf(beginNow({ ...key, bodyHash: randomBytes(32) }))).toMatchObject({ again: false })
  })

  test('older than 24 hours starts anew, also for another body, though it has an answer', async () => {
    const key = newKey()
    await finish(database.db, key, await lockOf(beginNow(key)), '{}')
    await age(key, '23 hours 59 minutes')
    expect(await beginNow(key)).toMatchObject({ say: 'repeat' })
    await age(key, '2 minutes')
    const other = { ...key, bodyHash: randomBytes(32) }
    expect(await lockOf(beginNow(other))).toMatchObject({ again: false })
    expect(await beginNow(other)).toEqual({ say: 'wait' })
    expect(await beginNow(key)).toEqual({ say: 'other body' })
  })
})

describe('a lock that ran out', () => {
  /** A key whose first holder is overdue and whose lock a second one has. */
  async function takenOver() {
    const key = newKey()
    const first = await lockOf(beginNow(key))
    expect(await beginNow(key)).toEqual({ say: 'wait' })
    await age(key, '2 minutes')
    const second = await lockOf(beginNow(key))
    expect(second.again).toBe(true)
    return { key, first, second }
  }

  test.each([
    ['finish', (key: IdempotencyKey, lock: KeyLock) => finish(database.db, key, lock, '"late"')],
    ['release', (key: IdempotencyKey, lock: KeyLock) => release(database.db, key, lock)],
    ['forget', (key: IdempotencyKey, lock: KeyLock) => forget(database.db, key, lock)],
  ])('is taken over, and its first holder can no longer %s it', async (_, end) => {
    const { key, first, second } = await takenOver()
    await end(key, first)
    expect(await beginNow(key)).toEqual({ say: 'wait' })
    await finish(database.db, key, second, '"right"')
    expect(await beginNow(key)).toEqual({ say: 'repeat', answer: '"right"' })
    await end(key, first)
    expect(await beginNow(key)).toEqual({ say: 'repeat', answer: '"right"' })
  })

  test('goes to one of many', async () => {
    const key = newKey()
    await lockOf(beginNow(key))
    await age(key, '2 minutes')
    const begun = await Promise.all(Array.from({ length: 20 }, () => beginNow(key)))
    expect(begun.filter(({ say }) => say === 'act')).toHaveLength(1)
  })

  test('can still be finished by its holder until it is taken over', async () => {
    const key = newKey()
    const lock = await lockOf(beginNow(key))
    await age(key, '2 minutes')
    await finish(database.db, key, lock, '"late"')
    expect(await beginNow(key)).toEqual({ say: 'repeat', answer: '"late"' })
  })
})

test('pruning deletes keys whose day is over, so many at a time, and no others', async () => {
  const keys = Array.from({ length: 5 }, newKey)
  for (const key of keys) await lockOf(beginNow(key))
  const old = keys.slice(0, 3)
  for (const key of old) await age(key, '25 hours')
  const left = () => database.db.idempotency.count({ where: { key: { in: keys.map(({ key }) => key) } } })
  await database.db.idempotency.deleteMany({ where: { key: { notIn: keys.map(({ key }) => key) } } })
  expect([await pruneKeys(database.db, 2), await left()]).toEqual([2, 3])
  expect([await pruneKeys(database.db, 2), await left()]).toEqual([1, 2])
  expect([await pruneKeys(database.db, 2), await left()]).toEqual([0, 2])
})
