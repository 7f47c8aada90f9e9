import { describe, expect, onTestFinished, test } from 'vitest'
import { authBrowser, type Cookie } from '@/test/support/service/auth-browser'
import { startReading } from '@/test/support/service/history'
import { startIssuer } from '@/test/support/service/issuer'

const DISCOVERY = '/.well-known/openid-configuration'

/** Signs in as the administrator, and starts a merchant's sign-in, at a service with this base URL. */
async function cookiesAt(baseUrl: string): Promise<Cookie[]> {
  const issuer = await startIssuer()
  const { url } = issuer
  const known = {
    issuer: url,
    authorization_endpoint: `${url}/authorize`,
    token_endpoint: `${url}/token`,
    jwks_uri: `${url}/keys`,
  }
  issuer.answer({ body: JSON.stringify(known), headers: { 'content-type': 'application/json' } }, DISCOVERY)
  const harness = await startReading({
    BASE_URL: baseUrl,
    AUTH_SECRET: 'a secret of at least thirty-two letters',
    OIDC_ISSUER: issuer.url,
    OIDC_CLIENT_ID: 'quittance',
    OIDC_CLIENT_SECRET: 'a secret of the provider',
  })
  onTestFinished(async () => {
    await harness.close()
    await issuer.close()
  })
  const browser = authBrowser(harness.app)
  await browser.signInAsAdmin()
  await browser.beginAsMerchant()
  return browser.cookies()
}

const words = ['session', 'csrf-token', 'callback-url', 'code_verifier', 'state', 'nonce']
const wordOf = ({ name }: Cookie) => words.find((word) => name.endsWith(word)) ?? name

describe('every cookie of the dashboard', () => {
  test('is Secure, HttpOnly and SameSite over https', async () => {
    const cookies = await cookiesAt('https://pay.example.com')
    expect(cookies.map(wordOf).sort()).toEqual(words.toSorted())
    for (const { name, attributes } of cookies) {
      expect(attributes, name).toEqual(expect.arrayContaining(['Path=/', 'Secure', 'HttpOnly', 'SameSite=Lax']))
      expect(attributes.join(), name).not.toContain('Domain')
      expect(name).toMatch(/^__(Host|Secure)-/)
    }
    expect(cookies.map(({ name }) => name)).toContain('__Host-quittance.session')
  })

  test('works over http, and is HttpOnly', async () => {
    const cookies = await cookiesAt('http://localhost:3000')
    expect(cookies.map(wordOf).sort()).toEqual(words.toSorted())
    for (const { name, attributes } of cookies) {
      expect(attributes, name).toEqual(expect.arrayContaining(['HttpOnly', 'SameSite=Lax']))
      expect(name).not.toMatch(/^__/)
    }
  })
})
