import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { isPlan } from '../../server/accounts/plans'
import { DAY_MS } from '../../server/base/durations'
import { refreshAllFigures } from '../../server/sums/resource-queries'
import { dirtyDays, noteDay, rollDay } from '../../server/sums/rollup-queries'
import { listEndpoints } from '../../server/webhooks/endpoint-queries'
import { takeDeliveries } from '../../server/webhooks/queue-queries'
import { isNetworkId } from '../../server/x402/networks/networks'
import { type FreshDatabase, freshDatabase } from '../../test/support/database/database'
import { embeddedFolder } from '../../test/support/database/embedded'
import { newClaimed, newKeyOf } from '../../test/support/database/ledger'
import { inLongRuns } from '../../test/support/long-run'
import { seed, seedAt, unseed, unseedAt } from './database'
import { DEMO_OWNER, seededHistory, seededTenants } from './history'

const NOW = new Date('2026-11-21T12:00:00Z')

/** A service's data folder with an empty database. */
async function dataFolder(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'quittance-seed-'))
  const template = await embeddedFolder()
  await cp(template, path.join(folder, 'db'), { recursive: true })
  onTestFinished(async () => {
    await Promise.all([folder, template].map((one) => rm(one, { recursive: true })))
  })
  return folder
}

async function database(): Promise<FreshDatabase> {
  const fresh = await freshDatabase()
  onTestFinished(fresh.close)
  return fresh
}

test('the seeded history is sixty days of plausible settlements, the same every time', () => {
  const rows = seededHistory(NOW)
  expect(seededHistory(NOW)).toEqual(rows)
  expect(new Set(rows.map(({ createdAt }) => createdAt.toISOString().slice(0, 10))).size).toBeGreaterThanOrEqual(60)
  expect(rows[0]?.createdAt.getTime()).toBeGreaterThanOrEqual(NOW.getTime() - 60 * DAY_MS)
  expect(rows.at(-1)?.createdAt.getTime()).toBeLessThan(NOW.getTime())
  const inHours = (from: number) => rows.filter(({ createdAt }) => Math.abs(createdAt.getUTCHours() - from) < 3).length
  expect(inHours(15)).toBeGreaterThan(2 * inHours(3))
  const failed = rows.filter(({ success }) => !success)
  expect(failed.length / rows.length).toBeGreaterThan(0.03)
  expect(failed.length / rows.length).toBeLessThan(0.1)
  expect(
    rows.every(({ success, txHash, errorReason }) => success === (txHash !== '') && success === (errorReason === null)),
  ).toBe(true)
  expect(rows.every(({ network, plan }) => isNetworkId(network) && isPlan(plan))).toBe(true)
  expect(new Set(rows.map(({ resource }) => resource)).size).toBeGreaterThan(5)
})

test('it belongs to the demo owner, comes once, and --unseed removes it and nothing else', async () => {
  const { url, db } = await database()
  const mine = '00000000-0000-4000-8000-000000000001'
  await db.owner.create({ data: DEMO_OWNER })
  await db.tenant.create({
    data: { id: mine, ownerKind: DEMO_OWNER.kind, ownerId: DEMO_OWNER.id, plan: 'free', name: 'Made by hand' },
  })
  const others = await db.tenant.count()
  const now = new Date()
  const made = await seedAt(url, now)
  const { settlements: count } = made
  expect(await seedAt(url, now)).toEqual(made)
  expect(await db.history.count()).toBe(count)
  expect(await db.tenant.count({ where: { ownerKind: DEMO_OWNER.kind } })).toBe(1 + seededTenants.length)
  const tenants = await db.tenant.findMany({ where: { id: { in: seededTenants.map(({ id }) => id) } }, orderBy: { id: 'asc' } })
  const days = tenants.map(({ createdAt }) => createdAt.toISOString().slice(0, 10))
  expect(days).toEqual(days.toSorted())
  // Keys of the dashboard share the quota of their owner and plan.
  expect(await db.tenant.count({ where: { ownerId: 'demo-seed', ownQuota: true, id: { not: mine } } })).toBe(0)
  const units = await db.usage.findMany({ where: { subject: { startsWith: 'owner:oidc:demo-seed:' }, meter: 'settlement' } })
  const month = new Date(now.toISOString().slice(0, 7))
  const ofMonth = await db.history.count({ where: { ownerId: 'demo-seed', createdAt: { gte: month } } })
  expect(units.reduce((sum, { used }) => sum + used, 0)).toBe(ofMonth)
  for (const { id } of seededTenants) {
    const newest = await db.history.findFirst({ where: { tenantId: id }, orderBy: { createdAt: 'desc' } })
    expect((await db.apiKey.findFirst({ where: { tenantId: id } }))?.lastUsedAt).toEqual(newest?.createdAt)
  }

  const listed = await db.resource.findMany({ include: { accepts: true } })
  expect([listed.length, listed.flatMap(({ accepts }) => accepts).length]).toEqual([7, 8])
  for (const { url, owner, lastSeen } of listed) {
    const where = { tenantId: owner.replace('tenant:', ''), resource: url, success: true }
    const newest = await db.history.findFirst({ where, orderBy: { createdAt: 'desc' } })
    expect(lastSeen).toEqual(newest?.createdAt)
  }
  expect(await db.outbox.count()).toBe(0)
  expect(await unseedAt(url)).toBe(count)
  expect(await unseedAt(url)).toBe(0)
  expect([await db.history.count(), await db.tenant.count()]).toEqual([0, others])
  expect(await db.tenant.findUnique({ where: { id: mine } })).not.toBeNull()
  expect([await db.usage.count(), await db.apiKey.count()]).toEqual([0, 0])
  expect([await db.resource.count(), await db.webhookEndpoint.count(), await db.webhookDelivery.count()]).toEqual([0, 0, 0])
})

test('a tenant that was paid through a key of its own stays with that payment, and --seed works again', async () => {
  const { url, db } = await database()
  await seedAt(url, new Date())
  const [{ id: tenantId } = { id: '' }] = seededTenants
  await newKeyOf(db, tenantId)
  const { id: settlementId } = await newClaimed(db, { tenantId })
  await unseedAt(url)
  expect((await db.tenant.findMany({ where: { ownerId: DEMO_OWNER.id } })).map(({ id }) => id)).toEqual([tenantId])
  expect((await db.apiKey.findMany()).map(({ prefix }) => prefix)).toEqual(['qt_test'])
  expect([await db.history.count(), await db.settlement.count({ where: { id: settlementId } })]).toEqual([0, 1])
  await seedAt(url, new Date())
  expect(await db.tenant.count({ where: { ownerId: DEMO_OWNER.id } })).toBe(seededTenants.length)
})

test('its listings have the figures of its history, and its webhook a log of deliveries that it never sends', async () => {
  const { url, db } = await database()
  const { settlements, listings, deliveries } = await seedAt(url, new Date())
  expect([listings, deliveries]).toEqual([7, 120])
  while (await noteDay(db)) {}
  for (const day of await dirtyDays(db, settlements)) await rollDay(db, day)
  await refreshAllFigures(db, () => false)
  const listed = await db.resource.findMany({ where: { environment: 'mainnet' } })
  expect(listed.every(({ calls, tries, callers, volume }) => calls > 0 && tries >= calls && callers > 0 && volume.gt(0))).toBe(
    true,
  )
  const [webhook] = await listEndpoints(db, DEMO_OWNER)
  expect(webhook).toMatchObject({ disabledAt: expect.any(Date), url: expect.stringMatching(/^https:\/\/[^/]+\.example\//) })
  expect(await takeDeliveries(db, { limit: 10, inHand: [], leaseMs: 1_000 })).toEqual([])
  const log = await db.webhookDelivery.findMany({ include: { attempts: { orderBy: { no: 'asc' } } } })
  const failed = log.filter(({ state }) => state === 'failed')
  expect(failed.map(({ lastStatus, attempts }) => [lastStatus, attempts.length > 5])).toEqual(Array(3).fill([503, true]))
  const delivered = log.filter(({ state }) => state === 'delivered')
  expect(delivered).toHaveLength(117)
  const { _sum: tries } = await db.webhookHour.aggregate({ _sum: { good: true, bad: true } })
  const failures = log.flatMap(({ attempts }) => attempts).length - 117
  expect(tries).toEqual({ good: 117, bad: failures })
  const retried = delivered.filter(({ attempts }) => attempts.length > 1)
  expect(retried.map(({ attempts }) => attempts.map(({ status }) => status))).toEqual([[503, 200]])
  const told = await db.history.findMany({
    where: { settlementId: { in: log.flatMap(({ settlementId }) => settlementId ?? []) } },
  })
  // An event says how a payment ended that passed verification; a refused one has none.
  expect([told.length, told.every(({ settleMs }) => settleMs !== null)]).toEqual([120, true])
  const since = told.reduce((first, { createdAt }) => Math.min(first, createdAt.getTime()), Number.POSITIVE_INFINITY)
  const ended = { ownerId: DEMO_OWNER.id, settleMs: { not: null }, createdAt: { gte: new Date(since) } }
  expect(await db.history.count({ where: ended })).toBe(120)
  const events = new Map(log.map(({ settlementId, type }) => [settlementId, type]))
  for (const { settlementId, success } of told)
    expect(events.get(settlementId)).toBe(success ? 'payment.settled' : 'payment.failed')
})

test('nothing of it lies in the future or before its account, and its gas is that of its transactions', async () => {
  const { url, db } = await database()
  const now = new Date()
  await seedAt(url, now)
  const { createdAt: opened } = await db.owner.findUniqueOrThrow({ where: { kind_id: DEMO_OWNER } })
  for (const { id, createdAt, keys } of await db.tenant.findMany({
    where: { ownerId: DEMO_OWNER.id },
    include: { keys: true },
  })) {
    expect(createdAt.getTime()).toBeGreaterThanOrEqual(opened.getTime())
    expect(keys.map((key) => key.createdAt)).toEqual([createdAt])
    const { _min, _max, _count } = await db.history.aggregate({
      where: { tenantId: id },
      _min: { createdAt: true },
      _max: { createdAt: true },
      _count: true,
    })
    expect(_min.createdAt?.getTime()).toBeGreaterThan(createdAt.getTime())
    expect(_max.createdAt?.getTime()).toBeLessThan(now.getTime())
    expect(_count).toBeGreaterThan(0)
  }
  const ends = await db.webhookDelivery.aggregate({ _max: { createdAt: true, endedAt: true } })
  expect(Math.max(...Object.values(ends._max).map((at) => at?.getTime() ?? 0))).toBeLessThanOrEqual(now.getTime())

  const settled = await db.history.groupBy({ by: ['tenantId', 'network'], where: { success: true }, _count: true })
  const gas = await db.sponsorSpend.groupBy({ by: ['tenantId', 'network'], _sum: { spent: true } })
  const each = (network: string) => (network.startsWith('solana:') ? 10_000n : 600_000_000_000n)
  expect(
    new Map(gas.map(({ tenantId, network, _sum }) => [`${tenantId} ${network}`, BigInt(_sum.spent?.toFixed() ?? 0)])),
  ).toEqual(new Map(settled.map(({ tenantId, network, _count }) => [`${tenantId} ${network}`, BigInt(_count) * each(network)])))
})

inLongRuns(() => {
  test('it goes into the embedded database of a stopped service, and out of it', async () => {
    const folder = await dataFolder()
    const { settlements } = await seed(folder)
    expect(await unseed(folder)).toBe(settlements)
  })
})

test('without a database there is nothing to remove', async () => {
  expect(await unseed(path.join(tmpdir(), 'quittance-never-was'))).toBeNull()
})
