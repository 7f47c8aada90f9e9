import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { beforeEach, describe, expect, test } from 'vitest'
import { moveTo, newClaimed, newHash } from '../../../test/support/database/ledger'
import { fixture } from '../../../test/support/fixture'
import { asked, documentedAnswer, newOwner, newRow, startReading, tenantOf } from '../../../test/support/service/history'
import { HOUR_MS } from '../../base/durations'
import { rejectClaim } from '../../ledger/statements/claims'
import { dirtyDays, noteDay, rollDay } from '../../sums/rollup-queries'
import { createStatusCounts } from './counts'
import { getStatus } from './endpoints'
import { type Status, serviceRecord, type TierStatus } from './status'

const harness = fixture(startReading)
const BASE = 'eip155:8453'
const yesterday = () => new Date(Math.floor(Date.now() / (24 * HOUR_MS)) * 24 * HOUR_MS - 6 * HOUR_MS)

/** The service without counts in its memory. */
const forgetful = () => ({ ...harness.app, statusCounts: createStatusCounts(harness.app.sums) })

async function statusOf(app = forgetful()): Promise<Status> {
  const answer = await documentedAnswer('GET /status.json', getStatus.handle(app, asked('/status.json')))
  expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'public, max-age=60'])
  return answer.body as Status
}

function tierIn({ networks }: Status, tier: TierStatus['tier'], network = BASE): TierStatus | undefined {
  return networks.find((one) => one.network === network)?.tiers.find((one) => one.tier === tier)
}

/** Sums all completed days that have rows, also the day that ended since the database was made. */
async function roll(): Promise<void> {
  while (await noteDay(harness.app.db));
  for (const day of await dirtyDays(harness.app.db, 1_000)) await rollDay(harness.app.db, day)
}

type Row = Parameters<typeof newRow>[0]

async function addRows(count: number, row: Partial<Row>, data: { historyEnabled?: boolean } = {}): Promise<void> {
  const ownerId = newOwner()
  const tenantId = await tenantOf(harness.app.db, ownerId, 'oidc', data)
  const rows = Array.from({ length: count }, () => newRow({ tier: 'standard', settleMs: 1_000, ownerId, tenantId, ...row }))
  await harness.app.db.history.createMany({ data: rows })
}

beforeEach(async () => {
  await harness.app.db.$executeRaw`TRUNCATE "History", "Settlement", "RollupDay", "RollupFact", "RollupTime" CASCADE`
})

describe('GET /status.json', () => {
  test('has no network in a service without payments and chains', async () => {
    expect(await statusOf()).toMatchObject({ available: true, claim_min: 20, networks: [] })
  })

  test('counts tiers apart, with causes, shares and times', async () => {
    const failed = { success: false, txHash: '', settleMs: null }
    await addRows(40, { settleMs: 2_000 })
    await addRows(30, { tier: 'flash', settleMs: 200 })
    await addRows(3, { ...failed, errorReason: 'insufficient_funds' })
    await addRows(10, { ...failed, settleMs: 900, errorReason: 'settlement_reversed' })
    const found = await statusOf()
    expect(found.networks).toMatchObject([{ network: BASE, name: 'Base', testnet: false }])
    expect(tierIn(found, 'standard')).toMatchObject({
      available: null,
      since: null,
      pending: { count: 0, oldest_ms: null },
      last_24_hours: {
        settled: 40,
        failed: { payer: { count: 3 }, chain: { count: 10 }, facilitator: { count: 0, reasons: [] } },
        success: { of: 50, share: 0.8 },
        success_of_all: { of: 53, share: 40 / 53 },
      },
    })
    const [slow, fast] = [tierIn(found, 'standard'), tierIn(found, 'flash')].map((tier) => tier?.last_24_hours?.settle_ms.p50)
    expect(Math.abs((slow ?? 0) - 2_000)).toBeLessThan(400)
    expect(Math.abs((fast ?? 0) - 200)).toBeLessThan(40)
    expect(tierIn(found, 'sandbox')).toBeUndefined()
  })

  test('counts completed days from their sums, by tier', async () => {
    const createdAt = yesterday()
    await addRows(25, { createdAt })
    await addRows(5, { createdAt, tier: 'flash', settleMs: 100 })
    // As an earlier version wrote it.
    await addRows(1, { createdAt, tier: null, plan: 'sandbox', network: 'eip155:84532' })
    // From 18:00 UTC on these rows are older than a day, and a tier without newer ones and without sums is not listed.
    expect(tierIn(await statusOf(), 'standard')?.last_30_days?.settled ?? 0).toBe(0)
    await roll()
    const found = await statusOf()
    expect(tierIn(found, 'standard')?.last_30_days).toMatchObject({ settled: 25, success: { of: 25, share: 1 } })
    expect(tierIn(found, 'flash')?.last_30_days).toMatchObject({ settled: 5, success: { of: 5, share: null, lower_bound: null } })
    expect(tierIn(found, 'sandbox', 'eip155:84532')?.last_30_days?.settled).toBe(1)
  })

  test('leaves out keys that keep no history, in both windows and among pending payments', async () => {
    const hidden = { historyEnabled: false }
    await addRows(30, {}, hidden)
    await addRows(30, { createdAt: yesterday() }, hidden)
    await roll()
    const tenantId = await tenantOf(harness.app.db, newOwner(), 'oidc', hidden)
    const claim = await newClaimed(harness.app.db, { tenantId, tier: 'standard', network: BASE })
    expect((await statusOf()).networks).toEqual([])
    await rejectClaim(harness.app.db, claim.id, claim.waiter)
    expect((await statusOf()).networks).toEqual([])
  })

  test('counts payments on their way, and those that were given up unsigned as ours', async () => {
    const { db } = harness.app
    const [one, poor] = [await newClaimed(db), await newClaimed(db)]
    const pending = tierIn(await statusOf(), 'sandbox', 'eip155:84532')?.pending
    expect(pending).toEqual({ count: 2, oldest_ms: expect.any(Number) })
    await rejectClaim(db, one.id, one.waiter)
    await rejectClaim(db, poor.id, poor.waiter, 'underfunded')
    const sandbox = tierIn(await statusOf(), 'sandbox', 'eip155:84532')
    expect(sandbox?.pending).toEqual({ count: 0, oldest_ms: null })
    expect(sandbox?.last_24_hours?.failed.facilitator).toEqual({ count: 1, reasons: [{ reason: 'not_sent', count: 1 }] })
  })

  test('counts once a minute, also for many readers at once', async () => {
    const app = forgetful()
    const counts = await Promise.all(Array.from({ length: 8 }, () => statusOf(app)))
    await addRows(1, {})
    const later = await statusOf(app)
    expect(new Set([...counts, later].map(({ counted_at }) => counted_at)).size).toBe(1)
    expect(later.networks).toEqual(counts[0]?.networks)
  })

  test('has each day without failures of payers, today included, and the median without flash', async () => {
    const at = yesterday()
    const failed = { success: false, txHash: '', settleMs: null, createdAt: at }
    await addRows(38, { createdAt: at, settleMs: 2_000 })
    await addRows(30, { createdAt: at, tier: 'flash', settleMs: 200 })
    await addRows(5, { ...failed, errorReason: 'insufficient_funds' })
    await addRows(2, { ...failed, settleMs: 900, errorReason: 'settlement_reversed' })
    await roll()
    await addRows(3, { settleMs: 2_000 })
    const last = (await statusOf()).networks[0]?.last_90_days
    expect(last).toMatchObject({ success: { of: 73, share: 71 / 73 } })
    expect(last?.days.map(({ date, settled, failed }) => [date, settled, failed])).toEqual([
      [at.toISOString().slice(0, 10), 68, 2],
      [new Date().toISOString().slice(0, 10), 3, 0],
    ])
    expect([last?.median_ms, last?.days[0]?.median_ms].map((ms) => Math.abs((ms ?? 0) - 2_000) < 400)).toEqual([true, true])
    expect(last?.days[1]?.median_ms).toBeNull()
  })

  test('counts payments that were given up unsigned among the failures of their day', async () => {
    const { db } = harness.app
    const [today, before] = [await newClaimed(db), await newClaimed(db)]
    for (const claim of [today, before]) await rejectClaim(db, claim.id, claim.waiter)
    await db.settlement.update({ where: { id: before.id }, data: { createdAt: yesterday() } })
    const found = (await statusOf()).networks.find(({ network }) => network === 'eip155:84532')
    expect(found?.last_90_days?.days.map(({ settled, failed }) => [settled, failed])).toEqual([
      [0, 1],
      [0, 1],
    ])
  })

  test("the record of the home page is that of its environment's valid payments", async () => {
    const createdAt = yesterday()
    const failed = { success: false, txHash: '', settleMs: null, createdAt }
    await addRows(48, { createdAt, settleMs: 1_000 })
    await addRows(20, { ...failed, errorReason: 'insufficient_funds' })
    await addRows(2, { ...failed, settleMs: 900, errorReason: 'settlement_reversed' })
    await addRows(25, { createdAt, network: 'eip155:84532' })
    await roll()
    const patient = { ...forgetful(), config: { ...harness.app.config, prefetchWaitMs: 60_000 } }
    expect(await serviceRecord(patient, 'mainnet')).toEqual({ share: 0.96, medianMs: expect.any(Number) })
    expect(await serviceRecord(patient, 'testnet')).toMatchObject({ share: 1 })
    const unread = { ...patient, statusCounts: () => Promise.reject(new Error('no database')) }
    expect(await serviceRecord(unread, 'mainnet')).toBeNull()
    const slow = {
      ...patient,
      config: { ...patient.config, prefetchWaitMs: 5 },
      statusCounts: () => new Promise<never>(() => {}),
    }
    expect(await serviceRecord(slow, 'mainnet')).toBeNull()
  })

  test('says that it cannot count, and is not kept then', async () => {
    const app = { ...forgetful(), statusCounts: () => Promise.reject(new Error('no database')) }
    const answer = await documentedAnswer('GET /status.json', getStatus.handle(app, asked('/status.json')))
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'no-store'])
    expect(answer.body).toMatchObject({ counted_at: null, last_24_hours: null, last_30_days: null, networks: [] })
  })

  test('limits the rate of one address, apart from payments', async () => {
    const ip = '172.31.0.9'
    const get = () => getStatus.handle(harness.app, asked('/status.json', { ip }))
    const statuses = (await Promise.all(Array.from({ length: 40 }, get))).map(({ status }) => status)
    expect(new Set(statuses)).toEqual(new Set([200, 429]))
    await expect(harness.app.rateLimit(`ip:${ip}`, 1)).resolves.toBeUndefined()
  })
})

test('the answer has no identity of any row or claim', async () => {
  const text = fc.integer({ min: 0, max: 2 ** 31 }).map((n) => `id${n}${randomBytes(6).toString('hex')}`)
  const row = fc.record({
    payer: text,
    payTo: text,
    resource: text.map((id) => `https://${id}.test/paid`),
    amount: fc.bigInt({ min: 10n ** 12n, max: 10n ** 30n }).map(String),
    errorReason: fc.oneof(fc.constant(null), fc.constant('insufficient_funds'), text),
    network: fc.constantFrom(BASE, 'eip155:84532'),
    tier: fc.constantFrom('standard', 'flash', 'sandbox'),
    isOld: fc.boolean(),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 12 }), async (rows) => {
      const { db } = harness.app
      const ownerId = `owner-${newHash()}`
      const tenantId = await tenantOf(db, ownerId)
      const data = rows.map(({ isOld, errorReason, ...rest }) =>
        newRow({
          ...rest,
          ownerId,
          tenantId,
          errorReason,
          success: errorReason === null,
          ...(isOld ? { createdAt: yesterday() } : {}),
        }),
      )
      await db.history.createMany({ data })
      await roll()
      const claim = await newClaimed(db, { tenantId, tier: 'standard', payer: newHash(), payTo: newHash(), resource: newHash() })
      await moveTo(db, claim.id, 'REJECTED')
      const json = JSON.stringify(await statusOf())
      const known = rows.map(({ errorReason }) => (errorReason === 'insufficient_funds' ? null : errorReason))
      const identities = [
        ownerId,
        tenantId,
        claim.id,
        claim.payer,
        claim.payTo,
        claim.resource,
        ...known,
        ...data.flatMap(({ id, payer, payTo, resource, txHash, amount }) => [id, payer, payTo, resource, txHash, String(amount)]),
      ]
      for (const identity of identities) if (identity) expect(json).not.toContain(identity)
      expect(json).toContain(BASE)
    }),
    { numRuns: 15 },
  )
})
