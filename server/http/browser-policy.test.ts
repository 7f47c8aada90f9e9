import { describe, expect, test } from 'vitest'
import { openServer, request } from '../../test/support/service/http-server'
import { browserPolicy, type PolicyFacts } from './browser-policy'

const FACTS: PolicyFacts = { baseUrl: 'https://pay.example.com', playgroundUrl: null, walletConnect: false, development: false }

async function headersAt(target: string, facts: Partial<PolicyFacts> = {}): Promise<Record<string, string>> {
  const { ask } = await openServer({ policy: browserPolicy({ ...FACTS, ...facts }) })
  return (await ask(request(target))).headers
}

async function directivesOf(facts: Partial<PolicyFacts> = {}): Promise<Record<string, string>> {
  const policy = (await headersAt('GET /home', facts))['content-security-policy'] ?? ''
  return Object.fromEntries(policy.split('; ').map((one) => [one.split(' ')[0], one.split(' ').slice(1).join(' ')]))
}

test('a built file runs nothing as a document, and has no headers that only documents need', async () => {
  const headers = await headersAt('GET /_next/static/chunks/a.js')
  expect(headers).toMatchObject({
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'x-content-type-options': 'nosniff',
    'cross-origin-resource-policy': 'same-origin',
    'strict-transport-security': 'max-age=31536000',
  })
  expect(headers).not.toHaveProperty('permissions-policy')
})

describe('a page', () => {
  test('runs scripts with the nonce of its request, and connects only to the service', async () => {
    const { 'script-src': scripts, 'style-src': styles, ...rest } = await directivesOf()
    expect(scripts).toMatch(/^'nonce-[\w+/]{22}==' 'strict-dynamic'$/)
    expect(styles).not.toContain('unsafe')
    expect(rest).toEqual({
      'default-src': "'none'",
      'connect-src': "'self'",
      'img-src': "'self' data:",
      'font-src': "'self'",
      'form-action': "'self'",
      'frame-ancestors': "'none'",
      'base-uri': "'none'",
      'object-src': "'none'",
      'upgrade-insecure-requests': '',
    })
  })

  test('has a new nonce each time, and Next gets the same one', async () => {
    const { ask } = await openServer()
    const answers = [await ask(request('GET /home')), await ask(request('GET /home'))]
    const nonces = answers.map(({ headers, body }) => {
      const told: Record<string, string> = JSON.parse(body).headers
      expect(told['content-security-policy']).toBe(headers['content-security-policy'])
      expect(headers['content-security-policy']).toContain(`'nonce-${told['x-quittance-nonce']}'`)
      return told['x-quittance-nonce']
    })
    expect(nonces[0]).not.toBe(nonces[1])
  })

  test('ignores a nonce in the request', async () => {
    const { ask } = await openServer()
    const chosen = { 'Content-Security-Policy': "script-src 'nonce-chosen'", 'X-Quittance-Nonce': 'chosen' }
    for (const target of ['GET /home', 'GET /sandbox/supported', 'GET /health']) {
      const { body, headers } = await ask(
        request(target, { ...chosen, 'Content-Security-Policy-Report-Only': "script-src 'nonce-chosen'" }),
      )
      expect(body + JSON.stringify(headers)).not.toContain('chosen')
    }
  })

  test("connects to the playground's merchant too, if there is one", async () => {
    const directives = await directivesOf({ baseUrl: 'http://localhost:3000', playgroundUrl: 'http://localhost:4021/shop' })
    expect(directives).toMatchObject({ 'connect-src': "'self' http://localhost:4021" })
    expect(directives).not.toHaveProperty('upgrade-insecure-requests')
  })

  test('reaches the servers of WalletConnect only if it is configured', async () => {
    const { 'connect-src': connects, 'frame-src': frames } = await directivesOf({ walletConnect: true })
    expect(connects).toBe("'self' wss://relay.walletconnect.org https://rpc.walletconnect.org https://verify.walletconnect.org")
    expect(frames).toBe('https://verify.walletconnect.org')
    const without = await directivesOf()
    expect(Object.values(without).join()).not.toContain('walletconnect')
    expect(without).not.toHaveProperty('frame-src')
  })

  test('allows eval and WebSockets in development only', async () => {
    expect(await directivesOf({ development: true })).toMatchObject({
      'script-src': expect.stringContaining("'unsafe-eval'"),
      'style-src': "'self' 'unsafe-inline'",
      'connect-src': "'self' ws:",
    })
  })

  test('sits in no frame, sends no referrer, and can open popups of wallets', async () => {
    expect(await headersAt('GET /home')).toMatchObject({
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'no-referrer',
      'permissions-policy': expect.stringContaining('camera=()'),
      'cross-origin-opener-policy': 'same-origin-allow-popups',
      'cross-origin-resource-policy': 'same-origin',
    })
  })
})

const ANSWERS = ['GET /health', 'GET /sandbox/supported', 'POST /health', 'GET /sandbox/nothing', 'GET /%']

describe('an API response', () => {
  test.each(ANSWERS)('%s loads nothing, sits in no frame and is not sniffed', async (target) => {
    expect(await headersAt(target)).toMatchObject({
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cross-origin-resource-policy': 'same-origin',
    })
  })
})

describe('browsers stay on https', () => {
  test.each([...ANSWERS, 'GET /home', 'OPTIONS /health'])('%s has an HSTS header if the base URL is https', async (target) => {
    expect(await headersAt(target)).toHaveProperty('strict-transport-security', 'max-age=31536000')
    expect(await headersAt(target, { baseUrl: 'http://localhost:3000' })).not.toHaveProperty('strict-transport-security')
  })
})
