import { randomBytes, randomUUID } from 'node:crypto'
import { expect, onTestFinished, test } from 'vitest'
import { freshDatabase } from '../../test/support/database/database'
import { newTenantOf } from '../../test/support/database/ledger'
import { fixture } from '../../test/support/fixture'
import { keepLog } from '../../test/support/log-lines'
import { testLog } from '../../test/support/logs'
import { until } from '../../test/support/until'
import { mintKey } from '../accounts/keyring'
import { HOUR_MS } from '../base/durations'
import { createApp } from '../boot/app'
import { connect } from '../db/database'
import { readEnv } from '../env/env'
import { startHousekeeping } from './housekeeping'

const database = fixture(freshDatabase)

async function newKeys(count: number, ageMs: number): Promise<void> {
  const createdAt = new Date(Date.now() - ageMs)
  const data = Array.from({ length: count }, () => {
    return {
      scope: 'ip:10.0.0.1',
      key: randomUUID(),
      bodyHash: randomBytes(32),
      token: randomUUID(),
      lockedUntil: createdAt,
      createdAt,
    }
  })
  await database.db.idempotency.createMany({ data })
}
const left = () => database.db.idempotency.count()

test('a service that starts deletes every idempotency key whose day is over, and keeps the others', async () => {
  await newKeys(2_500, 25 * HOUR_MS)
  await newKeys(3, 23 * HOUR_MS)
  const app = await createApp(readEnv({ NODE_ENV: 'test', DATABASE_URL: database.url }), testLog())
  onTestFinished(() => app.close())
  await until(async () => (await left()) === 3, 'the old keys to go')
})

test('housekeeping comes back, batch by batch, until it is stopped', async () => {
  const loop = startHousekeeping({ db: database.db, log: testLog(), everyMs: 10, batch: 2, failedHistoryDays: 90 })
  onTestFinished(() => loop.stop())
  for (let round = 0; round < 2; round++) {
    await newKeys(5, 25 * HOUR_MS)
    await until(async () => (await left()) === 3, 'the old keys to go')
  }
  await loop.stop()
  await newKeys(1, 25 * HOUR_MS)
  loop.kick()
  expect(await left()).toBe(4)
})

test('secrets that ended long ago are deleted, and those that ended lately or live are not', async () => {
  const tenantId = await newTenantOf(database.db)
  const longAgo = new Date(Date.now() - 91 * 24 * HOUR_MS)
  const lately = new Date(Date.now() - 89 * 24 * HOUR_MS)
  const made = async (data: { revokedAt?: Date; graceUntil?: Date }) => {
    const { id, hash, prefix } = mintKey()
    await database.db.apiKey.create({ data: { id, tenantId, hash: Buffer.from(hash), prefix, ...data } })
    return id
  }
  const [live, kept] = [await made({}), await made({ revokedAt: lately, graceUntil: lately })]
  for (const ended of [{ revokedAt: longAgo }, { graceUntil: longAgo }, { revokedAt: lately, graceUntil: longAgo }])
    await made(ended)
  const loop = startHousekeeping({ db: database.db, log: testLog(), batch: 2, failedHistoryDays: 90 })
  onTestFinished(() => loop.stop())
  const ids = async () => (await database.db.apiKey.findMany({ where: { tenantId } })).map(({ id }) => id).sort()
  await until(async () => (await ids()).length === 2, 'the old secrets to go')
  expect(await ids()).toEqual([live, kept].sort())
})

test('a database that fails is one line in the log and is tried again later', async () => {
  const { log, lines } = keepLog()
  const { db, close } = connect({ url: database.url.replace(/\/[^/]*$/, '/there_is_none') })
  onTestFinished(close)
  const loop = startHousekeeping({ db, log, failedHistoryDays: 90 })
  onTestFinished(() => loop.stop())
  await until(() => lines.length > 0, 'the line')
  await loop.stop()
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ level: 50, msg: 'housekeeping failed' }])
})

test('counts of addresses go after two months, all others after thirteen', async () => {
  const { db } = database
  const period = (monthsAgo: number) => {
    const now = new Date()
    return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - monthsAgo, 1)).toISOString().slice(0, 7)
  }
  const subjects = ['ip:10.0.0.1', 'ip:2001:db8:0:1::/64', `tenant:${randomUUID()}`, 'owner:oidc:someone:growth']
  const meters = ['settlement', 'verification']
  const months = [0, 2, 3, 13, 14]
  const data = subjects.flatMap((subject) =>
    meters.flatMap((meter) => months.map((ago) => ({ subject, meter, period: period(ago), used: 1 }))),
  )
  await db.usage.createMany({ data })
  const loop = startHousekeeping({ db, log: testLog(), batch: 2, failedHistoryDays: 90 })
  onTestFinished(() => loop.stop())
  await until(async () => (await db.usage.count()) <= 24, 'the old counts to go')
  await loop.stop()
  const left = async (prefix: string) => {
    const rows = await db.usage.findMany({ where: { subject: { startsWith: prefix } }, distinct: ['period'] })
    return rows.map((row) => row.period).sort()
  }
  expect(await left('ip:')).toEqual([period(2), period(0)])
  expect(await left('tenant:')).toEqual([period(13), period(3), period(2), period(0)])
  expect(await left('owner:')).toEqual([period(13), period(3), period(2), period(0)])
})
