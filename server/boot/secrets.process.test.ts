import { SignJWT } from 'jose'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Chain, startChain } from '../../devnet/chain'
import { fundedKey } from '../../test/support/chain/funded-key'
import { type FreshDatabase, freshDatabase } from '../../test/support/database/database'
import { type RpcProxy, startRpcProxy } from '../../test/support/nodes/faulty-node'
import { signed, v2Body } from '../../test/support/payloads/payments'
import { evmWallet, ORIGIN, siweHeaders } from '../../test/support/payloads/sign-in'
import { ADMIN_KEY } from '../../test/support/service/harness'
import { type Issuer, startIssuer } from '../../test/support/service/issuer'
import { type Kyt, startKyt } from '../../test/support/service/kyt'
import { type ServiceProcess, startServiceProcess } from '../../test/support/service/process'

let chain: Chain
let node: RpcProxy
let database: FreshDatabase
let kyt: Kyt
let issuer: Issuer
let service: ServiceProcess
let env: Record<string, string>
beforeAll(async () => {
  ;[database, chain, kyt, issuer] = await Promise.all([
    freshDatabase(),
    startChain({ chainId: 84532, blockTimeSeconds: 0.2 }),
    startKyt(),
    startIssuer(),
  ])
  node = await startRpcProxy(chain.url)
  env = {
    DATABASE_URL: database.url,
    BASE_SEPOLIA_RPC_URL: `${node.url}/v2/a-secret-of-the-node-provider`,
    EVM_SIGNER_KEYS: await fundedKey(chain),
    EVM_SANDBOX_SIGNER_KEYS: await fundedKey(chain),
    ADMIN_KEY,
    KYT_URL: `${kyt.url}/a-secret-in-the-kyt-url`,
    KYT_API_KEY: 'a-secret-of-the-kyt-service',
    AUTH_SECRET: 'a-secret-that-seals-cursors-and-sessions',
    OIDC_CLIENT_SECRET: 'a-secret-of-the-identity-provider',
  }
  // Not secret: sign-in messages contain the origin, and users see the issuer.
  service = await startServiceProcess({ ...env, BASE_URL: ORIGIN, OIDC_ISSUER: issuer.url, OIDC_CLIENT_ID: 'quittance' })
})
afterAll(async () => {
  await service.kill('SIGKILL')
  await Promise.all([database.close(), chain.stop(), node.close(), kyt.close(), issuer.close()])
})

/** Every answer: status, headers and body in one text. */
const answers: string[] = []

async function ask(path: string, method = 'POST', body?: unknown, headers: Record<string, string> = {}): Promise<Response> {
  const init = { method, headers: { 'content-type': 'application/json', ...headers }, redirect: 'manual' } as const
  const text = body === undefined || typeof body === 'string' ? body : JSON.stringify(body)
  const response = await fetch(`${service.url}${path}`, text === undefined ? init : { ...init, body: text })
  answers.push(`${response.status} ${JSON.stringify([...response.headers])} ${await response.clone().text()}`)
  return response
}

async function mint(path: string, body: object): Promise<{ id: string; api_key: string }> {
  const response = await ask(path, 'POST', body, { authorization: `Bearer ${ADMIN_KEY}` })
  // Only the answer that creates a key may show it.
  answers.pop()
  return response.json()
}

async function newBody() {
  const payer = privateKeyToAccount(generatePrivateKey())
  await chain.mint(payer.address, 1_000_000n)
  return v2Body(await signed(payer))
}

/** Sends requests with the key in the path that end in success, refusal and error. */
async function useInEveryWay(key: string): Promise<number[]> {
  const statuses: number[] = []
  const add = async (...call: Parameters<typeof ask>) => statuses.push((await ask(...call)).status)
  const body = await newBody()
  for (const route of ['verify', 'settle', 'settle']) await add(`/v1/${key}/${route}`, 'POST', body, { 'idempotency-key': route })
  await add(`/v1//${key}//settle`, 'POST', body)
  await add(`/v1/${key}/flash/settle`, 'POST', body)
  await add(`/v1/${key}/settle`, 'POST', '{"half":')
  await add(`/v1/${key}/settle`, 'POST', 'x'.repeat(20_000))
  await add(`/v1/${key}/settle`, 'GET')
  await add(`/v1/${key}`, 'GET')
  await add(`/v1/${key}/`, 'GET')
  await add(`/v1/${key}/nothing?key=${key}`, 'GET', undefined, { referer: `${service.url}/v1/${key}/settle` })
  await add(`/V1/${key}/settle`, 'POST', body, { 'x-request-id': key })
  await add(`/v1/${key.replace('_', '%5f')}/settle`, 'POST', body)
  await add(`/v1/${key}/settlements/${key}`, 'GET')
  await add(`/v1/${key}/%zz`, 'GET')
  await add(`/v1/${key}/supported`, 'OPTIONS')
  await add(`/sandbox/settle/${key}`, 'POST', body)
  await add(`/admin/tenants/${key}`, 'PATCH', {}, { authorization: `Bearer ${key}` })
  await add(`/admin/tenants?cursor=${key}`, 'GET', undefined, { authorization: `Bearer ${ADMIN_KEY}` })
  return statuses
}

/** Signs in with valid and invalid messages, and sends the token to wrong places. Resolves with the secrets. */
async function signInInEveryWay(): Promise<string[]> {
  const route = '/api/v1/auth/siwe'
  const wallet = evmWallet()
  const headers = await siweHeaders(wallet, { nonce: 'aWordOfTheMessage' })
  const { 'x-siwe-message': message = '', 'x-siwe-signature': signature = '' } = headers
  const answer = await ask(route, 'POST', undefined, headers)
  // Only the answer that creates a token may show it.
  answers.pop()
  const { token }: { token: string } = await answer.json()
  const expired = await siweHeaders(wallet, { nonce: 'aWordOfTheMessage', expirationTime: '2020-01-01T00:00:00Z' })
  const jwt = await new SignJWT({ sub: 'aWordOfTheToken' }).setProtectedHeader({ alg: 'HS256' }).sign(Buffer.from(ADMIN_KEY))
  const fromAddress = (ip: number) => ({ 'x-forwarded-for': `10.77.0.${ip}` })
  const statuses = [
    await ask(route, 'POST', undefined, { ...expired, ...fromAddress(1) }),
    await ask(route, 'POST', undefined, {
      ...headers,
      'x-siwe-signature': await evmWallet().sign('another message'),
      ...fromAddress(2),
    }),
    await ask(route, 'POST', undefined, { authorization: `Bearer ${token}`, ...fromAddress(3) }),
    await ask(route, 'POST', undefined, { authorization: `Bearer ${jwt}`, ...fromAddress(4) }),
    await ask(`${route}/${token}`, 'POST', undefined, { ...headers, ...fromAddress(5) }),
    await ask(`/admin/tenants?cursor=${token}`, 'GET', undefined, { authorization: `Bearer ${token}` }),
    await ask(`/sandbox/settlements/${token}`, 'GET', undefined, { authorization: `Bearer ${jwt}` }),
  ].map(({ status }) => status)
  await database.db.$executeRaw`ALTER TABLE "Session" RENAME TO "Gone"`
  statuses.push((await ask(route, 'POST', undefined, { ...headers, ...fromAddress(6) })).status)
  await database.db.$executeRaw`ALTER TABLE "Gone" RENAME TO "Session"`
  expect(statuses).toEqual([401, 401, 401, 401, 404, 401, 400, 500])
  return [token, message, message.slice(40, 80), signature, signature.slice(2, 42), jwt, 'aWordOfThe']
}

/** Sends valid, invalid and uncheckable merchant tokens; resolves with the tokens. */
async function useMerchantTokens(): Promise<string[]> {
  const tokens = [
    await issuer.token({ sub: 'alice' }),
    await issuer.token({ sub: 'alice', exp: 1 }),
    await issuer.token({ sub: 'alice' }, { kid: 'unknown' }),
  ]
  const statuses: number[] = []
  const show = async (token: string, path = '/api/me/history') =>
    statuses.push((await ask(path, 'GET', undefined, { authorization: `Bearer ${token}` })).status)
  for (const token of tokens) await show(token)
  for (const token of tokens) await show(token, `/api/me/history?cursor=${token}`)
  issuer.answer({ status: 500, body: `<html>${env.OIDC_CLIENT_SECRET}</html>` })
  for (const token of tokens) await show(token)
  expect(statuses.slice(0, 4)).toEqual([200, 401, 401, 400])
  return tokens.flatMap((token) => [token, token.slice(token.lastIndexOf('.') + 1)])
}

async function everythingStored(): Promise<string> {
  const { db } = database
  const tables = await db.$queryRaw<{ name: string }[]>`SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'`
  const rows = tables.map(({ name }) => db.$queryRawUnsafe<{ row: string }[]>(`SELECT t::text AS row FROM "${name}" t`))
  return (await Promise.all(rows))
    .flat()
    .map(({ row }) => row)
    .join('\n')
}

test('no secret reaches an answer, a log line or the database, even when its request fails', async () => {
  const first = await mint('/admin/tenants', { owner_id: 'owner', plan: 'scale' })
  const second = await mint(`/admin/tenants/${first.id}/rotate`, { grace_seconds: 600 })
  expect(await useInEveryWay(first.api_key)).toEqual([
    200, 200, 200, 409, 409, 400, 413, 405, 404, 404, 404, 404, 409, 400, 400, 204, 404, 401, 400,
  ])
  node.disturb(() => 'cut')
  expect((await ask(`/v1/${second.api_key}/verify`, 'POST', await newBody())).status).toBe(502)
  node.disturb(() => undefined)
  kyt.misbehave('status 500')
  expect((await ask(`/v1/${second.api_key}/verify`, 'POST', await newBody())).status).toBe(503)
  kyt.misbehave(null)
  await database.db.$executeRaw`ALTER TABLE "Usage" RENAME TO "Gone"`
  expect((await ask(`/v1/${second.api_key}/verify`, 'POST', await newBody())).status).toBe(500)
  await database.db.$executeRaw`ALTER TABLE "Gone" RENAME TO "Usage"`
  const signedIn = [...(await signInInEveryWay()), ...(await useMerchantTokens())]
  await ask(`/admin/tenants/${first.id}`, 'PATCH', { revoked: true }, { authorization: `Bearer ${ADMIN_KEY}` })

  const secrets = [first.api_key, second.api_key, ...signedIn, ...Object.values(env).flatMap((value) => value.split(','))]
  const places = { answers: answers.join('\n'), log: service.output(), database: await everythingStored() }
  for (const [place, text] of Object.entries(places)) {
    expect(text.length, place).toBeGreaterThan(1_000)
    for (const secret of secrets) {
      const bare = secret.replace(/^0x|^\w+:\/\//, '')
      expect(
        text.toLowerCase().includes(bare.toLowerCase()),
        `${place} holds a secret that begins with ${bare.slice(0, 6)}`,
      ).toBe(false)
    }
    expect(/[qs]t(_|%5f)[\w-]{20}/i.test(text), `${place} holds text in the format of a key`).toBe(false)
  }
})
