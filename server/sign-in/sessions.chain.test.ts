import { createHash } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { getAddress } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { type Chain, startChain } from '../../devnet/chain'
import { type FreshDatabase, freshDatabase } from '../../test/support/database/database'
import { embeddedFolder } from '../../test/support/database/embedded'
import { keepSecrets, testLog } from '../../test/support/logs'
import { evmWallet, type SigningWallet, siweHeaders, solanaWallet } from '../../test/support/payloads/sign-in'
import { ADMIN_KEY } from '../../test/support/service/harness'
import { inOneSecond } from '../../test/support/service/rate-window'
import { bearer, exchangeWith, requestWith } from '../../test/support/service/session-requests'
import { until } from '../../test/support/until'
import type { App } from '../app'
import { createApp, type RunningApp } from '../boot/app'
import { readEnv } from '../env/env'
import { requireAdmin, requireWallet } from './credentials'

let database: FreshDatabase
let chain: Chain
let env: Record<string, string>
let app: RunningApp
let now = new Date(Math.floor(Date.now() / 1_000) * 1_000)
beforeAll(async () => {
  ;[database, chain] = await Promise.all([freshDatabase(), startChain({ chainId: 84532 })])
  env = { NODE_ENV: 'test', DATABASE_URL: database.url, BASE_SEPOLIA_RPC_URL: chain.url, ADMIN_KEY }
  app = await start()
})
afterAll(async () => {
  await app.close()
  await Promise.all([database.close(), chain.stop()])
})

function start(changed: Record<string, string> = {}): Promise<RunningApp> {
  const whole = { ...env, ...changed }
  keepSecrets(whole)
  return createApp(readEnv(whole), testLog(), { now: () => now })
}

const exchange = (headers: Record<string, string>, { by = app, ...more }: { by?: App; body?: string; ip?: string } = {}) =>
  exchangeWith(by, headers, more)
const headersOf = (wallet: SigningWallet, lines = {}) => siweHeaders(wallet, lines, now)
const whois = (headers: Record<string, string>, by: App = app): Promise<string> => requireWallet(by, requestWith(headers))
const tokenOf = async (wallet: SigningWallet): Promise<string> => String((await exchange(await headersOf(wallet))).body.token)
const seconds = (date: Date) => date.getTime() / 1_000

describe('POST /api/v1/auth/siwe', () => {
  test('200 with a token, the wallet in EIP-55 and the end in Unix seconds, 15 minutes from now', async () => {
    const wallet = evmWallet()
    const { status, body } = await exchange(await headersOf(wallet))
    expect([status, body]).toEqual([
      200,
      { token: expect.stringMatching(/^st_[\w-]{43}$/), wallet: wallet.address, expires_at: seconds(now) + 900 },
    ])
    expect(await whois(bearer(body.token))).toBe(wallet.address.toLowerCase())
  })

  test('200 for a Solana wallet, as it is written', async () => {
    const wallet = solanaWallet()
    const { body } = await exchange(await headersOf(wallet))
    expect(body.wallet).toBe(wallet.address)
    expect(await whois(bearer(body.token))).toBe(wallet.address)
  })

  test('200 for a smart wallet of the chain (EIP-1271), 401 for one that says no and for one of another chain', async () => {
    const owner = privateKeyToAccount(generatePrivateKey())
    const address = getAddress(await chain.deployWallet(owner.address))
    const wallet = { ...evmWallet(owner), address }
    expect((await exchange(await headersOf(wallet))).body.wallet).toBe(address)
    const stranger = { ...evmWallet(), address }
    expect(await exchange(await headersOf(stranger))).toMatchObject({
      status: 401,
      body: { error: expect.stringMatching(/contract at its address/) },
    })
    const elsewhere = await exchange(await headersOf(wallet, { chainId: '8453' }))
    expect(elsewhere).toMatchObject({
      status: 401,
      body: { error: expect.stringMatching(/smart wallets of chain 84532, not 8453/) },
    })
  })

  test("a service with a node of Base checks wallets' code there: the owner of the address on Base Sepolia only is refused", async () => {
    const [base, sepolia] = await Promise.all([startChain({ chainId: 8453 }), startChain({ chainId: 84532 })])
    const mixed = await start({ BASE_RPC_URL: base.url, BASE_SEPOLIA_RPC_URL: sepolia.url })
    onTestFinished(async () => {
      await mixed.close()
      await Promise.all([base.stop(), sepolia.stop()])
    })
    const [owner, thief] = [privateKeyToAccount(generatePrivateKey()), privateKeyToAccount(generatePrivateKey())]
    const address = getAddress(await base.deployWallet(owner.address))
    // On Base Sepolia the same address is the thief's.
    const onTestnet = await sepolia.deployWallet(thief.address)
    const code = await sepolia.client.getCode({ address: onTestnet })
    await sepolia.client.setCode({ address, bytecode: code ?? '0x' })
    const [held, stolen] = [owner, thief].map((account) => ({ ...evmWallet(account), address }))
    if (!held || !stolen) throw new Error('two wallets were made')

    const refusal = {
      status: 401,
      body: { error: expect.stringMatching(/chain 8453, not 84532; sign a message with "Chain ID: 8453"/) },
    }
    for (const wallet of [stolen, held]) {
      expect(await exchange(await headersOf(wallet, { chainId: '84532' }), { by: mixed })).toMatchObject(refusal)
    }
    expect(await exchange(await headersOf(stolen, { chainId: '8453' }), { by: mixed })).toMatchObject({
      status: 401,
      body: { error: expect.stringMatching(/contract at its address on chain 8453/) },
    })
    expect((await exchange(await headersOf(held, { chainId: '8453' }), { by: mixed })).body.wallet).toBe(address)

    const onTestnetOnly = { ...evmWallet(thief), address: getAddress(onTestnet) }
    expect(await exchange(await headersOf(onTestnetOnly, { chainId: '84532' }), { by: mixed })).toMatchObject(refusal)
    // A key signs for its address on any chain.
    const keyed = evmWallet()
    for (const chainId of ['8453', '84532', '1']) {
      expect((await exchange(await headersOf(keyed, { chainId }), { by: mixed })).body.wallet).toBe(keyed.address)
    }
  })

  test('a body of up to 4 KB is ignored, a larger one is a 413', async () => {
    const headers = await headersOf(evmWallet())
    expect((await exchange(headers, { body: '{"half":' })).status).toBe(200)
    expect((await exchange(headers, { body: 'x'.repeat(4_096) })).status).toBe(200)
    expect((await exchange(headers, { body: 'x'.repeat(4_097) })).status).toBe(413)
  })

  test('the base64 may be url-safe and without padding', async () => {
    const headers = await headersOf(evmWallet(), { statement: 'Is this good??????~~~~~~' })
    const message = headers['x-siwe-message']?.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '') ?? ''
    expect((await exchange({ ...headers, 'x-siwe-message': message })).status).toBe(200)
  })

  test('401 that says what is missing or cannot be read', async () => {
    const headers = await headersOf(evmWallet())
    const { 'x-siwe-message': message = '', 'x-siwe-signature': signature = '' } = headers
    const cases: [Record<string, string>, RegExp][] = [
      [{}, /^send X-SIWE-Message .* and X-SIWE-Signature$/],
      [{ 'x-siwe-message': message }, /^X-SIWE-Signature is missing/],
      [{ 'x-siwe-signature': signature }, /^X-SIWE-Message is missing/],
      [{ ...headers, 'x-siwe-message': 'not base64!' }, /^X-SIWE-Message is not base64;/],
      [{ ...headers, 'x-siwe-message': '/////w==' }, /^X-SIWE-Message is not base64 of UTF-8/],
      [{ ...headers, 'x-siwe-message': 'A'.repeat(5_600) }, /^X-SIWE-Message is longer than 4 KB/],
      [{ ...headers, 'x-siwe-signature': `${signature}00` }, /^X-SIWE-Signature is not by the key/],
      [bearer(await tokenOf(evmWallet())), /^send X-SIWE-Message/],
    ]
    for (const [sent, says] of cases) {
      expect(await exchange(sent)).toEqual({ status: 401, body: { error: expect.stringMatching(says) } })
    }
  })

  test('429 for the sixth in a second of one address, with any headers', async () => {
    const six = () => Promise.all(Array.from({ length: 6 }, () => exchange({}, { ip: '10.200.0.1' })))
    const statuses = (await inOneSecond(six)).map(({ status }) => status).sort()
    expect(statuses.slice(0, 5)).toEqual([401, 401, 401, 401, 401])
    expect(statuses.slice(5)).toEqual([429])
  })
})

describe('a session', () => {
  test('ends after 900 seconds to the second', async () => {
    const began = now
    onTestFinished(() => {
      now = began
    })
    const wallet = evmWallet()
    const token = await tokenOf(wallet)
    now = new Date(began.getTime() + 899_999)
    expect(await whois(bearer(token))).toBe(wallet.address.toLowerCase())
    now = new Date(began.getTime() + 900_000)
    await expect(whois(bearer(token))).rejects.toThrow('unknown or its 15 minutes are over')
  })

  test('outlives the process that opened it, and works on every instance', async () => {
    const wallet = solanaWallet()
    const first = await start()
    const { body } = await exchange(await headersOf(wallet), { by: first })
    await first.close()
    expect(await whois(bearer(body.token))).toBe(wallet.address)
  })

  test('is stored as a hash: a reader of the database cannot sign in', async () => {
    const wallet = evmWallet()
    const token = await tokenOf(wallet)
    const rows = await database.db.session.findMany({ where: { wallet: wallet.address.toLowerCase() } })
    expect(rows).toHaveLength(1)
    expect(Buffer.from(rows[0]?.tokenHash ?? [])).toEqual(createHash('sha256').update(token).digest())
    const dump = await database.db.$queryRaw<{ row: string }[]>`SELECT s::text AS row FROM "Session" s`
    expect(dump.filter(({ row }) => row.includes(token.slice(3)))).toEqual([])
    const stolen = Buffer.from(rows[0]?.tokenHash ?? []).toString('base64url')
    await expect(whois(bearer(`st_${stolen}`))).rejects.toThrow('unknown or its 15 minutes are over')
  })

  test('that is over leaves the database at the next start', async () => {
    const wallet = evmWallet()
    await tokenOf(wallet)
    const mine = { wallet: wallet.address.toLowerCase() }
    await database.db.session.updateMany({ where: mine, data: { expiresAt: new Date(Date.now() - 1_000) } })
    const second = await start()
    onTestFinished(() => second.close())
    await until(async () => (await database.db.session.count({ where: mine })) === 0, 'the session to go')
  })

  test('works on the embedded database', async () => {
    const folder = await embeddedFolder()
    const embedded = await start({ DATABASE_URL: '', DATA_DIR: folder })
    onTestFinished(async () => {
      await embedded.close()
      await rm(folder, { recursive: true })
    })
    const wallet = solanaWallet()
    const { body } = await exchange(await headersOf(wallet), { by: embedded })
    expect(await whois(bearer(body.token), embedded)).toBe(wallet.address)
    await expect(whois(bearer(`st_${'x'.repeat(43)}`), embedded)).rejects.toThrow('unknown')
  })
})

describe('requireWallet', () => {
  test('takes SIWE headers without a session', async () => {
    const wallet = evmWallet()
    expect(await whois(await headersOf(wallet))).toBe(wallet.address.toLowerCase())
  })

  test('never falls back from headers to a token: where both are sent, the headers must hold', async () => {
    const [anna, ben] = [evmWallet(), evmWallet()]
    const token = await tokenOf(anna)
    expect(await whois({ ...(await headersOf(ben)), ...bearer(token) })).toBe(ben.address.toLowerCase())
    const forged = { ...(await headersOf(ben)), 'x-siwe-signature': '0x00', ...bearer(token) }
    await expect(whois(forged)).rejects.toThrow('X-SIWE-Signature')
    await expect(whois({ 'x-siwe-message': 'x', ...bearer(token) })).rejects.toThrow('X-SIWE-Signature is missing')
  })

  test('refuses every other kind of credential, and no route of the admin takes a session', async () => {
    const kinds = [
      '',
      ADMIN_KEY,
      `qt_${'x'.repeat(43)}`,
      'eyJhbGciOiJSUzI1NiJ9.e30.x',
      `ST_${'x'.repeat(43)}`,
      `st_${'x'.repeat(42)}`,
    ]
    for (const kind of kinds) {
      await expect(whois(bearer(kind))).rejects.toMatchObject({ refusal: 'unauthorized' })
    }
    const token = await tokenOf(evmWallet())
    expect(() => requireAdmin(app, requestWith(bearer(token)))).toThrow('send the admin key')
    await expect(whois({ authorization: `Basic ${token}` })).rejects.toMatchObject({ refusal: 'unauthorized' })
  })

  test('lets one address try 20 times a second', async () => {
    const headers = bearer(`st_${'x'.repeat(43)}`)
    const attempt = () => requireWallet(app, requestWith(headers, { ip: '10.201.0.1' }))
    const tries = await inOneSecond(() => Promise.allSettled(Array.from({ length: 21 }, attempt)))
    const refusals = tries.map((each) => (each.status === 'rejected' ? each.reason.refusal : ''))
    expect(refusals.filter((refusal) => refusal === 'unauthorized')).toHaveLength(20)
    expect(refusals.filter((refusal) => refusal === 'too_many')).toHaveLength(1)
  })
})
