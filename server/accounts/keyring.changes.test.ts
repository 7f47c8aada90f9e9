import { describe, expect, test } from 'vitest'
import { startChain } from '../../devnet/chain'
import { freshDatabase } from '../../test/database'
import { fixture } from '../../test/fixture'
import { ADMIN_KEY, fundedKey, until } from '../../test/harness'
import { from, newSubject, startReading } from '../../test/history'
import { testLog } from '../../test/logs'
import { type ServiceProcess, startServiceProcess } from '../../test/process'
import { newMerchant } from '../../test/surface'
import { configureAgent, mintAgentKey, revokeOwnKey as revokeAgentKey } from '../agents/keys'
import type { Db } from '../db/database'
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

describe('a change applies on another instance when it is announced, long before five seconds', () => {
  test('made by an instance or by hand: networks, revocation, rotation', async () => {
    const [database, chain] = await Promise.all([freshDatabase(), startChain({ chainId: 84532, blockTimeSeconds: 0.2 })])
    const running: ServiceProcess[] = []
    try {
      const env = {
        ...{ ADMIN_KEY, DATABASE_URL: database.url, BASE_SEPOLIA_RPC_URL: chain.url, KYT: 'off' },
        EVM_SIGNER_KEYS: await fundedKey(chain),
      }
      const start = async (awaited?: string) => {
        const service = await startServiceProcess(env, awaited)
        running.push(service)
        return service
      }
      const [one, other] = [await start(), await start('"to":"leased elsewhere"')]
      const admin = async (method: string, path: string, body: object) => {
        const headers = { authorization: `Bearer ${ADMIN_KEY}`, 'content-type': 'application/json' }
        const answer = await fetch(`${one.url}/admin/tenants${path}`, { method, headers, body: JSON.stringify(body) })
        expect(answer.ok).toBe(true)
        return (await answer.json()) as { id: string; api_key: string }
      }
      /** The networks of a key on that instance, or the status of a refusal. */
      const seen = async ({ url }: ServiceProcess, key: string): Promise<unknown> => {
        const answer = await fetch(`${url}/v1/${key}/supported`)
        if (!answer.ok) return answer.status
        const { kinds } = (await answer.json()) as { kinds: unknown[] }
        return kinds.length
      }
      /** The change applies here at once, and on the other instance before its cache expires. */
      const holds = async (key: string, before: unknown, change: () => Promise<unknown>, after: unknown) => {
        expect([await seen(one, key), await seen(other, key)]).toEqual([before, before])
        await change()
        expect(await seen(one, key)).toEqual(after)
        await until(async () => (await seen(other, key)) === after, `the other instance to answer ${after}`, 3_000)
      }
      const { id, api_key: key } = await admin('POST', '', { owner_id: 'acme', plan: 'growth', allowed_networks: [BASE] })
      await holds(key, 0, () => admin('PATCH', `/${id}`, { allowed_networks: null }), 2)
      await holds(key, 2, () => admin('PATCH', `/${id}`, { revoked: true }), 401)
      await holds(key, 401, () => admin('PATCH', `/${id}`, { revoked: false }), 2)
      await holds(key, 2, () => admin('POST', `/${id}/rotate`, { grace_seconds: 0 }), 401)
      const { api_key: next } = await admin('POST', `/${id}/rotate`, {})
      expect(await seen(other, next)).toBe(2)
      await database.db.tenant.update({ where: { id }, data: { revokedAt: new Date() } })
      await until(async () => (await seen(other, next)) === 401, 'the change by hand', 3_000)
    } finally {
      await Promise.all(running.map((service) => service.kill('SIGKILL')))
      await Promise.all([database.close(), chain.stop()])
    }
  })
})
