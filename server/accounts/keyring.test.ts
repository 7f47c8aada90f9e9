import { createHash } from 'node:crypto'
import { describe, expect, onTestFinished, test } from 'vitest'
import { freshDatabase } from '../../test/database'
import { fixture } from '../../test/fixture'
import { until } from '../../test/harness'
import { newTenantOf } from '../../test/ledger'
import { keepLog } from '../../test/log-lines'
import { testLog } from '../../test/logs'
import { connect, type Db } from '../db/database'
import { touchKey } from './key-queries'
import { createKeyring, mintKey } from './keyring'
import { createRateLimit } from './rate-limit'

const database = fixture(freshDatabase)

/** A key in the database with its own tenant. */
async function newKey(db: Db = database.db) {
  const { secret, id, hash, prefix } = mintKey()
  const tenantId = await newTenantOf(db)
  await db.apiKey.create({ data: { id, tenantId, hash: Buffer.from(hash), prefix } })
  return { secret, id, tenantId }
}

type Statement = 'read' | 'write'

/** The database, with a callback before each raw statement that can delay it or throw. */
function watched(db: Db, onStatement: (statement: Statement) => void | Promise<void>): Db {
  const spied: Record<PropertyKey, Statement> = { query: 'read', execute: 'write' }
  return new Proxy(db, {
    get(target, name) {
      const method: unknown = Reflect.get(target, name, target)
      const statement = spied[name]
      if (statement === undefined || typeof method !== 'function') return method
      return async (...args: unknown[]) => {
        await onStatement(statement)
        return Reflect.apply(method, target, args)
      }
    },
  })
}

function counting() {
  const counts = { read: 0, write: 0 }
  const keyring = createKeyring(
    watched(database.db, (statement) => void counts[statement]++),
    createRateLimit(),
    testLog(),
  )
  return { keyring, counts }
}

const lastUsedAtOf = async (id: string) => (await database.db.apiKey.findUniqueOrThrow({ where: { id } })).lastUsedAt

describe('a key', () => {
  test('is qt_ and 256 random bits, stored as its digest and its first eleven characters', () => {
    const keys = Array.from({ length: 100 }, mintKey)
    for (const { secret, hash, prefix, id } of keys) {
      expect(secret).toMatch(/^qt_[A-Za-z0-9_-]{43}$/)
      expect(Buffer.from(secret.slice(3), 'base64url')).toHaveLength(32)
      expect(Buffer.from(hash)).toEqual(createHash('sha256').update(secret).digest())
      expect([prefix, id]).toEqual([secret.slice(0, 11), expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/)])
    }
    expect(new Set(keys.map(({ secret }) => secret)).size).toBe(100)
  })

  test('with another form is never looked up', async () => {
    const { keyring, counts } = counting()
    const { secret } = await newKey()
    const others = [
      '',
      'qt_',
      'undefined',
      secret.slice(1),
      `${secret}A`,
      `${secret}\n`,
      ` ${secret}`,
      secret.replace('qt_', 'QT_'),
      `qt_${'é'.repeat(43)}`,
    ]
    expect(await Promise.all(others.map((other) => keyring.find(other, '10.0.0.1')))).toEqual(others.map(() => null))
    expect(counts.read).toBe(0)
  })
})

describe('a keyring', () => {
  test('looks a key up once for a hundred concurrent requests, and caches it', async () => {
    const { keyring, counts } = counting()
    const { secret, id, tenantId } = await newKey()
    const found = await Promise.all(Array.from({ length: 100 }, () => keyring.find(secret, '10.0.0.1')))
    expect(found.every((record) => record?.keyId === id && record.tenantId === tenantId)).toBe(true)
    expect(await keyring.find(secret, '10.0.0.1')).toMatchObject({ keyId: id })
    expect(counts.read).toBe(1)
  })

  test('caches that a key is unknown', async () => {
    const { keyring, counts } = counting()
    const { secret } = mintKey()
    await Promise.all(Array.from({ length: 100 }, () => keyring.find(secret, '10.0.0.1')))
    expect([await keyring.find(secret, '10.0.0.1'), counts.read]).toEqual([null, 1])
  })

  test.each([
    ['revoked', { revokedAt: new Date(0) }],
    ['past its grace', { graceUntil: new Date(0) }],
  ])('finds no key that is %s', async (_, data) => {
    const { secret, id } = await newKey()
    await database.db.apiKey.update({ where: { id }, data })
    expect(await counting().keyring.find(secret, '10.0.0.1')).toBeNull()
  })

  test('finds no key of a revoked tenant, and finds a key during its grace', async () => {
    const { secret, id, tenantId } = await newKey()
    await database.db.apiKey.update({ where: { id }, data: { graceUntil: new Date(Date.now() + 3_600_000) } })
    expect(await counting().keyring.find(secret, '10.0.0.1')).toMatchObject({ keyId: id })
    await database.db.tenant.update({ where: { id: tenantId }, data: { revokedAt: new Date() } })
    expect(await counting().keyring.find(secret, '10.0.0.1')).toBeNull()
  })

  test('findAgain reads past the cache and caches what it read', async () => {
    const { keyring } = counting()
    const { secret, tenantId } = await newKey()
    expect(await keyring.find(secret, '10.0.0.1')).toMatchObject({ plan: 'growth' })
    await database.db.tenant.update({ where: { id: tenantId }, data: { plan: 'scale' } })
    expect(await keyring.find(secret, '10.0.0.1')).toMatchObject({ plan: 'growth' })
    expect(await keyring.findAgain(secret)).toMatchObject({ plan: 'scale' })
    expect(await keyring.find(secret, '10.0.0.1')).toMatchObject({ plan: 'scale' })
  })

  test('does not cache a database error', async () => {
    const { secret, id } = await newKey()
    let failing = true
    const down = () => {
      if (failing) throw new Error('the database is down')
    }
    const keyring = createKeyring(watched(database.db, down), createRateLimit(), testLog())
    const ends = await Promise.allSettled(Array.from({ length: 10 }, () => keyring.find(secret, '10.0.0.1')))
    expect(ends.map(({ status }) => status)).toEqual(Array(10).fill('rejected'))
    failing = false
    expect(await keyring.find(secret, '10.0.0.1')).toMatchObject({ keyId: id })
  })

  test('a flood of unknown keys does not fail a lookup in progress', async () => {
    const { secret, id } = await newKey()
    let letGo = () => {}
    const held = new Promise<void>((resolve) => {
      letGo = resolve
    })
    let reads = 0
    const slowFirst = () => {
      if (reads++ === 0) return held
      throw new Error('the flood is refused')
    }
    const keyring = createKeyring(watched(database.db, slowFirst), createRateLimit(), testLog())
    const slow = keyring.find(secret, '10.0.0.1')
    const flood = Array.from({ length: 10_050 }, (_, at) => keyring.find(mintKey().secret, `10.1.${at >> 8}.${at & 255}`))
    await Promise.allSettled(flood)
    letGo()
    expect(await slow).toMatchObject({ keyId: id })
  })
})

describe('the use of a key', () => {
  test('is recorded, once for a hundred requests', async () => {
    const { keyring, counts } = counting()
    const { secret, id } = await newKey()
    await Promise.all(Array.from({ length: 100 }, () => keyring.find(secret, '10.0.0.1')))
    await until(async () => (await lastUsedAtOf(id)) !== null, 'the note')
    await keyring.find(secret, '10.0.0.1')
    expect(counts.write).toBe(1)
  })

  test('is recorded at most once a minute by all processes together', async () => {
    const { id } = await newKey()
    const notedAfter = async (lastUsedAt: Date) => {
      await database.db.apiKey.update({ where: { id }, data: { lastUsedAt } })
      await touchKey(database.db, id)
      return lastUsedAtOf(id)
    }
    const recent = new Date(Date.now() - 30_000)
    expect(await notedAfter(recent)).toEqual(recent)
    expect((await notedAfter(new Date(Date.now() - 61_000)))?.getTime()).toBeGreaterThan(recent.getTime())
  })

  test('delays and fails no request: a failed record is a line in the log', async () => {
    const { secret, id } = await newKey()
    let fail = (_: Error) => {}
    const stuck = new Promise<void>((_, reject) => {
      fail = reject
    })
    const { log, lines } = keepLog()
    const keyring = createKeyring(
      watched(database.db, (statement) => (statement === 'write' ? stuck : undefined)),
      createRateLimit(),
      log,
    )
    expect(await keyring.find(secret, '10.0.0.1')).toMatchObject({ keyId: id })
    fail(new Error('the database is down'))
    await until(() => lines.length > 0, 'the line')
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ level: 40, msg: 'the last use of a key was not recorded' }])
  })
})

test('an unreachable database is an error and not an unknown key', async () => {
  const { db, close } = connect({ url: database.url.replace(/\/[^/]*$/, '/there_is_none') })
  onTestFinished(close)
  await expect(createKeyring(db, createRateLimit(), testLog()).find(mintKey().secret, '10.0.0.1')).rejects.toThrow()
})

describe('a flood of guessed keys', () => {
  test('from one IP address is refused after 500 in a second, without the database', async () => {
    const { keyring, counts } = counting()
    const guess = () =>
      keyring.find(mintKey().secret, '10.9.0.1').then(
        () => 'unknown',
        (error: { message: string }) => error.message,
      )
    // All at once, so that a busy machine cannot spread them over several seconds.
    const said = await Promise.all(Array.from({ length: 700 }, guess))
    expect(said.filter((one) => one.startsWith('more than 500 requests per second')).length).toBeGreaterThan(0)
    expect(counts.read).toBeLessThan(700)
    expect(await keyring.find(mintKey().secret, '10.9.0.2')).toBeNull()
  })

  test('uses three connections at most, and a known key waits for none of them', async () => {
    let letGo = () => {}
    const held = new Promise<void>((resolve) => {
      letGo = resolve
    })
    const { secret } = await newKey()
    let flooding = false
    let reading = 0
    const keyring = createKeyring(
      watched(database.db, (statement) => {
        if (!flooding || statement !== 'read') return undefined
        reading++
        return held
      }),
      createRateLimit(),
      testLog(),
    )
    await keyring.find(secret, '10.9.0.3')
    flooding = true
    const flood = Array.from({ length: 60 }, (_, at) => keyring.find(mintKey().secret, `10.9.1.${at}`))
    await until(() => reading === 3, 'three guesses in progress')
    flooding = false
    expect(await keyring.find(secret, '10.9.0.3')).not.toBeNull()
    expect(reading).toBe(3)
    letGo()
    expect(await Promise.all(flood)).toEqual(Array(60).fill(null))
  })

  test('does not block a live key that this process has not seen, and needs few statements', async () => {
    let reading = 0
    let letGo = () => {}
    const held = new Promise<void>((resolve) => {
      letGo = resolve
    })
    const live = await Promise.all([1, 2, 3].map(() => newKey()))
    const keyring = createKeyring(
      watched(database.db, (statement) => {
        if (statement === 'read' && reading++ < 3) return held
      }),
      createRateLimit(),
      testLog(),
    )
    const flood = Array.from({ length: 2_000 }, (_, at) => keyring.find(mintKey().secret, `10.9.2.${at % 20}`))
    const found = live.map(({ secret }, at) => keyring.find(secret, `10.9.3.${at}`))
    await until(() => reading === 3, 'guesses in progress')
    letGo()
    expect((await Promise.all(found)).map((record) => record?.keyId)).toEqual(live.map(({ id }) => id))
    expect(await Promise.all(flood)).toEqual(Array(2_000).fill(null))
    expect(reading).toBeLessThan(20)
  })

  test('from one IP address fills only its own part of the queue', async () => {
    let letGo = () => {}
    const held = new Promise<void>((resolve) => {
      letGo = resolve
    })
    const keyring = createKeyring(
      watched(database.db, () => held),
      createRateLimit(),
      testLog(),
    )
    const flood = Array.from({ length: 300 }, () =>
      keyring.find(mintKey().secret, '10.9.4.1').then(
        () => 'unknown',
        (error: { message: string }) => error.message,
      ),
    )
    const { secret, id } = await newKey()
    const found = keyring.find(secret, '10.9.4.2')
    letGo()
    expect((await found)?.keyId).toBe(id)
    const said = await Promise.all(flood)
    // Three of its guesses were in progress, 200 waited.
    expect(said.filter((one) => one.startsWith('too many unknown API keys'))).toHaveLength(97)
  })
})
