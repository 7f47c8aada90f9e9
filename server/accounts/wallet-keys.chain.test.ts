import type { Address, LocalAccount } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { beforeAll, describe, expect, test } from 'vitest'
import { fixture } from '../../test/support/fixture'
import { evmWallet, siweHeaders, solanaWallet } from '../../test/support/payloads/sign-in'
import { bought, sells } from '../../test/support/service/agents'
import { startHarness } from '../../test/support/service/harness'
import { newPurchase } from '../../test/support/service/purchases'
import { bearer, exchangeWith } from '../../test/support/service/session-requests'
import { keyHolder, left } from '../../test/support/service/surface'
import { walletKeysOf } from '../../test/support/service/wallet-keys'
import { plans } from './plans'

const harness = fixture(() => startHarness({ production: true, env: { ...sells, KYT: 'off' } }))
let keys: ReturnType<typeof walletKeysOf>
beforeAll(() => {
  keys = walletKeysOf(harness.app)
})

const newAccount = (): LocalAccount => privateKeyToAccount(generatePrivateKey())
const proofOf = (account: LocalAccount) => siweHeaders(evmWallet(account))

async function settleTo(secret: string, payTo: Address) {
  const { body } = await newPurchase(harness, { payTo })
  return keyHolder(harness.app, secret).v1.settle(body)
}

describe('POST /api/v1/keys', () => {
  test('201 with a free key for the wallet that signs, shown once, which pays that wallet and no other', async () => {
    const account = newAccount()
    const { status, body } = await keys.create(await proofOf(account))
    const { api_key: secret = '' } = Object(body)
    const { baseUrl } = harness.app.config
    const endpoint = `${baseUrl}/v1/${secret}`
    expect([status, body]).toEqual([
      201,
      {
        api_key: expect.stringMatching(/^qt_[\w-]{43}$/),
        key_id: expect.any(String),
        prefix: secret.slice(0, 11),
        endpoint,
        endpoints: { settle: `${endpoint}/settle`, verify: `${endpoint}/verify` },
        plan: 'free',
        name: '',
        pay_to: account.address,
        allowed_networks: ['eip155:8453', 'eip155:84532'],
      },
    ])
    const paid = await settleTo(secret, account.address)
    expect([paid.status, paid.body]).toMatchObject([200, { success: true }])
    expect(left(paid).settlements).toBe(String(plans.free.settlements - 1))
    expect(await settleTo(secret, newAccount().address)).toMatchObject({
      status: 403,
      body: { errorReason: 'pay_to_not_allowed' },
    })
    expect(JSON.stringify(await keys.listed(await proofOf(account)))).not.toContain(secret)
  })

  test('takes a session token, and a name', async () => {
    const account = newAccount()
    const { body } = await exchangeWith(harness.app, await proofOf(account))
    const { api_key: secret } = await keys.made(bearer(body.token), 'Weather API')
    expect((await settleTo(secret, account.address)).status).toBe(200)
    expect(await keys.listed(bearer(body.token))).toMatchObject([{ name: 'Weather API', pay_to: account.address }])
  })

  test('pins a Solana wallet as it is written, on the networks of its family', async () => {
    const wallet = solanaWallet()
    const { body } = await keys.create(await siweHeaders(wallet))
    expect(body).toMatchObject({
      pay_to: wallet.address,
      plan: 'free',
      allowed_networks: expect.arrayContaining([expect.stringMatching(/^solana:/)]),
    })
    const { api_key: secret = '' } = Object(body)
    const { body: payment } = await newPurchase(harness)
    const refusal = await keyHolder(harness.app, secret).v1.settle(payment)
    expect(refusal).toMatchObject({ status: 403, body: { errorReason: 'invalid_network' } })
  })

  test('shares one quota among the keys of a wallet', async () => {
    const account = newAccount()
    const [one, other] = [await keys.made(await proofOf(account)), await keys.made(await proofOf(account))]
    await settleTo(one.api_key, account.address)
    const { settlements } = left(await settleTo(other.api_key, account.address))
    expect(settlements).toBe(String(plans.free.settlements - 2))
  })

  test.each([
    ['no proof', async () => ({})],
    ['an unknown token', async () => bearer(`st_${'a'.repeat(43)}`)],
    ['the admin key', async () => bearer(harness.env.ADMIN_KEY)],
    [
      "another's signature",
      async () => ({ ...(await proofOf(newAccount())), ...only('x-siwe-message', await proofOf(newAccount())) }),
    ],
    ['a message without an end', async () => siweHeaders(evmWallet(), { expirationTime: null })],
    [
      'a message for another host',
      async () => siweHeaders(evmWallet(), { head: 'evil.test wants you to sign in with your Ethereum account:' }),
    ],
  ] as const)('401 with %s', async (_name, headers) => {
    expect((await keys.create(await headers())).status).toBe(401)
  })

  test('400 for a body with a recipient or a plan: both are fixed', async () => {
    const headers = await proofOf(newAccount())
    for (const body of [{ pay_to: newAccount().address }, { plan: 'scale' }, { name: 7 }, { name: 'a\0b' }, [], '{']) {
      expect([body, (await keys.create(headers, { body })).status]).toEqual([body, 400])
    }
    expect(await keys.listed(headers)).toEqual([])
  })
})

describe("a wallet's keys", () => {
  test('are listed live first, with their use and their end', async () => {
    const account = newAccount()
    const headers = await proofOf(account)
    const [first, second] = [await keys.made(headers, 'first'), await keys.made(headers, 'second')]
    await settleTo(first.api_key, account.address)
    await keys.revoke(headers, second.key_id)
    expect(await keys.listed(headers)).toMatchObject([
      { id: first.key_id, name: 'first', plan: 'free', last_used_at: expect.any(String), revoked_at: null },
      { id: second.key_id, name: 'second', plan: 'free', last_used_at: null, revoked_at: expect.any(String) },
    ])
  })

  test('end at once when the wallet revokes them, for good', async () => {
    const account = newAccount()
    const headers = await proofOf(account)
    const { api_key: secret, key_id: id } = await keys.made(headers)
    expect(await keys.revoke(headers, id)).toMatchObject({ status: 200, body: { id, revoked: true } })
    expect((await settleTo(secret, account.address)).status).toBe(401)
    expect((await keys.revoke(headers, id)).status).toBe(404)
  })

  test('of its agent are listed with their plan, and can be revoked too', async () => {
    const agent = await bought(harness, 100n)
    const headers = await proofOf(agent.wallet)
    const { key_id: free } = await keys.made(headers)
    expect((await keys.listed(headers)).map(({ id, plan, pay_to }) => [id, plan, pay_to])).toEqual([
      [free, 'free', agent.wallet.address],
      [agent.key_id, 'agent', null],
    ])
    expect((await keys.revoke(headers, agent.key_id)).status).toBe(200)
    expect((await agent.v1.supported()).status).toBe(401)
    expect((await keys.listed(headers)).map(({ plan, revoked_at }) => [plan, revoked_at === null])).toEqual([
      ['free', true],
      ['agent', false],
    ])
  })

  test('are out of reach of another wallet, with the same answer as unknown ones', async () => {
    const [owner, stranger] = [newAccount(), await proofOf(newAccount())]
    const { key_id: id, api_key: secret } = await keys.made(await proofOf(owner))
    const agent = await bought(harness, 100n)
    const answers = []
    for (const guess of [id, agent.key_id, '00000000-0000-4000-8000-000000000000', 'no-uuid']) {
      answers.push(await keys.revoke(stranger, guess))
    }
    expect(new Set(answers.map(({ status, body }) => JSON.stringify([status, body]))).size).toBe(1)
    expect(answers[0]?.status).toBe(404)
    expect(await keys.listed(stranger)).toEqual([])
    expect((await settleTo(secret, owner.address)).status).toBe(200)
  })
})

const only = (name: string, headers: Record<string, string>) => ({ [name]: headers[name] ?? '' })
