import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Chain, startChain } from '../../devnet/chain'
import { fundedKey } from '../../test/support/chain/funded-key'
import { type FreshDatabase, freshDatabase } from '../../test/support/database/database'
import { type SignedPayment, signed, v2Body } from '../../test/support/payloads/payments'
import { evmWallet, siweHeaders } from '../../test/support/payloads/sign-in'
import { freshIp } from '../../test/support/service/client'
import { documentedAt } from '../../test/support/service/documented'
import { ADMIN_KEY } from '../../test/support/service/harness'
import { type Issuer, startIssuer } from '../../test/support/service/issuer'
import { type ServiceProcess, startServiceProcess } from '../../test/support/service/process'

type Json = Record<string, unknown>
type Answer = { status: number; body: Json }
type Entry = { payer: string; tx_hash: string; tenant_id: string; success: boolean }

// One service with a chain, an identity provider, two merchants and a payer.
let service: ServiceProcess
let issuer: Issuer
let chain: Chain
let database: FreshDatabase
const payer = privateKeyToAccount(generatePrivateKey())
beforeAll(async () => {
  ;[database, chain, issuer] = await Promise.all([
    freshDatabase(),
    startChain({ chainId: 84532, blockTimeSeconds: 0.2 }),
    startIssuer(),
  ])
  service = await startServiceProcess({
    DATABASE_URL: database.url,
    ADMIN_KEY,
    BASE_URL: 'http://localhost:3000',
    BASE_SEPOLIA_RPC_URL: chain.url,
    EVM_SIGNER_KEYS: await fundedKey(chain),
    OIDC_ISSUER: issuer.url,
    OIDC_AUDIENCE: 'quittance',
  })
  await chain.mint(payer.address, 1_000_000n)
})
afterAll(async () => {
  await service.kill('SIGTERM')
  await Promise.all([database.close(), chain.stop(), issuer.close()])
})

async function ask(method: string, path: string, headers: Record<string, string>, body?: object): Promise<Answer> {
  const init = body === undefined ? {} : { body: JSON.stringify(body) }
  const response = await fetch(`${service.url}${path}`, {
    method,
    // A new IP address per request, because rates are per address.
    headers: { 'content-type': 'application/json', 'x-forwarded-for': freshIp(), ...headers },
    ...init,
  })
  const { status, headers: said } = response
  return documentedAt(method, path, { status, headers: said, body: await response.json() })
}

const admin = { authorization: `Bearer ${ADMIN_KEY}` }
const merchant = async (sub: string) => ({ authorization: `Bearer ${await issuer.token({ sub })}` })
const wallet = () => siweHeaders(evmWallet(payer))
const rows = ({ body }: Answer): Entry[] => (body as { settlements: Entry[] }).settlements

/** Creates a key of a merchant and settles a payment with it. */
async function sell(
  sub: string,
): Promise<{ tenantId: string; hash: string; payment: SignedPayment; again: () => Promise<Answer> }> {
  const { body } = await ask('POST', '/admin/tenants', admin, { owner_id: sub, plan: 'growth' })
  const settle = async () => {
    const payment = await signed(payer)
    return { payment, answer: await ask('POST', `/v1/${body.api_key}/settle`, {}, v2Body(payment)) }
  }
  const { payment, answer } = await settle()
  expect(answer.body).toMatchObject({ success: true })
  return { tenantId: String(body.id), hash: String(answer.body.transaction), payment, again: async () => (await settle()).answer }
}

describe('a settlement is readable', () => {
  test('by its merchant, its payer and the admin, each with its own credential, and by no other merchant', async () => {
    const [alice, bob] = [await sell('alice'), await sell('bob')]
    expect(rows(await ask('GET', '/api/me/history', await merchant('alice'))).map(({ tx_hash }) => tx_hash)).toEqual([alice.hash])
    expect(rows(await ask('GET', '/api/me/history', await merchant('bob'))).map(({ tx_hash }) => tx_hash)).toEqual([bob.hash])
    const paid = rows(await ask('GET', '/api/v1/history', await wallet()))
    expect(paid.map(({ tx_hash }) => tx_hash)).toEqual([bob.hash, alice.hash])
    expect(paid.map((row) => row.payer)).toEqual([payer.address, payer.address])
    expect(rows(await ask('GET', `/admin/history?tx_hash=${bob.hash}`, admin)).map((row) => row.tenant_id)).toEqual([
      bob.tenantId,
    ])
    const foreign = `/api/me/tenants/${bob.tenantId}`
    expect(await ask('PATCH', foreign, await merchant('alice'), { history_enabled: false })).toMatchObject({ status: 404 })
  })

  test('by a wallet with its sign-in session', async () => {
    const { body } = await ask('POST', '/api/v1/auth/siwe', await wallet())
    expect(body).toMatchObject({ wallet: payer.address, token: expect.stringMatching(/^st_/) })
    const session = { authorization: `Bearer ${body.token}` }
    expect(rows(await ask('GET', '/api/v1/history', session)).length).toBeGreaterThan(0)
    for (const path of ['/api/me/history', '/admin/history', '/api/me/analytics', '/admin/analytics'])
      expect(await ask('GET', path, session)).toMatchObject({ status: 401 })
  })

  test('until its merchant turns history off for the key: later settlements add no row', async () => {
    const carol = await sell('carol')
    const off = await ask('PATCH', `/api/me/tenants/${carol.tenantId}`, await merchant('carol'), { history_enabled: false })
    expect(off).toMatchObject({ status: 200, body: { id: carol.tenantId, history_enabled: false } })
    expect((await carol.again()).body).toMatchObject({ success: true })
    expect(rows(await ask('GET', '/api/me/history', await merchant('carol'))).map(({ tx_hash }) => tx_hash)).toEqual([carol.hash])
    expect(rows(await ask('GET', `/admin/history?tenant_id=${carol.tenantId}`, admin))).toHaveLength(1)
  })

  test('in analytics, which cover completed days only', async () => {
    const mine = await ask('GET', '/api/me/analytics?days=7', await merchant('alice'))
    expect(mine).toMatchObject({ status: 200, body: { summary: { total_settlements: 0 }, period: { days: 7, timezone: 'UTC' } } })
    expect(await ask('GET', '/admin/analytics?days=8', admin)).toMatchObject({ status: 400 })
  })

  test('only with a valid credential', async () => {
    for (const path of [
      '/api/me/history',
      '/api/v1/history',
      '/api/v1/agent/history',
      '/admin/history',
      '/api/me/analytics',
      '/admin/analytics',
    ])
      for (const headers of [{}, { authorization: 'Bearer nothing' }])
        expect(await ask('GET', path, headers)).toMatchObject({ status: 401, body: { error: expect.any(String) } })
  })
})
