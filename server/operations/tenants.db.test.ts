import { randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { newTenantOf } from '../../test/support/database/ledger'
import { fixture } from '../../test/support/fixture'
import { newOwner, newRow, startReading, tenantOf } from '../../test/support/service/history'
import { DAY_MS } from '../base/durations'
import { noteDay, rollDay } from '../sums/rollup-queries'
import { listedTenants } from './tenants'

const harness = fixture(startReading)

const idsFound = async (search: string) =>
  (await listedTenants(harness.app, { search, cursor: null })).tenants.map(({ id }) => id)

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
    await db.usage.create({ data: { subject: `owner:oidc:${ownerId}:free`, meter: 'settlement', period, used: 42 } })
    const { tenants } = await listedTenants(harness.app, { search: ownerId, cursor: null })
    const quotaOf = (plan: string) => tenants.find((tenant) => tenant.plan === plan)?.quota
    expect([quotaOf('free'), quotaOf('agent')]).toEqual([{ used: 42, limit: 1_000 }, null])
  })

  test('has the credits that a wallet has left, live and test together', async () => {
    const { db } = harness.app
    const wallet = `0x${randomBytes(20).toString('hex')}`
    await db.owner.create({ data: { kind: 'wallet', id: wallet } })
    const id = await newTenantOf(db, { ownerKind: 'wallet', ownerId: wallet, plan: 'agent' })
    const listed = async () => (await listedTenants(harness.app, { search: id, cursor: null })).tenants
    expect(await listed()).toMatchObject([{ quota: null, credits: null }])
    await db.creditAccount.createMany({
      data: [
        { wallet, environment: 'mainnet', purchased: 100n, used: 1n },
        { wallet, environment: 'testnet', purchased: 10n },
      ],
    })
    expect(await listed()).toMatchObject([{ quota: null, credits: { left: 109, bought: 110 } }])
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
    expect((await listedTenants(harness.app, { search: tenantId, cursor: null })).tenants).toMatchObject([{ settled: 3 }])
  })
})
