import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { fixture } from '../../test/support/fixture'
import { testLog } from '../../test/support/logs'
import { ADMIN_KEY } from '../../test/support/service/harness'
import { from, newSubject, startReading } from '../../test/support/service/history'
import { newMerchant } from '../../test/support/service/surface'
import { until } from '../../test/support/until'
import { configureAgent, mintAgentKey, revokeOwnKey as revokeAgentKey } from '../agents/keys'
import type { App } from '../app'
import { createApp } from '../boot/app'
import type { Db } from '../db/database'
import { readEnv } from '../env/env'
import { createKeyring } from './keyring'
import { changeOwnKey, makeOwnKey, revokeOwnKey, rotateOwnKey } from './own-keys'
import { createRateLimit } from './rate-limit'
import { changeHistory, reconfigure, rotate } from './tenants'

const WALLET = '0x1111111111111111111111111111111111111111'
const BASE = 'eip155:8453'

describe('a change holds at once in the process that made it', () => {
  const harness = fixture(startReading)

  const find = (secret: string) => harness.app.keyring.find(secret, '10.0.0.1')

  /** A key that this process remembers. */
  async function remembered<T extends { secret: string }>(made: T): Promise<T> {
    expect(await find(made.secret)).not.toBeNull()
    return made
  }
  async function provisioned() {
    const { tenantId: id, key: secret } = await newMerchant(harness.app)
    return remembered({ id, secret })
  }
  async function ownKey() {
    const owner = newSubject()
    const { tenant, secret } = await makeOwnKey(harness.app, from(owner), { name: 'own' })
    return remembered({ owner, id: tenant.id, secret })
  }
  async function agentKey() {
    const key = await mintAgentKey(harness.app, WALLET)
    if (key === null) throw new Error('the agent got no key')
    return remembered(key)
  }

  test.each<[string, object, Parameters<typeof reconfigure>[2]]>([
    ['plan', { plan: 'scale' }, { plan: 'scale' }],
    [
      'rate and quotas',
      { rps: 7, settlementQuota: 8, verificationQuota: 9 },
      { rps: 7, settlementQuota: 8, verificationQuota: 9 },
    ],
    ['networks', { allowedNetworks: [BASE] }, { allowedNetworks: [BASE] }],
    ['pinned addresses and maximum', { payToAllow: [WALLET], maxAmount: '5' }, { payToAllow: [WALLET], maxAmount: 5n }],
    ['history flag', { historyEnabled: false }, { historyEnabled: false }],
  ])('the admin changes %s', async (_, after, changes) => {
    const { id, secret } = await provisioned()
    await reconfigure(harness.app, id, changes)
    expect(await find(secret)).toMatchObject(after)
  })

  test('the admin revokes a tenant, restores it, and rotates its key without grace', async () => {
    const { id, secret } = await provisioned()
    await reconfigure(harness.app, id, { revoked: true })
    expect(await find(secret)).toBeNull()
    await reconfigure(harness.app, id, { revoked: false })
    expect(await find(secret)).toMatchObject({ tenantId: id })
    await rotate(harness.app, id, 0)
    expect(await find(secret)).toBeNull()
  })

  test('a merchant changes its key, switches history off, rotates and revokes it', async () => {
    const { owner, id, secret } = await ownKey()
    await changeOwnKey(harness.app, owner, id, { allowedNetworks: [BASE] })
    expect(await find(secret)).toMatchObject({ allowedNetworks: [BASE] })
    await changeHistory(harness.app, owner.id, id, false)
    expect(await find(secret)).toMatchObject({ historyEnabled: false })
    const { secret: next } = await rotateOwnKey(harness.app, owner, id, 0)
    expect([await find(secret), await find(next)]).toMatchObject([null, { tenantId: id }])
    await revokeOwnKey(harness.app, owner, id)
    expect(await find(next)).toBeNull()
  })

  test('a wallet configures its agent, revokes a key, and gets one that revokes the least recently used', async () => {
    const { id, secret } = await agentKey()
    await configureAgent(harness.app, WALLET, { allowedNetworks: [BASE] })
    expect(await find(secret)).toMatchObject({ allowedNetworks: [BASE] })
    await revokeAgentKey(harness.app, WALLET, id)
    expect(await find(secret)).toBeNull()
    const first = await agentKey()
    // Its use is recorded in the background; a late record would make it the most recently used.
    const used = () => harness.app.db.apiKey.findUniqueOrThrow({ where: { id: first.id } }).then(({ lastUsedAt }) => lastUsedAt)
    await expect.poll(used).not.toBeNull()
    for (let made = 0; made < 5; made++) await mintAgentKey(harness.app, WALLET)
    expect(await find(first.secret)).toBeNull()
  })

  test('a change of one tenant rereads only its keys, and a change of any tenant rereads all keys', async () => {
    const { secret, reads, keyring } = await counted()
    await keyring.find(secret, '10.0.0.1')
    keyring.forget('00000000-0000-4000-8000-000000000000')
    await keyring.find(secret, '10.0.0.1')
    expect(reads()).toBe(1)
    keyring.forget(null)
    await keyring.find(secret, '10.0.0.1')
    expect(reads()).toBe(2)
  })

  test('a change holds also where its id is written in capitals', async () => {
    const { id, secret, reads, keyring } = await counted()
    await keyring.find(secret, '10.0.0.1')
    expect(id.toUpperCase()).not.toBe(id)
    keyring.forget(id.toUpperCase())
    await keyring.find(secret, '10.0.0.1')
    expect(reads()).toBe(2)
  })

  test('a key whose read began before the change is read again by the next request', async () => {
    let open = () => {}
    const gate = new Promise<void>((resolve) => {
      open = resolve
    })
    const { id, secret, reads, keyring } = await counted((read) => (read === 1 ? gate : undefined))
    const before = keyring.find(secret, '10.0.0.1')
    await until(() => reads() === 1, 'the first read')
    await harness.app.db.tenant.update({ where: { id }, data: { plan: 'scale' } })
    keyring.forget(id)
    const after = [keyring.find(secret, '10.0.0.1'), keyring.find(secret, '10.0.0.1')]
    open()
    expect(await Promise.all(after)).toMatchObject([{ plan: 'scale' }, { plan: 'scale' }])
    await before
    expect([(await keyring.find(secret, '10.0.0.1'))?.plan, reads()]).toEqual(['scale', 2])
  })

  /** A keyring that counts its reads and can delay each result. */
  async function counted(hold: (read: number) => Promise<void> | undefined = () => undefined) {
    const { tenantId: id, key: secret } = await newMerchant(harness.app)
    let count = 0
    const db: Db = new Proxy(harness.app.db, {
      get(target, name) {
        const method: unknown = Reflect.get(target, name, target)
        if (name !== 'query' || typeof method !== 'function') return method
        return async (...args: unknown[]) => {
          const answer: unknown = await Reflect.apply(method, target, args)
          await hold(++count)
          return answer
        }
      },
    })
    return { id, secret, reads: () => count, keyring: createKeyring(db, createRateLimit(), testLog()) }
  }
})

describe('a change applies on another instance when it is announced, not when its cache expires', () => {
  const one = fixture(startReading)
  const env = () => readEnv({ NODE_ENV: 'test', DATABASE_URL: one.database.url, ADMIN_KEY })
  const other = fixture(() => createApp(env(), testLog()))

  // The caches read this clock: nothing in them expires.
  beforeAll(() => void vi.spyOn(performance, 'now').mockReturnValue(performance.now()))
  afterAll(() => vi.restoreAllMocks())

  /** The networks of a key on an instance; null when it refuses the key. */
  const seen = async ({ keyring }: Pick<App, 'keyring'>, secret: string) => {
    const key = await keyring.find(secret, '10.0.0.1')
    return key?.allowedNetworks.length ?? null
  }
  const agrees = (secret: string, after: number | null) =>
    until(async () => (await seen(other, secret)) === after, `the other instance to answer ${after}`)

  test('made by an instance or by hand: networks, revocation, rotation', async () => {
    const { tenantId: id, key } = await newMerchant(one.app)
    const holds = async (before: number | null, change: () => Promise<unknown>, after: number | null) => {
      expect([await seen(one.app, key), await seen(other, key)]).toEqual([before, before])
      await change()
      expect(await seen(one.app, key)).toBe(after)
      await agrees(key, after)
    }
    await holds(0, () => reconfigure(one.app, id, { allowedNetworks: [BASE] }), 1)
    await holds(1, () => reconfigure(one.app, id, { revoked: true }), null)
    await holds(null, () => reconfigure(one.app, id, { revoked: false }), 1)
    await holds(1, () => rotate(one.app, id, 0), null)
    const { secret } = await rotate(one.app, id, 0)
    expect(await seen(other, secret)).toBe(1)
    await one.app.db.tenant.update({ where: { id }, data: { revokedAt: new Date() } })
    await agrees(secret, null)
  })
})
