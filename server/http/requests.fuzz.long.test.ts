import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { damaged, respelling, strangeText, torn } from '../../test/money/fuzz/damage'
import { BODIES, type Credential, credential, NAMES, NEEDED, OWNER, passes, passesAsHeader } from '../../test/money/fuzz/requests'
import { patience, tries } from '../../test/money/fuzz/runs'
import { type AnonymousRequest, anonymousClient, routes } from '../../test/money/fuzz/service'
import { v1Body, v2Body } from '../../test/support/payloads/payments'
import {
  evmWallet,
  headersOf,
  type SigningWallet,
  signInText,
  siweHeaders,
  solanaWallet,
} from '../../test/support/payloads/sign-in'
import { payForCredits, SERVICE_PAY_TO, sells } from '../../test/support/service/agents'
import { cookieOf, merchant, wallet as walletSession } from '../../test/support/service/dashboard'
import { ADMIN_KEY, type Harness, startHarness } from '../../test/support/service/harness'
import { type Issuer, startIssuer } from '../../test/support/service/issuer'
import { newPurchase } from '../../test/support/service/purchases'
import { newMerchant } from '../../test/support/service/surface'
import { openSession } from '../sign-in/sessions'

type Json = Record<string, unknown>

type Headers = Record<string, string>

let harness: Harness

let issuer: Issuer

let ask: ReturnType<typeof anonymousClient>

/** Valid values: ids, addresses, hashes, cursors, names. */
let meant: string[]

let credentials: Record<Credential, Headers>

let tenantId: string

let apiKey: string

const [evm, solana] = [evmWallet(), solanaWallet()]

beforeAll(async () => {
  issuer = await startIssuer()
  const oidc = { OIDC_ISSUER: issuer.url, OIDC_AUDIENCE: 'quittance' }
  harness = await startHarness({ production: true, env: { ...sells, ...oidc, KYT: 'off' } })
  ask = anonymousClient(harness.app)
  const owner = { kind: 'oidc', id: OWNER }
  const made = await newMerchant(harness.app, { owner, plan: 'scale', rps: 10_000, settlementQuota: 10_000_000 })
  tenantId = made.tenantId
  apiKey = made.key
  const settled = await Promise.all(
    Array.from({ length: 3 }, async () => made.v1.settle((await newPurchase(harness)).body).then(({ body }) => Object(body))),
  )
  const admin = { authorization: `Bearer ${ADMIN_KEY}` }
  const pages = ['/admin/history?limit=1', '/admin/tenants?limit=1'].map((path) => ask({ method: 'GET', path, headers: admin }))
  const cursors = (await Promise.all(pages)).map(({ body }) => String(Reflect.get(Object(body), 'cursor')))
  const [first] = settled
  meant = [
    tenantId,
    apiKey,
    randomUUID(),
    ...cursors,
    String(Reflect.get(first, 'transaction')),
    String(Reflect.get(first, 'payer')),
    '1',
    '0',
    '100',
    '101',
    '7',
    '30',
    '90',
    'before',
    'after',
    'true',
    'false',
    'http',
    'exact',
    'bazaar',
    'weather',
    'json',
    'csv',
    'eip155:84532',
    'base',
    'base-sepolia',
    'solana',
    'testnet',
    'mainnet',
    'merchant',
    'payer',
    'agent',
    'admin',
    'growth',
  ]
  const session = await openSession(harness.app, evm.address.toLowerCase())
  credentials = {
    nothing: {},
    'admin key': admin,
    'merchant token': { authorization: `Bearer ${await issuer.token({ sub: OWNER })}` },
    session: { authorization: `Bearer ${session.token}` },
    'signed by EVM': await siweHeaders(evm),
    'signed by Solana': await siweHeaders(solana),
    'merchant page': await cookieOf(harness.app, merchant(OWNER, { admin: true })),
    'wallet page': await cookieOf(harness.app, walletSession(evm.address.toLowerCase())),
  }
})

afterAll(() => Promise.all([harness.close(), issuer.close()]))

const meaning = () => fc.constantFrom(...meant)

const value = () => fc.oneof(meaning(), meaning().chain(respelling), meaning().chain(torn), strangeText)

function query(pattern = ''): fc.Arbitrary<string> {
  const needed = NEEDED[pattern] ? [NEEDED[pattern]] : []
  const pair = fc.tuple(fc.constantFrom(...NAMES), value()).map(([name, text]) => new URLSearchParams([[name, text]]).toString())
  const noise = fc.constantFrom('%', '%zz', '%ED%A0%80', '%00', '&&==', 'a[]=1', '+', '?', '#', 'limit', 'days=30&days=7')
  return fc
    .array(fc.oneof({ weight: 6, arbitrary: pair }, { weight: 1, arbitrary: noise }), { maxLength: 4 })
    .map((all) => [...needed, ...all].join('&'))
}

function pathOf(pattern: string): fc.Arbitrary<string> {
  const usual: Record<string, string> = { key: apiKey, id: tenantId, network: 'eip155:84532', procedure: 'settlements.list' }
  const segments = pattern.split('/').map((segment): fc.Arbitrary<string> => {
    if (!segment.startsWith(':')) return fc.constant(segment)
    const right = fc.constant(usual[segment.slice(1)] ?? '')
    return fc.oneof({ weight: 2, arbitrary: right }, { weight: 1, arbitrary: value().filter(passes) }).map(encodeURIComponent)
  })
  return fc.tuple(...segments).map((all) => all.join('/') || '/')
}

describe('every path of the service', () => {
  const ONCE_BROKEN: [Omit<AnonymousRequest, 'headers'> & { credential: Credential }][] = [
    [{ method: 'GET', path: '/api/export?reader=merchant&format=json&resource=%00', credential: 'merchant page' }],
    [{ method: 'GET', path: '/api/export?reader=admin&format=csv&owner=%00', credential: 'merchant page' }],
  ]

  test(
    'answers any request, with any credential, as documented',
    async () => {
      const asked = fc.constantFrom(...routes).chain(({ method, pattern }) =>
        fc.record({
          method: fc.constant(method),
          path: fc.tuple(pathOf(pattern), query(pattern)).map(([path, query]) => (query === '' ? path : `${path}?${query}`)),
          credential: credential(pattern),
          ...(method === 'GET' ? {} : { body: fc.constantFrom(...BODIES).chain(damaged) }),
        }),
      )
      const seen = new Set<number>()
      await fc.assert(
        fc.asyncProperty(asked, async ({ credential, ...one }) => {
          seen.add((await ask({ ...one, headers: credentials[credential] })).status)
        }),
        { ...tries(1_200), examples: ONCE_BROKEN },
      )
      expect([...seen]).toEqual(expect.arrayContaining([200, 400, 401, 404]))
    },
    patience(60),
  )
})

describe('a sign-in with a wallet', () => {
  test(
    'succeeds or says why not, for any signed message in any encoding',
    async () => {
      const message = (wallet: SigningWallet) => {
        const sound = signInText(wallet)
        return fc.oneof(
          torn(sound),
          fc.tuple(fc.nat(9), strangeText).map(([at, text]) => replacedLine(sound, at, text)),
        )
      }
      const signer = fc.constantFrom(evm, solana)
      const headers = signer.chain((wallet) => fc.tuple(fc.constant(wallet), message(wallet), fc.boolean()))
      const seen = new Set<number>()
      await fc.assert(
        fc.asyncProperty(headers, fc.nat(20), strangeText, async ([wallet, text, exact], cut, noise) => {
          const signed = await headersOf(wallet, text)
          const sent = exact ? signed : { ...signed, 'x-siwe-signature': noisy(signed['x-siwe-signature'] ?? '', cut, noise) }
          for (const [method, path] of [
            ['POST', '/api/v1/auth/siwe'],
            ['GET', '/api/v1/history'],
          ] as const) {
            seen.add((await ask({ method, path, headers: sent })).status)
          }
        }),
        tries(300),
      )
      expect([...seen]).toContain(401)
    },
    patience(60),
  )

  const replacedLine = (text: string, at: number, line: string) =>
    text
      .split('\n')
      .with(at % text.split('\n').length, line)
      .join('\n')
  const noisy = (text: string, cut: number, noise: string) =>
    text.slice(0, -cut || undefined) + (passesAsHeader(noise) ? noise : '0')
})

describe('a purchase of credits', () => {
  test(
    'is an offer, a purchase or a refusal, for any header',
    async () => {
      const payer = await harness.payer(10n ** 12n)
      const [first, second] = await Promise.all([payForCredits(payer, 100n), payForCredits(payer, 250n)])
      const asked = { payTo: SERVICE_PAY_TO, amount: '100000' }
      const payloads = [v1Body(first).paymentPayload, v2Body(second, { requirements: asked }).paymentPayload].map(Object)
      const encoded = fc
        .constantFrom<Json>(...payloads)
        .chain(damaged)
        .map((text) => Buffer.from(text).toString('base64'))
      const header = fc
        .oneof({ weight: 4, arbitrary: encoded }, { weight: 1, arbitrary: encoded.chain(torn) }, strangeText)
        .filter(passesAsHeader)
      const name = fc.constantFrom('payment-signature', 'x-payment')
      const seen = new Set<number>()
      await fc.assert(
        fc.asyncProperty(header, name, query(), async (value, name, query) => {
          const path = `/api/v1/agent/purchase?${query}`
          seen.add((await ask({ method: 'POST', path, headers: { [name]: value } })).status)
        }),
        tries(300),
      )
      expect([...seen]).toEqual(expect.arrayContaining([400, 402]))
    },
    patience(60),
  )
})
