import { randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { newTenantOf } from '../../test/support/database/ledger'
import { fixture } from '../../test/support/fixture'
import { administrator, pagesOf } from '../../test/support/service/dashboard'
import { newOwner, newRow, startReading, tenantOf } from '../../test/support/service/history'
import { SANDBOX_TENANT } from '../accounts/caller'
import { DAY_MS } from '../base/durations'
import { noteDay, rollDay } from '../sums/rollup-queries'
import { listedTenants, tenantDetails, tenantSums } from './tenants'

const harness = fixture(startReading)

const PAYEE = '0x209693bc6afc0c5328ba36faf03c514ef312287c'

type Asked = Parameters<typeof listedTenants>[1]

const ALL: Asked = { search: null, plans: [], revoked: null, within: 'mainnet', order: 'newest', cursor: null }
const list = (asked: Partial<Asked>) => listedTenants(harness.app, { ...ALL, ...asked })
const idsOf = async (asked: Partial<Asked>) => (await list(asked)).tenants.map(({ id }) => id)
const idsFound = (search: string) => idsOf({ search })

describe('the list of tenants', () => {
  test('is searched by a part of a name in any letter case, a whole owner, or an id', async () => {
    const { db } = harness.app
    const ownerId = newOwner()
    const id = await tenantOf(db, ownerId)
    const named = await newTenantOf(db, { ownerKind: 'oidc', ownerId, name: 'Harbour cranes' })
    expect(await idsFound('bour CRANE')).toEqual([named])
    expect((await idsFound(ownerId)).toSorted()).toEqual([id, named].toSorted())
    expect(await idsFound(id.toUpperCase())).toEqual([id])
    expect(await idsFound(ownerId.slice(0, -1).concat('?'))).toEqual([])
  })

  test('has the quota that keys of an owner and plan share, and none for prepaid tenants', async () => {
    const { db } = harness.app
    const ownerId = newOwner()
    await tenantOf(db, ownerId)
    await newTenantOf(db, { ownerKind: 'oidc', ownerId, plan: 'free', ownQuota: false })
    await newTenantOf(db, { ownerKind: 'oidc', ownerId, plan: 'agent', ownQuota: false })
    const period = new Date().toISOString().slice(0, 7)
    const subject = `owner:oidc:${ownerId}:free`
    await db.usage.create({ data: { subject, meter: 'settlement', period, used: 42 } })
    await db.usage.create({ data: { subject, meter: 'verification', period, used: 7 } })
    const { tenants } = await list({ search: ownerId })
    const quotaOf = (plan: string) => tenants.find((tenant) => tenant.plan === plan)?.quota
    expect([quotaOf('free'), quotaOf('agent')]).toEqual([{ used: 42, limit: 1_000 }, null])
    expect(tenants.find(({ plan }) => plan === 'free')).toMatchObject({ verifications: { used: 7 } })
  })

  test('has the credits that a wallet has left, live and test together', async () => {
    const { db } = harness.app
    const wallet = `0x${randomBytes(20).toString('hex')}`
    await db.owner.create({ data: { kind: 'wallet', id: wallet } })
    const id = await newTenantOf(db, { ownerKind: 'wallet', ownerId: wallet, plan: 'agent' })
    const listed = async () => (await list({ search: id })).tenants
    expect(await listed()).toMatchObject([{ quota: null, credits: null }])
    await db.creditAccount.createMany({
      data: [
        { wallet, environment: 'mainnet', purchased: 100n, used: 1n, verifications: 3n },
        { wallet, environment: 'testnet', purchased: 10n },
      ],
    })
    expect(await listed()).toMatchObject([{ quota: null, credits: { left: 109, bought: 110 }, verifications: { used: 3 } }])
  })

  test('counts what settled in 30 days, today included, without failures', async () => {
    const { db } = harness.app
    const ownerId = newOwner()
    const tenantId = await tenantOf(db, ownerId)
    const row = (age: number, failed = {}) => ({
      ...newRow({ tenantId, ownerId, createdAt: new Date(Date.now() - age * DAY_MS) }),
      ...failed,
    })
    const failure = { success: false, errorReason: 'insufficient_funds' }
    await db.history.createMany({ data: [row(0), row(0, failure), row(2), row(2), row(2, failure), row(40)] })
    await db.$executeRaw`UPDATE "RollupCursor" SET "day" = (now() AT TIME ZONE 'UTC')::date - 50`
    while (await noteDay(db)) {}
    for (const age of [2, 40])
      await rollDay(db, { tenantId, day: new Date(Date.now() - age * DAY_MS).toISOString().slice(0, 10) })
    expect((await list({ search: tenantId })).tenants).toMatchObject([{ settled: 3 }])
  })

  test('is filtered by plans and by whether a tenant is revoked', async () => {
    const { db } = harness.app
    const ownerId = newOwner()
    await tenantOf(db, ownerId)
    const make = (data: Parameters<typeof newTenantOf>[1]) => newTenantOf(db, { ownerKind: 'oidc', ownerId, ...data })
    const scale = await make({ plan: 'scale' })
    const revoked = await make({ plan: 'starter', revokedAt: new Date() })
    expect(await idsOf({ search: ownerId, plans: ['scale', 'starter'] })).toEqual([revoked, scale])
    expect(await idsOf({ search: ownerId, plans: ['scale', 'starter'], revoked: false })).toEqual([scale])
    expect(await idsOf({ search: ownerId, revoked: true })).toEqual([revoked])
  })

  test('takes a search word for word', async () => {
    const { db } = harness.app
    const ownerId = newOwner()
    await tenantOf(db, ownerId)
    const named = await newTenantOf(db, { ownerKind: 'oidc', ownerId, name: 'Save 50%_off \\ now' })
    expect(await idsFound('50%_off \\')).toEqual([named])
    expect(await idsFound('S%off')).toEqual([])
  })
})

describe('tenants by what they bring and cost', () => {
  const BASE = 'eip155:8453'
  const today = () => new Date(Math.floor(Date.now() / DAY_MS) * DAY_MS)

  /** Tenants of one name, with these volumes and gas on Base, in the order of their creation. */
  async function tenants(name: string, figures: { volume: string; gas: string; settled?: number }[]) {
    const { db } = harness.app
    const ownerId = newOwner()
    await tenantOf(db, ownerId)
    const ids: string[] = []
    for (const { volume, gas, settled = 1 } of figures) {
      const id = await newTenantOf(db, { ownerKind: 'oidc', ownerId, name, plan: 'starter' })
      ids.push(id)
      const rows = Array.from({ length: settled }, () => newRow({ tenantId: id, ownerId, amount: volume }))
      await db.history.createMany({ data: rows })
      await db.history.create({ data: newRow({ tenantId: id, ownerId, amount: '999', success: false, errorReason: 'x' }) })
      await db.sponsorSpend.create({ data: { tenantId: id, network: BASE, day: today(), spent: gas } })
    }
    return { ids, ownerId }
  }

  test('are ordered by volume, gas or settlements, and each page goes on where the one before ended', async () => {
    const count = 60
    const figures = Array.from({ length: count }, (_, at) => ({
      // Some are alike.
      volume: String(1_000 * (at % 7)),
      gas: String(10n ** 12n * BigInt((at * 13) % 11)),
      settled: 1 + ((at * 5) % 3),
    }))
    const { ids } = await tenants('ranked', figures)
    for (const [order, of] of [
      ['volume', ({ volume, settled }: (typeof figures)[number]) => BigInt(volume) * BigInt(settled)],
      ['gas', ({ gas }: (typeof figures)[number]) => BigInt(gas)],
      ['settled', ({ settled }: (typeof figures)[number]) => BigInt(settled)],
    ] as const) {
      const first = await list({ search: 'ranked', order })
      const second = await list({ search: 'ranked', order, cursor: first.cursor })
      const found = [...first.tenants, ...second.tenants]
      expect([first.tenants.length, second.tenants.length, second.cursor]).toEqual([50, 10, null])
      expect(new Set(found.map(({ id }) => id))).toEqual(new Set(ids))
      const values = found.map(({ id }) => of(figures[ids.indexOf(id)] ?? { volume: '0', gas: '0', settled: 0 }))
      expect(values).toEqual(values.toSorted((one, other) => (one < other ? 1 : one > other ? -1 : 0)))
    }
  })

  test('have gas in coins and dollars, and figures of one environment only', async () => {
    const { ids } = await tenants('dollars', [{ volume: '2500000', gas: '1000000000000000' }])
    expect((await list({ search: 'dollars' })).tenants).toMatchObject([
      { id: ids[0], settled: 1, volume: '2500000', gas: [{ network: BASE, spent: '1000000000000000' }], gasUsd: '3000000' },
    ])
    expect((await list({ search: 'dollars', within: 'testnet' })).tenants).toMatchObject([
      { settled: 0, volume: '0', gas: [], gasUsd: null },
    ])
  })

  test('are summed over a choice, also those of other pages', async () => {
    const { ids } = await tenants('summed', [
      { volume: '2500000', gas: '1000000000000000' },
      { volume: '500000', gas: '1000000000000000' },
    ])
    const summed = (search: string) => tenantSums(harness.app, { search, plans: [], revoked: null, within: 'mainnet' })
    expect(await summed('summed')).toEqual({ tenants: 2, more: false, settled: 2, volume: '3000000', gasUsd: '6000000' })
    expect(await summed(ids[1] ?? '')).toMatchObject({ tenants: 1, volume: '500000' })
    expect(await summed('no such tenant')).toEqual({ tenants: 0, more: false, settled: 0, volume: '0', gasUsd: null })
  })

  test('have no margin where plans have no prices', async () => {
    await tenants('unpriced', [{ volume: '1', gas: '1' }])
    expect(await list({ search: 'unpriced' })).toMatchObject({ priced: false, tenants: [{ margin: null }] })
  })
})

describe('where plans have prices', () => {
  const priced = fixture(() => startReading({ PLAN_PRICES: 'starter=29' }))
  const within = 'mainnet'
  const BASE = 'eip155:8453'

  test('the margin of a tenant is its price less its gas in Live; keys with one quota share a price', async () => {
    const { app } = priced
    const ownerId = newOwner()
    await tenantOf(app.db, ownerId)
    const make = (data: Parameters<typeof newTenantOf>[1]) => newTenantOf(app.db, { ownerKind: 'oidc', ownerId, ...data })
    const own = await make({ plan: 'starter', ownQuota: true })
    const shared = [await make({ plan: 'starter', ownQuota: false }), await make({ plan: 'starter', ownQuota: false })]
    const free = await make({ plan: 'free', ownQuota: false })
    const [revoked, other] = [await make({ plan: 'starter', revokedAt: new Date() }), await make({ plan: 'scale' })]
    const day = new Date(Math.floor(Date.now() / DAY_MS) * DAY_MS)
    // A thousandth of an ether, at $3,000.
    const spent = '1000000000000000'
    for (const tenantId of [own, free]) await app.db.sponsorSpend.create({ data: { tenantId, network: BASE, day, spent } })
    const marginOf = async (id: string) => (await tenantDetails(app, id, within)).margin
    expect(await marginOf(own)).toBe('26000000')
    expect(await Promise.all(shared.map(marginOf))).toEqual(['14500000', '14500000'])
    expect(await marginOf(free)).toBe('-3000000')
    expect([await marginOf(revoked), await marginOf(other)]).toEqual([null, null])
    expect(await tenantDetails(app, own, 'testnet')).toMatchObject({ margin: null, priced: false })
  })
})

describe('the page of a tenant', () => {
  test('has its own limits beside those of its plan, and changes them', async () => {
    const { db } = harness.app
    const ownerId = newOwner()
    await tenantOf(db, ownerId)
    const id = await newTenantOf(db, { ownerKind: 'oidc', ownerId, plan: 'starter', payToAllow: [PAYEE] })
    const pages = pagesOf(harness.app, administrator)
    await pages.mutate('admin.changeTenant', { id, rps: 7, settlementQuota: 0 })
    expect(await pages.query('admin.tenant', { id, within: 'mainnet' })).toMatchObject({
      data: {
        plan: 'starter',
        ownerId,
        limits: { rps: 7, settlementQuota: 0, verificationQuota: null },
        ofPlan: { rps: 20, settlementQuota: 10_000, verificationQuota: 50_000 },
        payToAllow: ['0x209693Bc6afc0C5328bA36FaF03C514EF312287C'],
        quota: { used: 0, limit: 0 },
      },
    })
    await pages.mutate('admin.changeTenant', { id, rps: null })
    expect(await pages.query('admin.tenant', { id, within: 'mainnet' })).toMatchObject({ data: { limits: { rps: null } } })
    expect(await pages.mutate('admin.changeTenant', { id, rps: 0 })).toMatchObject({ status: 400 })
  })

  test('404 for an unknown tenant and for one of the service itself', async () => {
    const pages = pagesOf(harness.app, administrator)
    for (const id of ['00000000-0000-4000-8000-0000000000aa', SANDBOX_TENANT])
      expect(await pages.query('admin.tenant', { id, within: 'mainnet' })).toMatchObject({ status: 404 })
  })
})
