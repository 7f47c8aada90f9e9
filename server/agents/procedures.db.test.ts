import { describe, expect, test } from 'vitest'
import { fixture } from '../../test/support/fixture'
import { newRow, startReading, tenantOf } from '../../test/support/service/history'
import type { Principal } from '../sign-in/principal'
import { createCallerFactory } from '../trpc/context'
import { root } from '../trpc/router'
import { mintAgentKey } from './keys'

const reading = fixture(startReading)

const callerFor = createCallerFactory(root)
const as = (principal: Principal | null) =>
  callerFor({ app: reading.app, principal, ip: '10.0.0.1', reader: 'test', requestId: 'test' })
const asWallet = (wallet: string) => as({ kind: 'wallet', wallet })

let wallets = 0
const newWallet = () => `0x${String(++wallets).padStart(40, '0')}`

/** A wallet with an agent, and its pages. */
async function agentOwner() {
  const wallet = newWallet()
  const key = await mintAgentKey(reading.app, wallet)
  if (!key) throw new Error('a new wallet is not revoked')
  return { wallet, key, ask: asWallet(wallet) }
}

describe('a wallet', () => {
  test('sees its own keys by their first characters', async () => {
    const { key, ask } = await agentOwner()
    const balance = await ask.agent.balance({})
    expect(balance.keys).toMatchObject([{ id: key.id, prefix: expect.stringMatching(/^qt_/) }])
    expect(JSON.stringify(balance)).not.toContain(key.secret)
  })

  test('sees no key of another wallet', async () => {
    await agentOwner()
    const { key, ask } = await agentOwner()
    expect((await ask.agent.balance({})).keys.map(({ id }) => id)).toEqual([key.id])
  })

  test("cannot revoke another wallet's key, and gets the error of an unknown key", async () => {
    const [owner, other] = [await agentOwner(), await agentOwner()]
    const refused = await other.ask.agent.revokeKey({ id: owner.key.id }).catch((error: Error) => error.message)
    const absent = await other.ask.agent.revokeKey({ id: crypto.randomUUID() }).catch((error: Error) => error.message)
    expect(refused).toBe(absent)
    await expect(other.ask.agent.revokeKey({ id: owner.key.id })).rejects.toMatchObject({ code: 'NOT_FOUND' })
    expect((await owner.ask.agent.balance({})).keys).toHaveLength(1)
  })

  test('revokes its own key, and creates another whose secret is shown once', async () => {
    const { key, ask } = await agentOwner()
    await ask.agent.revokeKey({ id: key.id })
    const { secret, url } = await ask.agent.createKey()
    expect(url).toBe(`${reading.app.config.baseUrl}/v1/${secret}`)
    const { keys } = await ask.agent.balance({})
    expect(keys).toHaveLength(1)
    expect(keys[0]?.id).not.toBe(key.id)
  })

  test('changes only its own agent', async () => {
    const [owner, other] = [await agentOwner(), await agentOwner()]
    await other.ask.agent.configure({ historyEnabled: false, allowedNetworks: ['eip155:8453'] })
    expect(await other.ask.agent.balance({})).toMatchObject({ historyEnabled: false, allowedNetworks: ['eip155:8453'] })
    expect(await owner.ask.agent.balance({})).toMatchObject({ historyEnabled: true, allowedNetworks: [] })
  })

  test('that never bought has zeros and no key, and cannot create one', async () => {
    const ask = asWallet(newWallet())
    const balance = await ask.agent.balance({ environment: 'testnet' })
    expect(balance).toMatchObject({ hasBought: false, accounts: [], keys: [], credits: { left: 0 }, environment: 'testnet' })
    await expect(ask.agent.createKey()).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await expect(ask.agent.configure({ historyEnabled: false })).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })

  test('sees only its own payments per month', async () => {
    const [wallet, other] = [newWallet(), newWallet()]
    const tenantId = await tenantOf(reading.app.db, 'shop')
    const row = (payer: string, amount: string) => newRow({ tenantId, ownerId: 'shop', payer, amount })
    await reading.app.db.history.createMany({ data: [row(wallet, '1000'), row(wallet, '500'), row(other, '7')] })
    const { mainnet } = await asWallet(wallet).payer.months()
    expect(mainnet.map(({ symbol }) => symbol)).toEqual(['USDC'])
    expect(mainnet[0]?.months.at(-1)).toMatchObject({ payments: 2, amount: '1500' })
  })
})

describe.each([
  ['an anonymous caller', null],
  ['a merchant', { kind: 'merchant', id: 'm', admin: true, name: 'M' }],
  ['the holder of the admin key', { kind: 'admin' }],
] as const)('%s', (_who, principal) => {
  test('has no agent and pays nothing', async () => {
    const ask = as(principal)
    const unauthorized = { code: 'UNAUTHORIZED' }
    await expect(ask.agent.balance({})).rejects.toMatchObject(unauthorized)
    await expect(ask.agent.createKey()).rejects.toMatchObject(unauthorized)
    await expect(ask.agent.revokeKey({ id: crypto.randomUUID() })).rejects.toMatchObject(unauthorized)
    await expect(ask.agent.configure({ historyEnabled: true })).rejects.toMatchObject(unauthorized)
    await expect(ask.payer.months()).rejects.toMatchObject(unauthorized)
  })
})
