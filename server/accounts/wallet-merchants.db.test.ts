import { beforeAll, describe, expect, test } from 'vitest'
import { fixture } from '../../test/support/fixture'
import { askProcedure, cookieOf, dataOf, merchant, pagesOf, wallet } from '../../test/support/service/dashboard'
import { asked, newRow, pageOf, readersOf, startReading, tenantOf } from '../../test/support/service/history'
import { bearer } from '../../test/support/service/session-requests'
import { walletKeysOf } from '../../test/support/service/wallet-keys'
import { mintAgentKey } from '../agents/keys'
import { openSession } from '../sign-in/sessions'

const harness = fixture(startReading)

const ANNA = '0x1111111111111111111111111111111111111111'
const BORIS = '0x2222222222222222222222222222222222222222'
const OTHER = '0x3333333333333333333333333333333333333333'
const SOL = '7S3P4HxJpyyigGzodYwHtCxZyUQe9JiBMHyRWXArAaKv'

type Key = { id: string; plan: string; payToAllow: string[]; allowedNetworks: string[]; secret: string; url: string }

const pages = (address: string) => pagesOf(harness.app, wallet(address))
const newKey = async (address: string, limits = {}) =>
  dataOf<Key>(await pages(address).mutate('keys.create', { name: '', ...limits }))
const listed = async (address: string) =>
  dataOf<{ keys: Key[] }>(await pages(address).query('keys.list')).keys.map(({ id }) => id)

/** The agent's tenant and key of a wallet. */
async function agentOf(address: string): Promise<{ tenantId: string; keyId: string }> {
  const key = await mintAgentKey(harness.app, address)
  const tenant = await harness.app.db.tenant.findFirstOrThrow({ where: { ownerId: address, plan: 'agent' } })
  return { tenantId: tenant.id, keyId: key?.id ?? '' }
}

describe('a key that a wallet makes on the dashboard', () => {
  test('pays only that wallet, on the networks of its family', async () => {
    expect(await newKey(ANNA)).toMatchObject({
      plan: 'free',
      payToAllow: [ANNA],
      allowedNetworks: ['eip155:8453', 'eip155:84532'],
    })
    const { payToAllow, allowedNetworks } = await newKey(SOL)
    expect([payToAllow, allowedNetworks.every((id) => id.startsWith('solana:'))]).toEqual([[SOL], true])
  })

  test('is refused with another recipient or family, and cannot be changed to one, with the field and the reason', async () => {
    const { id } = await newKey(ANNA)
    const wrong = [
      { payToAllow: [OTHER] },
      { payToAllow: [ANNA, OTHER] },
      { allowedNetworks: ['solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'] },
    ]
    for (const limits of wrong) {
      for (const answer of [
        await pages(ANNA).mutate('keys.create', { name: '', ...limits }),
        await pages(ANNA).mutate('keys.configure', { id, ...limits }),
      ]) {
        expect([limits, answer.status, answer.message]).toEqual([
          limits,
          403,
          expect.stringMatching(
            /^(payToAllow must be 0x1111\S+, because you proved this wallet only|allowedNetworks must be of eip155:8453)/,
          ),
        ])
      }
    }
  })

  test('stays pinned when its limits are cleared; its other settings change', async () => {
    const { id } = await newKey(ANNA)
    const cleared = await pages(ANNA).mutate('keys.configure', {
      id,
      payToAllow: [],
      allowedNetworks: [],
      name: 'shop',
      maxAmount: '5',
    })
    expect(cleared.data).toMatchObject({ payToAllow: [ANNA], allowedNetworks: ['eip155:8453', 'eip155:84532'], name: 'shop' })
    const narrowed = await pages(ANNA).mutate('keys.configure', { id, payToAllow: [ANNA], allowedNetworks: ['eip155:84532'] })
    expect(narrowed.data).toMatchObject({ payToAllow: [ANNA], allowedNetworks: ['eip155:84532'] })
  })
})

describe('a key of an owner', () => {
  let boris: string
  beforeAll(async () => {
    boris = (await newKey(BORIS)).id
  })

  test.each([
    ['another wallet', () => pages(ANNA)],
    ['a merchant whose subject is the address of its wallet', () => pagesOf(harness.app, merchant(BORIS))],
    ['an administrator among the merchants', () => pagesOf(harness.app, merchant(BORIS, { admin: true }))],
  ] as const)('is unknown to %s', async (_name, as) => {
    const stranger = as()
    const attempts = [
      stranger.mutate('keys.configure', { id: boris, name: 'mine' }),
      stranger.mutate('keys.rotate', { id: boris, graceSeconds: 0 }),
      stranger.mutate('keys.revoke', { id: boris }),
      stranger.mutate('webhooks.create', { url: 'https://merchant.com/hook', events: ['payment.settled'], keys: [boris] }),
    ]
    expect((await Promise.all(attempts)).map(({ status }) => status)).toEqual([404, 404, 404, 404])
    expect(JSON.stringify((await stranger.query('keys.list')).data)).not.toContain(boris)
    expect(await listed(BORIS)).toContain(boris)
  })

  test("is unknown to a wallet whose address is a merchant's subject", async () => {
    const id = await tenantOf(harness.app.db, OTHER)
    expect((await pages(OTHER).mutate('keys.revoke', { id })).status).toBe(404)
    expect(await listed(OTHER)).toEqual([])
  })

  test('of an agent is no key of the dashboard, and a free key no key of the agent', async () => {
    const { tenantId } = await agentOf(BORIS)
    const attempts = [
      pages(BORIS).mutate('keys.configure', { id: tenantId, payToAllow: [] }),
      pages(BORIS).mutate('keys.rotate', { id: tenantId, graceSeconds: 0 }),
      pages(BORIS).mutate('keys.revoke', { id: tenantId }),
      pages(BORIS).mutate('agent.revokeKey', { id: boris }),
    ]
    expect((await Promise.all(attempts)).map(({ status }) => status)).toEqual([404, 404, 404, 404])
    expect(await listed(BORIS)).toEqual([boris])
    await pages(BORIS).mutate('agent.configure', { historyEnabled: false, allowedNetworks: ['eip155:8453'] })
    const free = await harness.app.db.tenant.findUniqueOrThrow({ where: { id: boris } })
    expect([free.historyEnabled, free.allowedNetworks]).toEqual([true, ['eip155:8453', 'eip155:84532']])
  })
})

describe('what a wallet was paid', () => {
  const PAYER = '0x4444444444444444444444444444444444444444'
  const within = { environment: 'mainnet', reader: 'merchant' }
  let charged: string
  beforeAll(async () => {
    const { app } = harness
    const { tenantId: agent } = await agentOf(PAYER)
    const { id: free } = await newKey(PAYER)
    const shared = { ownerKind: 'wallet', ownerId: PAYER, payer: ANNA, payTo: PAYER }
    const rows = [
      newRow({ ...shared, tenantId: free, plan: 'free' }),
      newRow({ ...shared, tenantId: agent, plan: 'agent', amount: '7' }),
    ]
    await app.db.history.createMany({ data: rows })
    charged = String(rows[0]?.txHash)
  })

  test('is in its lists, counts and figures as a merchant, without what its agent spent', async () => {
    const own = pages(PAYER)
    const { settlements } = dataOf<{ settlements: { txHash: string }[] }>(await own.query('settlements.list', within))
    expect(settlements.map(({ txHash }) => txHash)).toEqual([charged])
    expect((await own.query('settlements.summary', within)).data).toMatchObject({
      settled: 1,
      failed: 0,
      own: { count: 1, more: false },
    })
    expect((await own.query('merchant.reached')).data).toEqual({ paid: true, settled: true, served: true })
    const figures = JSON.stringify((await own.query('merchant.figures', { days: 7, within: 'mainnet' })).data)
    expect(figures).toContain('1000')
    expect(figures).not.toContain('1007')
  })

  test('is nothing that another wallet or a merchant with that subject sees', async () => {
    for (const stranger of [pages(ANNA), pagesOf(harness.app, merchant(PAYER))]) {
      expect(dataOf<{ settlements: unknown[] }>(await stranger.query('settlements.list', within)).settlements).toEqual([])
    }
    expect(pageOf(await readersOf(harness.app).merchant(PAYER)).settlements).toEqual([])
  })

  test('is in the agent history of the wallet, which has all its keys, and of no other', async () => {
    const read = readersOf(harness.app)
    expect(
      pageOf(await read.agent(PAYER))
        .settlements.map(({ plan }) => plan)
        .sort(),
    ).toEqual(['agent', 'free'])
    expect(pageOf(await read.agent(ANNA)).settlements).toEqual([])
  })
})

describe('a proof of a wallet', () => {
  test('opens its own kind of routes only: a session token no page, a cookie no API', async () => {
    const { app } = harness
    const { token } = await openSession(app, ANNA)
    const byToken = asked('/api/trpc/keys.list', { headers: bearer(token) })
    const asCookie = asked('/api/trpc/keys.list', { headers: { cookie: `quittance.session=${token}` } })
    for (const request of [byToken, asCookie]) expect((await askProcedure(app, request)).status).toBe(401)
    const keys = walletKeysOf(app)
    const cookie = await cookieOf(app, wallet(ANNA))
    for (const headers of [cookie, bearer(String(cookie.cookie).replace('quittance.session=', ''))]) {
      expect((await keys.list(headers)).status).toBe(401)
      expect((await keys.create(headers)).status).toBe(401)
    }
  })
})
