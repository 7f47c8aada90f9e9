import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type FreshDatabase, freshDatabase } from '../../test/support/database/database'
import { keepSecrets, testLog } from '../../test/support/logs'
import { evmWallet, siweHeaders } from '../../test/support/payloads/sign-in'
import { ADMIN_KEY } from '../../test/support/service/harness'
import { type Issuer, startIssuer } from '../../test/support/service/issuer'
import { newMerchant } from '../../test/support/service/surface'
import type { App } from '../app'
import { createApp, type RunningApp } from '../boot/app'
import { readEnv } from '../env/env'
import { refuse } from '../http/errors'
import { requireAdmin, requireMerchant, requireSignature, requireWallet } from './credentials'
import { openSession } from './sessions'

let database: FreshDatabase
let issuer: Issuer
let app: RunningApp
beforeAll(async () => {
  ;[database, issuer] = await Promise.all([freshDatabase(), startIssuer()])
  const env = { NODE_ENV: 'test', DATABASE_URL: database.url, ADMIN_KEY, OIDC_ISSUER: issuer.url, OIDC_AUDIENCE: 'quittance' }
  keepSecrets(env)
  app = await createApp(readEnv(env), testLog())
})
afterAll(async () => {
  await app.close()
  await Promise.all([database.close(), issuer.close()])
})

type Guard = (app: App, request: Request) => unknown

const GUARDS = {
  'the merchant routes': requireMerchant,
  'the payer and agent routes': requireWallet,
  'the exchange of a session': requireSignature,
  'the admin routes': async (app: App, request: Request) => requireAdmin(app, request),
} as const satisfies Record<string, Guard>

const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
const wallet = evmWallet()

const CREDENTIALS = {
  nothing: async () => ({}),
  'a JWT of the identity provider': async () => bearer(await issuer.token()),
  'a session token': async () => bearer((await openSession(app, wallet.address.toLowerCase())).token),
  'SIWE headers': () => siweHeaders(wallet),
  'the admin key': async () => bearer(ADMIN_KEY),
  'an API key': async () => bearer((await newMerchant(app)).key),
} as const satisfies Record<string, () => Promise<Record<string, string>>>

const OPENS: Record<keyof typeof GUARDS, readonly (keyof typeof CREDENTIALS)[]> = {
  'the merchant routes': ['a JWT of the identity provider'],
  'the payer and agent routes': ['a session token', 'SIWE headers'],
  'the exchange of a session': ['SIWE headers'],
  'the admin routes': ['the admin key'],
}

function namesOf<T extends object>(table: T): (keyof T)[] {
  return Object.keys(table) as (keyof T)[]
}

let addresses = 0
async function statusAt(guard: Guard, headers: Record<string, string>): Promise<number> {
  const request = new Request('http://quittance.test/', {
    method: 'POST',
    headers: { 'x-quittance-client-ip': `10.0.0.${++addresses}`, ...headers },
  })
  try {
    await guard(app, request)
    return 200
  } catch (error) {
    return refuse('plain', error, app.log, 'test').status
  }
}

describe.each(namesOf(GUARDS))('%s', (guard) => {
  test.each(namesOf(CREDENTIALS))('are asked with %s', async (credential) => {
    const status = await statusAt(GUARDS[guard], await CREDENTIALS[credential]())
    expect(status).toBe(OPENS[guard].includes(credential) ? 200 : 401)
  })
})

test('a merchant is its sub', async () => {
  const request = new Request('http://quittance.test/', { headers: bearer(await issuer.token({ sub: 'google|42' })) })
  expect(await requireMerchant(app, request)).toBe('google|42')
})

test('without an identity provider merchants get a 503 with the reason', async () => {
  const request = new Request('http://quittance.test/', { headers: bearer(await issuer.token()) })
  await expect(requireMerchant({ ...app, proveMerchant: null }, request)).rejects.toMatchObject({
    refusal: 'unavailable',
    message: expect.stringContaining('no identity provider is configured'),
  })
})
