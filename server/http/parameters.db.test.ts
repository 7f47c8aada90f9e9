import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { z } from 'zod'
import { type Credential, fittingCredential, NEEDED, passes } from '../../test/money/fuzz/requests'
import { fieldsOfProcedures, fieldsOfRoutes } from '../../test/money/fuzz/schemas'
import { anonymousClient } from '../../test/money/fuzz/service'
import { evmWallet, siweHeaders } from '../../test/support/payloads/sign-in'
import { cookieOf, merchant } from '../../test/support/service/dashboard'
import { ADMIN_KEY } from '../../test/support/service/harness'
import { startReading } from '../../test/support/service/history'
import { type Issuer, startIssuer } from '../../test/support/service/issuer'
import { newMerchant } from '../../test/support/service/surface'
import type { App } from '../app'
import { endpoints } from '../endpoints'
import { openSession } from '../sign-in/sessions'
import { createCoalesce } from '../sums/coalesce'

/** What passes a careless check and breaks what converts behind it. */
const VALUES = [
  '',
  ' ',
  '\0',
  'a\0b',
  '\ud800',
  '\udfff\ud800',
  '🦊',
  '\u202e',
  '\ufeff',
  'abc',
  'x'.repeat(10_000),
  '9'.repeat(10_000),
  '0x',
  '0xabc',
  `0x${'g'.repeat(64)}`,
  `0x${'f'.repeat(64)}`,
  `0x${'f'.repeat(40)}`,
  '1'.repeat(32),
  'z'.repeat(88),
  '٣',
  '１２',
  '²',
  '-1',
  '-0',
  '+1',
  '1.5',
  '1e400',
  '01',
  '9'.repeat(79),
  String(2n ** 256n),
  String(2n ** 63n),
  'NaN',
  '0b1',
  '[]',
  '{}',
  'null',
  'undefined',
  '[object Object]',
  '__proto__',
  'constructor',
  '%',
  '%00',
  '../..',
  'a/b',
  "';--",
  'http://[',
  '2026-02-30',
  '2026-13-01T00:00:00Z',
  '+275761-01-01T00:00:00Z',
  '0000-01-01T00:00:00Z',
  'Europe/Berlin',
  'eip155:',
  'eip155:99999999999999999999',
]
/** Written so in a query, after the name of the parameter. */
const RAW = ['=%', '=%zz', '=%00', '=%ED%A0%80', '=%C0%80', '', '[]=1', '[0][a]=1', '=1&', '=+', '=#']

const namesIn = (schema: z.ZodObject | null) => Object.keys(schema?.shape ?? {})

/** A parameter that counts only beside another one. */
const BESIDE = new Map(
  Object.entries({
    payer: `nonce=0x${'5f'.repeat(32)}`,
    nonce: `payer=0x${'85'.repeat(20)}`,
    from: 'to=2026-11-20',
    to: 'from=2026-11-01',
  }),
)

describe('each parameter of each route', () => {
  let service: Awaited<ReturnType<typeof startReading>>
  let issuer: Issuer
  let ask: ReturnType<typeof anonymousClient>
  let credentials: Partial<Record<Credential, Record<string, string>>>
  let usual: Record<string, string>
  beforeAll(async () => {
    issuer = await startIssuer()
    service = await startReading({ OIDC_ISSUER: issuer.url, OIDC_AUDIENCE: 'quittance', KYT: 'off' })
    // Without rates: each request must reach what reads its parameters.
    const app: App = {
      ...service.app,
      // No request is refused for those before it.
      rateLimit: async () => {},
      callRate: () => 0,
      lists: (_reader, read) => read(service.app.db),
      coalesce: createCoalesce(),
    }
    ask = anonymousClient(app)
    const { tenantId, key } = await newMerchant(app, { owner: { kind: 'oidc', id: 'merchant' }, plan: 'scale', rps: 10_000 })
    usual = { key, id: tenantId, procedure: 'session.get' }
    const wallet = evmWallet()
    const session = await openSession(app, wallet.address.toLowerCase())
    credentials = {
      'admin key': { authorization: `Bearer ${ADMIN_KEY}` },
      'merchant token': { authorization: `Bearer ${await issuer.token({ sub: 'merchant' })}` },
      session: { authorization: `Bearer ${session.token}` },
      'signed by EVM': await siweHeaders(wallet),
      'merchant page': await cookieOf(app, merchant('merchant', { admin: true })),
    }
  })
  afterAll(() => Promise.all([service.close(), issuer.close()]))

  const pathWith = (pattern: string, given: Record<string, string>) =>
    pattern
      .split('/')
      .map((part) =>
        part.startsWith(':') ? encodeURIComponent(given[part.slice(1)] ?? usual[part.slice(1)] ?? randomUUID()) : part,
      )
      .join('/')

  const served = endpoints.filter(({ handler }) => handler !== 'next')
  const asking = ({ method, path }: (typeof served)[number]) => ({ method, headers: credentials[fittingCredential(path)] ?? {} })

  test('takes any text in a query without a 5xx', async () => {
    const seen = new Map<string, number>()
    for (const route of served.filter(({ query }) => query !== null)) {
      for (const name of [...namesIn(route.query), '__proto__']) {
        const beside = [NEEDED[route.path], BESIDE.get(name)].filter((one) => one !== undefined && !one.startsWith(`${name}=`))
        const written = VALUES.map((value) => new URLSearchParams([[name, value]]).toString())
        const twice = new URLSearchParams([
          [name, '1'],
          [name, '\0'],
        ]).toString()
        for (const query of [...written, twice, ...RAW.map((raw) => name + raw)]) {
          const path = `${pathWith(route.path, {})}?${[query, ...beside].join('&')}`
          const { status } = await ask({ ...asking(route), path })
          seen.set(`${status}`, (seen.get(`${status}`) ?? 0) + 1)
        }
      }
    }
    expect([...seen.keys()]).toEqual(expect.arrayContaining(['200', '400']))
    expect([...seen.keys()].filter((status) => ['401', '403', '429'].includes(status))).toEqual([])
  })

  test('takes any text in a path without a 5xx', async () => {
    for (const route of served) {
      for (const name of route.path.split('/').flatMap((part) => (part.startsWith(':') ? [part.slice(1)] : []))) {
        for (const value of VALUES.filter(passes)) await ask({ ...asking(route), path: pathWith(route.path, { [name]: value }) })
      }
    }
  })
})

test('no check of a parameter throws, of any route or procedure: a check that converts comes after one that aborts', () => {
  const others = [null, 1.5, -1, Number.POSITIVE_INFINITY, true, [], {}, [[]], [''], ['\0']]
  const schemas = [...fieldsOfRoutes(), ...fieldsOfProcedures()]
  expect(schemas.length).toBeGreaterThan(100)
  for (const schema of schemas) for (const value of [...VALUES, ...others]) expect(() => schema.safeParse(value)).not.toThrow()
})
