import { createHash, randomBytes } from 'node:crypto'
import { decodeJwt } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { silentLog } from '../../server/base/log'
import { createIssuerKeys } from '../../server/sign-in/issuer-keys'
import { createMerchantTokens, type ProveMerchant } from '../../server/sign-in/merchant-token'
import { issuerKeys } from '../../server/sign-in/oidc'
import { settledPort } from '../free-ports'
import { CLIENT_ID, type IdentityProvider, newSigningKey, signToken, startIdentityProvider } from './identity-provider'

const baseUrl = 'http://localhost:3000'
const redirectUri = `${baseUrl}/api/auth/callback/oidc`
const clientSecret = randomBytes(32).toString('hex')
const key = newSigningKey()
const verifier = randomBytes(32).toString('base64url')
const challenge = createHash('sha256').update(verifier).digest('base64url')

let provider: IdentityProvider
let prove: ProveMerchant
beforeAll(async () => {
  const issuer = `http://localhost:${await settledPort(0)}`
  provider = await startIdentityProvider({ issuer, baseUrl, clientSecret, key })
  const now = () => new Date()
  const keys = createIssuerKeys({ read: issuerKeys(issuer), now, log: silentLog() })
  prove = createMerchantTokens({ issuer, audience: baseUrl, keys, now })
})
afterAll(() => provider.stop())

/** A browser that keeps cookies and does not follow redirects. */
function newBrowser() {
  const jar = new Map<string, string>()
  return async (url: string, form?: Record<string, string>) => {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
    const sent = form ? { method: 'POST', body: new URLSearchParams(form) } : {}
    const response = await fetch(new URL(url, provider.issuer), { ...sent, headers: { cookie }, redirect: 'manual' })
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      if (value) jar.set(name, value)
      else jar.delete(name)
    }
    return { status: response.status, location: response.headers.get('location') ?? '', text: await response.text() }
  }
}

const authorization = (changed: Record<string, string> = {}) => {
  const standing = { client_id: CLIENT_ID, redirect_uri: redirectUri, response_type: 'code', scope: 'openid email profile' }
  const pkce = { code_challenge: challenge, code_challenge_method: 'S256', state: 'a-state', nonce: 'a-nonce' }
  return `/auth?${new URLSearchParams({ ...standing, ...pkce, ...changed })}`
}

async function exchange(code: string, changed: Record<string, string> = {}, secret = clientSecret) {
  const body = { grant_type: 'authorization_code', code, redirect_uri: redirectUri, code_verifier: verifier, ...changed }
  const authorized = `Basic ${Buffer.from(`${CLIENT_ID}:${secret}`).toString('base64')}`
  const sent = { method: 'POST', headers: { authorization: authorized }, body: new URLSearchParams(body) }
  const response = await fetch(`${provider.issuer}/token`, sent)
  const answer: Record<string, unknown> = await response.json()
  return { status: response.status, answer }
}

/** Signs a user in as a browser does; resolves with the code for the dashboard. */
async function codeOf(user: string): Promise<string> {
  const browse = newBrowser()
  const toSignIn = await browse(authorization())
  expect(toSignIn.location).toMatch(/^\/sign-in\//)
  const page = await browse(toSignIn.location)
  expect(page.text).toContain('for local use only')
  const signedIn = await browse(toSignIn.location, { user })
  const back = await browse(signedIn.location)
  expect(back.location).toMatch(new RegExp(`^${redirectUri}\\?`))
  const answered = new URL(back.location).searchParams
  expect(answered.get('state')).toBe('a-state')
  return answered.get('code') ?? ''
}

describe('the local identity provider', () => {
  test('signs in any user name, and its access token is valid on the merchant routes', async () => {
    const { status, answer } = await exchange(await codeOf('alice'))
    expect(status).toBe(200)
    expect(await prove(String(answer.access_token))).toBe('alice')
    expect(decodeJwt(String(answer.id_token))).toMatchObject({ sub: 'alice', aud: CLIENT_ID, name: 'alice', nonce: 'a-nonce' })
  })

  test('requires the code verifier, the client secret and the redirect URI of the dashboard', async () => {
    expect((await exchange(await codeOf('bob'), { code_verifier: randomBytes(32).toString('base64url') })).status).toBe(400)
    expect((await exchange(await codeOf('bob'), {}, 'wrong')).status).toBe(401)
    const elsewhere = await newBrowser()(authorization({ redirect_uri: 'http://localhost:3000/elsewhere' }))
    expect([elsewhere.status, elsewhere.location]).toEqual([400, ''])
  })

  test('requires a user name, and a sign-in in progress', async () => {
    const browse = newBrowser()
    const { location } = await browse(authorization())
    expect((await browse(location, { user: '  ' })).status).toBe(400)
    expect((await browse(location, { user: 'x'.repeat(201) })).status).toBe(400)
    expect((await newBrowser()(location)).status).toBe(400)
  })

  test('signs tokens for the command line that the service accepts', async () => {
    expect(await prove(await signToken({ issuer: provider.issuer, baseUrl, key, user: 'carol' }))).toBe('carol')
    const forged = await signToken({ issuer: provider.issuer, baseUrl, key: { ...newSigningKey(), kid: key.kid }, user: 'carol' })
    await expect(prove(forged)).rejects.toThrow('wrong signature')
  })

  test('says why it does not start', async () => {
    const { issuer } = provider
    await expect(startIdentityProvider({ issuer, baseUrl, clientSecret, key })).rejects.toThrow(/EADDRINUSE/)
  })
})
