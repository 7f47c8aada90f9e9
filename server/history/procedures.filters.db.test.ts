import { describe, expect, test } from 'vitest'
import { newHash } from '../../test/support/database/ledger'
import { fixture } from '../../test/support/fixture'
import { MUSD, settleTooInTest } from '../../test/support/payloads/tokens'
import { administrator, merchant, wallet } from '../../test/support/service/dashboard'
import { newOwner, newRow, startReading, tenantOf } from '../../test/support/service/history'
import type { Principal } from '../sign-in/principal'
import { createCallerFactory } from '../trpc/context'
import { root } from '../trpc/router'

const harness = fixture(startReading)

const as = (principal: Principal | null) =>
  createCallerFactory(root)({ app: harness.app, principal, ip: '127.0.0.1', reader: 'test', requestId: 'test' })

const WALLET = '0x1111111111111111111111111111111111111111'

/** Two owners of a kind with a settlement each. */
async function twoOwners(ownerKind = 'oidc') {
  const of = async (ownerId: string) => {
    const tenantId = await tenantOf(harness.app.db, ownerId, ownerKind)
    const row = newRow({ ownerId, ownerKind, tenantId, txHash: newHash() })
    await harness.app.db.history.create({ data: row })
    return { ...row, txHash: String(row.txHash), ownerId, tenantId }
  }
  return [await of(newOwner()), await of(newOwner())] as const
}

const idsOf = ({ settlements }: { settlements: { id: string }[] }) => settlements.map(({ id }) => id)

test('a list of one token has its amounts alone, and a list by amount orders whole tokens', async () => {
  settleTooInTest([MUSD])
  const ownerId = newOwner()
  const tenantId = await tenantOf(harness.app.db, ownerId)
  const amounts = [
    ['USDC', '2000000'],
    ['mUSD', '1500000000000000000'],
    ['EURC', '1000000'],
    ['mUSD', '1'],
  ] as const
  for (const [symbol, amount] of amounts) {
    await harness.app.db.history.create({ data: newRow({ ownerId, tenantId, symbol, amount }) })
  }
  const { settlements } = as(merchant(ownerId))
  const read = async (input: { asset?: string; sort?: 'largest' | 'smallest'; limit?: number; cursor?: string | null }) => {
    const page = await settlements.list({ reader: 'merchant', ...input })
    return { ...page, shown: page.settlements.map(({ asset, decimals, amount }) => [asset, decimals, amount]) }
  }
  const [usdc, musd, eurc, tiny] = amounts.map(([symbol, amount]) => [symbol, symbol === 'mUSD' ? 18 : 6, amount])
  expect((await read({ asset: 'EURC' })).shown).toEqual([eurc])
  expect(await settlements.summary({ reader: 'merchant', asset: 'mUSD' })).toMatchObject({
    own: { count: 2 },
    volumes: [{ asset: 'mUSD', decimals: 18, amount: '1500000000000000001' }],
  })
  expect((await read({ sort: 'largest' })).shown).toEqual([usdc, musd, eurc, tiny])
  const first = await read({ sort: 'smallest', limit: 2 })
  expect([first.shown, (await read({ sort: 'smallest', limit: 2, cursor: first.cursor })).shown]).toEqual([
    [tiny, eurc],
    [musd, usdc],
  ])
})

describe("another owner's settlements", () => {
  test('are reached by no filter of a merchant or an agent', async () => {
    for (const [kind, reader] of [
      ['oidc', 'merchant'],
      ['wallet', 'agent'],
    ] as const) {
      const [mine, theirs] = await twoOwners(kind)
      const me: Principal = kind === 'oidc' ? merchant(mine.ownerId) : wallet(mine.ownerId)
      const { settlements } = as(me)
      for (const filter of [
        { key: [theirs.tenantId] },
        { payer: [theirs.payer] },
        { recipient: [theirs.payTo], key: [theirs.tenantId] },
        { transaction: theirs.txHash },
        { search: theirs.txHash },
        { search: theirs.payer },
        { key: [theirs.tenantId], owner: theirs.ownerId, tenant: theirs.tenantId },
      ]) {
        expect(idsOf(await settlements.list({ reader, ...filter })), JSON.stringify(filter)).toEqual([])
        expect(await settlements.summary({ reader, ...filter }), JSON.stringify(filter)).toMatchObject({ settled: 0, failed: 0 })
        const { options } = await settlements.choices({ reader, of: 'resource', ...filter })
        expect(options, JSON.stringify(filter)).toEqual([])
      }
      await expect(settlements.details({ reader, id: theirs.id })).rejects.toMatchObject({ code: 'NOT_FOUND' })
    }
  })

  test('are reached by no filter of a payer', async () => {
    const [theirs] = await twoOwners()
    const { settlements } = as(wallet(WALLET))
    for (const filter of [
      { payer: [theirs.payer] },
      { owner: theirs.ownerId },
      { tenant: theirs.tenantId },
      { search: theirs.txHash },
    ]) {
      expect(idsOf(await settlements.list({ reader: 'payer', ...filter }))).toEqual([])
    }
  })

  test('are named by owner or tenant for administrators only: for others those filters change nothing', async () => {
    const [mine, theirs] = await twoOwners()
    const { settlements } = as(merchant(mine.ownerId))
    const page = await settlements.list({ reader: 'merchant', owner: theirs.ownerId, tenant: theirs.tenantId })
    expect(idsOf(page)).toEqual([mine.id])
  })

  test('are what an administrator sees, narrowed by each filter and by all of them', async () => {
    const [one, other] = await twoOwners()
    const { settlements } = as(administrator)
    const seen = async (filter: object) => idsOf(await settlements.list({ reader: 'admin', ...filter }))
    for (const filter of [
      { owner: one.ownerId },
      { tenant: one.tenantId },
      { payer: [one.payer] },
      { transaction: one.txHash },
      { owner: one.ownerId, tenant: one.tenantId, payer: [one.payer], transaction: one.txHash, status: 'success' },
    ]) {
      expect(await seen(filter), JSON.stringify(filter)).toEqual([one.id])
    }
    expect(await seen({ owner: one.ownerId, tenant: other.tenantId })).toEqual([])
    expect(await seen({ owner: one.ownerId, status: 'failed' })).toEqual([])
  })

  test('of a wallet are found however its address is spelt, and shown with its checksum', async () => {
    const ownerId = '0xd8da6bf26964af9d7eed9e03e53415d37aa96045'
    const tenantId = await tenantOf(harness.app.db, ownerId, 'wallet')
    const row = newRow({ ownerId, ownerKind: 'wallet', tenantId })
    await harness.app.db.history.create({ data: row })
    const owner = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045'
    const found = await as(administrator).settlements.list({ reader: 'admin', owner })
    expect(found.settlements).toMatchObject([{ id: row.id, owner: { kind: 'wallet', id: owner } }])
    expect((await as(administrator).admin.tenants({ search: owner })).tenants).toMatchObject([{ id: tenantId, ownerId: owner }])
  })
})

describe('a tenant', () => {
  test('gets another plan, is revoked and restored by an administrator', async () => {
    const id = await tenantOf(harness.app.db, newOwner())
    const { admin } = as(administrator)
    expect(await admin.changeTenant({ id, plan: 'scale' })).toMatchObject({ id, plan: 'scale', revokedAt: null })
    expect(await admin.changeTenant({ id, revoked: true })).toMatchObject({ plan: 'scale', revokedAt: expect.any(String) })
    expect(await admin.changeTenant({ id, revoked: false })).toMatchObject({ revokedAt: null })
  })

  test("is met once on the pages of all of them, and only on its owner's", async () => {
    const owner = newOwner()
    for (let made = 0; made < 52; made++) await tenantOf(harness.app.db, owner)
    const { admin } = as(administrator)
    const first = await admin.tenants({ search: owner })
    const second = await admin.tenants({ search: owner, cursor: first.cursor })
    expect([first.tenants.length, second.tenants.length, second.cursor]).toEqual([50, 2, null])
    expect(new Set([...first.tenants, ...second.tenants].map(({ id }) => id)).size).toBe(52)
    expect((await admin.tenants({ search: newOwner() })).tenants).toEqual([])
  })
})
