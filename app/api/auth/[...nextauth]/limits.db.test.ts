import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { RunningApp } from '@/server/boot/app'
import { type AuthAnswer, authBrowser } from '@/test/support/service/auth-browser'
import { startReading } from '@/test/support/service/history'
import { type Issuer, startIssuer } from '@/test/support/service/issuer'

const DISCOVERY = '/.well-known/openid-configuration'

let issuer: Issuer
let harness: { app: RunningApp; close: () => Promise<void> }
let now = new Date()
beforeAll(async () => {
  issuer = await startIssuer()
  harness = await startReading(
    { OIDC_ISSUER: issuer.url, OIDC_CLIENT_ID: 'quittance', OIDC_CLIENT_SECRET: 'a secret of the provider' },
    { now: () => now },
  )
})
afterAll(async () => {
  await harness.close()
  await issuer.close()
})

/** Sets the issuer's discovery document: its sign-in endpoints and client authentication methods. */
function publish(methods?: string[]) {
  const { url } = issuer
  const known = {
    issuer: url,
    authorization_endpoint: `${url}/authorize`,
    token_endpoint: `${url}/token`,
    jwks_uri: `${url}/keys`,
  }
  const document = methods ? { ...known, token_endpoint_auth_methods_supported: methods } : known
  issuer.answer({ body: JSON.stringify(document), headers: { 'content-type': 'application/json' } }, DISCOVERY)
}
const discoveries = () => issuer.asked.filter((path) => path === DISCOVERY).length
const urlOf = ({ body }: AuthAnswer) => String(Reflect.get(Object(body), 'url'))
const home = () => harness.app.config.baseUrl

describe('requests to /api/auth/* are rate limited by IP address', () => {
  test('starts of a sign-in with the identity provider', async () => {
    publish()
    const browser = authBrowser(harness.app)
    const { body } = await browser.ask('GET', 'csrf')
    const csrfToken = String(Reflect.get(Object(body), 'csrfToken'))
    const start = () => browser.ask('POST', 'signin/oidc', { csrfToken, json: 'true' })
    const answers = await Promise.all(Array.from({ length: 6 }, start))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 200, 200, 200, 200, 429])
    const refused = answers.find(({ status }) => status === 429)
    expect(refused && urlOf(refused)).toBe(`${home()}/sign-in?error=TooMany`)
    expect(refused?.headers.get('retry-after')).toBe('1')
    expect((await authBrowser(harness.app).beginAsMerchant()).status).toBe(200)
  })

  test('callbacks from it, which redirect to a page instead of JSON', async () => {
    const browser = authBrowser(harness.app)
    const back = () => browser.ask('GET', 'callback/oidc?code=made-up&state=made-up')
    const answers = await Promise.all(Array.from({ length: 6 }, back))
    const leads = answers.map(({ headers }) => headers.get('location')).toSorted()
    expect(leads.filter((to) => to === `${home()}/sign-in?error=TooMany`)).toHaveLength(1)
  })

  test.each(['csrf', 'session', 'providers', '_log', 'garbage'])('everything else: %s', async (path) => {
    const browser = authBrowser(harness.app)
    const answers = await Promise.all(Array.from({ length: 21 }, () => browser.ask(path === '_log' ? 'POST' : 'GET', path)))
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(1)
  })
})

test("next-auth's log takes no lines from visitors", async () => {
  const browser = authBrowser(harness.app)
  for (const method of ['POST', 'GET']) {
    const { status, body } = await browser.ask(method, '_log', { code: 'made-up', level: 'error' })
    expect([status, body]).toEqual([404, { error: 'there is no such path', url: expect.any(String) }])
  }
})

describe('the identity provider', () => {
  test('gets one request for its endpoints in ten minutes, for any number of sign-ins', async () => {
    publish()
    now = new Date(now.getTime() + 600_001)
    const before = discoveries()
    for (const _ of [1, 2, 3]) {
      const browser = authBrowser(harness.app)
      expect(urlOf(await browser.beginAsMerchant())).toMatch(
        new RegExp(`^${issuer.url}/authorize\\?client_id=quittance&.*code_challenge`),
      )
      await browser.ask('GET', 'callback/oidc?code=made-up&state=made-up')
    }
    expect(discoveries() - before).toBe(1)
    now = new Date(now.getTime() + 600_001)
    await authBrowser(harness.app).beginAsMerchant()
    expect(discoveries() - before).toBe(2)
  })

  test.each([{ status: 500 }, { body: '{}' }, { body: '<html>' }])(
    'that answers %j gets one request in five seconds, and the page says that it is unreachable',
    async (how) => {
      issuer.answer(how, DISCOVERY)
      now = new Date(now.getTime() + 600_001)
      const before = discoveries()
      for (const _ of [1, 2, 3]) {
        const answer = await authBrowser(harness.app).beginAsMerchant()
        expect([answer.status, urlOf(answer)]).toEqual([502, `${home()}/sign-in?error=OAuthSignin`])
        const { headers } = await authBrowser(harness.app).ask('GET', 'callback/oidc?code=made-up&state=made-up')
        expect(headers.get('location')).toBe(`${home()}/sign-in?error=OAuthSignin`)
      }
      expect(discoveries() - before).toBe(1)
      publish()
      now = new Date(now.getTime() + 5_001)
      expect((await authBrowser(harness.app).beginAsMerchant()).status).toBe(200)
    },
  )

  test('gets the client authentication method that it supports', async () => {
    for (const [methods, sent] of [
      [undefined, false],
      [['client_secret_basic', 'client_secret_post'], false],
      [['client_secret_post'], true],
    ] as const) {
      publish(methods ? [...methods] : undefined)
      now = new Date(now.getTime() + 600_001)
      const browser = authBrowser(harness.app)
      const state = new URL(urlOf(await browser.beginAsMerchant())).searchParams.get('state')
      issuer.bodies.length = 0
      await browser.ask('GET', `callback/oidc?code=made-up&state=${state}`)
      expect([methods, issuer.bodies.map((body) => body.includes('client_secret='))]).toEqual([methods, [sent]])
    }
  })
})
