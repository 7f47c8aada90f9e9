import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { isPlan } from '../../server/accounts/plans'
import { connect, type Db } from '../../server/db/database'
import { EMBEDDED_LIMITS, openEmbedded } from '../../server/db/embedded'
import { isNetworkId } from '../../server/x402/networks'
import { embeddedFolder } from '../../test/embedded'
import { seed, unseed } from './database'
import { DEMO_OWNER, seededHistory, seededTenants } from './history'

const NOW = new Date('2026-11-21T12:00:00Z')
const DAY_MS = 86_400_000

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

async function look<T>(folder: string, at: (db: Db) => Promise<T>): Promise<T> {
  const embedded = await openEmbedded(path.join(folder, 'db'), { warn: () => {} })
  const { db, close } = connect({ url: embedded.url, ...EMBEDDED_LIMITS })
  const seen = await at(db)
  await close()
  await embedded.close()
  return seen
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
  const folder = await dataFolder()
  const mine = '00000000-0000-4000-8000-000000000001'
  const others = await look(folder, async (db) => {
    await db.owner.create({ data: DEMO_OWNER })
    await db.tenant.create({
      data: { id: mine, ownerKind: DEMO_OWNER.kind, ownerId: DEMO_OWNER.id, plan: 'free', name: 'Made by hand' },
    })
    return db.tenant.count()
  })
  const now = new Date()
  const count = await seed(folder, now)
  expect(await seed(folder, now)).toBe(count)
  await look(folder, async (db) => {
    expect(await db.history.count({ where: { ownerId: 'demo-seed' } })).toBe(count)
    expect(await db.tenant.count()).toBe(others + seededTenants.length)
    const units = await db.usage.findMany({ where: { subject: { startsWith: 'owner:oidc:demo-seed:' }, meter: 'settlement' } })
    const month = new Date(now.toISOString().slice(0, 7))
    const ofMonth = await db.history.count({ where: { ownerId: 'demo-seed', createdAt: { gte: month } } })
    expect(units.reduce((sum, { used }) => sum + used, 0)).toBe(ofMonth)
    for (const { id } of seededTenants) {
      const newest = await db.history.findFirst({ where: { tenantId: id }, orderBy: { createdAt: 'desc' } })
      expect((await db.apiKey.findFirst({ where: { tenantId: id } }))?.lastUsedAt).toEqual(newest?.createdAt)
    }
  })
  expect(await unseed(folder)).toBe(count)
  expect(await unseed(folder)).toBe(0)
  await look(folder, async (db) => {
    expect([await db.history.count(), await db.tenant.count()]).toEqual([0, others])
    expect(await db.tenant.findUnique({ where: { id: mine } })).not.toBeNull()
    expect([await db.usage.count(), await db.apiKey.count()]).toEqual([0, 0])
  })
})

test('without a database there is nothing to remove', async () => {
  expect(await unseed(path.join(tmpdir(), 'quittance-never-was'))).toBeNull()
})
