import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { fixture } from '../../test/support/fixture'
import { startHarness } from '../../test/support/service/harness'
import { newOwner, pageOf, readersOf } from '../../test/support/service/history'
import { newPurchase } from '../../test/support/service/purchases'
import { newMerchant } from '../../test/support/service/surface'
import { until } from '../../test/support/until'

const harness = fixture(() => startHarness({ production: true }))
let readers: ReturnType<typeof readersOf>
beforeAll(() => {
  readers = readersOf(harness.app)
})

const owned = (id: string, kind = 'oidc') =>
  newMerchant(harness.app, { owner: { kind, id }, plan: kind === 'wallet' ? 'agent' : 'growth' })
const settingsOf = (id: string) =>
  harness.app.db.tenant.findUniqueOrThrow({ where: { id }, select: { historyEnabled: true, allowedNetworks: true } })

describe('PATCH /api/me/tenants/:id', () => {
  test('keeps the next settlement out of every history, and shows the one after it again', async () => {
    const ownerId = newOwner()
    const merchant = await owned(ownerId)
    const settle = async () => {
      const purchase = await newPurchase(harness)
      const { body } = await merchant.v1.settle(purchase.body)
      expect(body).toMatchObject({ success: true })
      return { hash: String(Reflect.get(Object(body), 'transaction')), payer: purchase.payer.toLowerCase() }
    }
    const tracesOf = async (hash: string, payer: string) => {
      const pages = await Promise.all([readers.merchant(ownerId), readers.payer(payer), readers.admin(`?tx_hash=${hash}`)])
      return pages.map((page) => pageOf(page).settlements.filter(({ tx_hash }) => tx_hash === hash).length)
    }
    expect((await readers.changeOwn(ownerId, merchant.tenantId, { history_enabled: false })).status).toBe(200)
    const unlogged = await settle()
    expect((await readers.changeOwn(ownerId, merchant.tenantId, { history_enabled: true })).status).toBe(200)
    const logged = await settle()
    expect([await tracesOf(unlogged.hash, unlogged.payer), await tracesOf(logged.hash, logged.payer)]).toEqual([
      [0, 0, 0],
      [1, 1, 1],
    ])
    await until(
      async () => (await harness.app.db.settlement.count({ where: { txHash: unlogged.hash, state: 'FINAL' } })) === 1,
      'finality',
    )
    expect(await tracesOf(unlogged.hash, unlogged.payer)).toEqual([0, 0, 0])
  })

  test('returns the whole configuration; an absent field switches history on', async () => {
    const ownerId = newOwner()
    const { tenantId } = await owned(ownerId)
    const config = { id: tenantId, name: '', plan: 'growth', allowed_networks: null }
    const off = await readers.changeOwn(ownerId, tenantId, { history_enabled: false })
    expect([off.status, off.body]).toEqual([200, { ...config, history_enabled: false }])
    expect((await readers.changeOwn(ownerId, tenantId, {})).body).toEqual({ ...config, history_enabled: true })
    await readers.changeOwn(ownerId, tenantId, { history_enabled: false })
    expect((await readers.changeOwn(ownerId, tenantId)).body).toEqual({ ...config, history_enabled: true })
  })

  test("404 for another owner's id, an unknown id or no id, and nothing changes", async () => {
    const [ownerId, other] = [newOwner(), newOwner()]
    const [theirs, wallets] = [await owned(other), await owned(ownerId, 'wallet')]
    const off = { history_enabled: false }
    for (const id of [theirs.tenantId, wallets.tenantId, randomUUID(), '00000000-0000-0000-0000-000000000000', 'x']) {
      const { status, body } = await readers.changeOwn(ownerId, id, off)
      expect([id, status, body]).toEqual([id, 404, { error: 'none of your API keys has a tenant with this id' }])
    }
    expect([await settingsOf(theirs.tenantId), await settingsOf(wallets.tenantId)]).toMatchObject([
      { historyEnabled: true },
      { historyEnabled: true },
    ])
  })

  test.each([
    [{ history_enabled: 'false' }, 'history_enabled must be true or false'],
    [{ history_enabled: null }, 'history_enabled must be true or false'],
    [{ plan: 'scale' }, 'plan: there is no such field'],
    [[], 'the body must be a JSON object'],
  ])('400 for %j', async (body, error) => {
    const ownerId = newOwner()
    const { tenantId } = await owned(ownerId)
    const answer = await readers.changeOwn(ownerId, tenantId, body)
    expect([answer.status, answer.body]).toEqual([400, { error }])
    expect(await settingsOf(tenantId)).toMatchObject({ historyEnabled: true })
  })
})

describe('PATCH /api/v1/agent/config', () => {
  const wallet = () => `0x${randomUUID().replaceAll('-', '')}${randomUUID().slice(0, 8)}`

  test('changes only the given fields, of every live tenant of the wallet and of no other wallet', async () => {
    const [mine, other] = [wallet(), wallet()]
    const [older, newer, revoked] = [await owned(mine, 'wallet'), await owned(mine, 'wallet'), await owned(mine, 'wallet')]
    const [stranger, namesake] = [await owned(other, 'wallet'), await owned(mine, 'oidc')]
    await harness.app.db.tenant.update({ where: { id: revoked.tenantId }, data: { revokedAt: new Date() } })
    const networks = ['eip155:84532', 'eip155:8453']
    expect((await readers.changeAgent(mine, { history_enabled: false })).status).toBe(200)
    const { status, body } = await readers.changeAgent(mine, { allowed_networks: networks })
    const config = { history_enabled: false, allowed_networks: networks }
    const each = [newer, older].map(({ tenantId }) => ({ id: tenantId, name: '', plan: 'agent', ...config }))
    expect([status, body]).toEqual([200, { wallet: expect.stringMatching(new RegExp(mine, 'i')), ...config, tenants: each }])
    for (const { tenantId } of [revoked, stranger, namesake]) {
      expect(await settingsOf(tenantId)).toEqual({ historyEnabled: true, allowedNetworks: [] })
    }
    expect((await readers.changeAgent(mine, { allowed_networks: null, history_enabled: true })).body).toMatchObject({
      history_enabled: true,
      allowed_networks: null,
    })
    await readers.changeAgent(mine, { history_enabled: false })
    expect((await readers.changeAgent(mine, {})).body).toMatchObject({ history_enabled: true })
  })

  test('a payment on a network that is no longer allowed is a 403', async () => {
    const mine = wallet()
    const agent = await owned(mine, 'wallet')
    expect((await readers.changeAgent(mine, { allowed_networks: ['eip155:8453'] })).status).toBe(200)
    const { body } = await newPurchase(harness)
    // The key is cached for a few seconds; the claim reads the database.
    expect((await agent.v1.settle(body)).status).toBe(403)
  })

  test('404 for a wallet without a key', async () => {
    const { status, body } = await readers.changeAgent(wallet(), { history_enabled: false })
    const error = 'this wallet has no API key yet; it gets one with its first purchase of credits'
    expect([status, body]).toEqual([404, { error }])
  })

  test.each([
    [{ allowed_networks: [] }, 'allowed_networks must not be empty; null allows all'],
    [{ allowed_networks: ['eip155:1'] }, /^allowed_networks\.0 must be one of eip155:8453, /],
    [{ allowed_networks: 'eip155:8453' }, 'allowed_networks must be a list of networks, or null for all'],
    [{ history_enabled: 1 }, 'history_enabled must be true or false'],
    [{ rps: 5 }, 'rps: there is no such field'],
  ])('400 for %j', async (body, error) => {
    const mine = wallet()
    const { tenantId } = await owned(mine, 'wallet')
    const answer = await readers.changeAgent(mine, body)
    expect([answer.status, answer.body]).toEqual([
      400,
      { error: typeof error === 'string' ? error : expect.stringMatching(error) },
    ])
    expect(await settingsOf(tenantId)).toEqual({ historyEnabled: true, allowedNetworks: [] })
  })
})
