import { createHash } from 'node:crypto'
import { describe, expect, onTestFinished, test } from 'vitest'
import { freshDatabase } from '../../test/support/database/database'
import { countingKeyring, newKey, watched } from '../../test/support/database/keyring'
import { fixture } from '../../test/support/fixture'
import { keepLog } from '../../test/support/log-lines'
import { testLog } from '../../test/support/logs'
import { until } from '../../test/support/until'
import { connect } from '../db/database'
import { touchKey } from './key-queries'
import { createKeyring, mintKey } from './keyring'
import { createRateLimit } from './rate-limit'

const database = fixture(freshDatabase)

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
    const { keyring, counts } = countingKeyring(database.db)
    const { secret } = await newKey(database.db)
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
    const { keyring, counts } = countingKeyring(database.db)
    const { secret, id, tenantId } = await newKey(database.db)
    const found = await Promise.all(Array.from({ length: 100 }, () => keyring.find(secret, '10.0.0.1')))
    expect(found.every((record) => record?.keyId === id && record.tenantId === tenantId)).toBe(true)
    expect(await keyring.find(secret, '10.0.0.1')).toMatchObject({ keyId: id })
    expect(counts.read).toBe(1)
  })

  test('caches that a key is unknown', async () => {
    const { keyring, counts } = countingKeyring(database.db)
    const { secret } = mintKey()
    await Promise.all(Array.from({ length: 100 }, () => keyring.find(secret, '10.0.0.1')))
    expect([await keyring.find(secret, '10.0.0.1'), counts.read]).toEqual([null, 1])
  })

  test.each([
    ['revoked', { revokedAt: new Date(0) }],
    ['past its grace', { graceUntil: new Date(0) }],
  ])('finds no key that is %s', async (_, data) => {
    const { secret, id } = await newKey(database.db)
    await database.db.apiKey.update({ where: { id }, data })
    expect(await countingKeyring(database.db).keyring.find(secret, '10.0.0.1')).toBeNull()
  })

  test('finds no key of a revoked tenant, and finds a key during its grace', async () => {
    const { secret, id, tenantId } = await newKey(database.db)
    await database.db.apiKey.update({ where: { id }, data: { graceUntil: new Date(Date.now() + 3_600_000) } })
    expect(await countingKeyring(database.db).keyring.find(secret, '10.0.0.1')).toMatchObject({ keyId: id })
    await database.db.tenant.update({ where: { id: tenantId }, data: { revokedAt: new Date() } })
    expect(await countingKeyring(database.db).keyring.find(secret, '10.0.0.1')).toBeNull()
  })

  test('findAgain reads past the cache and caches what it read', async () => {
    const { keyring } = countingKeyring(database.db)
    const { secret, tenantId } = await newKey(database.db)
    expect(await keyring.find(secret, '10.0.0.1')).toMatchObject({ plan: 'growth' })
    await database.db.tenant.update({ where: { id: tenantId }, data: { plan: 'scale' } })
    expect(await keyring.find(secret, '10.0.0.1')).toMatchObject({ plan: 'growth' })
    expect(await keyring.findAgain(secret)).toMatchObject({ plan: 'scale' })
    expect(await keyring.find(secret, '10.0.0.1')).toMatchObject({ plan: 'scale' })
  })

  test('does not cache a database error', async () => {
    const { secret, id } = await newKey(database.db)
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
    const { secret, id } = await newKey(database.db)
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
    const { keyring, counts } = countingKeyring(database.db)
    const { secret, id } = await newKey(database.db)
    await Promise.all(Array.from({ length: 100 }, () => keyring.find(secret, '10.0.0.1')))
    await until(async () => (await lastUsedAtOf(id)) !== null, 'the note')
    await keyring.find(secret, '10.0.0.1')
    expect(counts.write).toBe(1)
  })

  test('is recorded at most once a minute by all processes together', async () => {
    const { id } = await newKey(database.db)
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
    const { secret, id } = await newKey(database.db)
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
