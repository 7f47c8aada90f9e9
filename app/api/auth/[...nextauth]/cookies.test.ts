import type { NextApiRequest, NextApiResponse } from 'next'
import NextAuth from 'next-auth'
import { describe, expect, onTestFinished, test } from 'vitest'
import { announceOrigin } from '@/server/env'
import { ADMIN_KEY } from '@/test/harness'
import { startReading } from '@/test/history'
import { startIssuer } from '@/test/issuer'
import { authOptions } from './options'

const DISCOVERY = '/.well-known/openid-configuration'

type Cookie = { name: string; attributes: string[]; pair: string }

/** A browser that keeps cookies, at a service whose pages are reached at the address. */
async function browserAt(baseUrl: string) {
  const issuer = await startIssuer()
  const { url } = issuer
  const known = { issuer: url, authorization_endpoint: `${url}/authorize`, jwks_uri: `${url}/keys` }
  issuer.answer({ body: JSON.stringify(known), headers: { 'content-type': 'application/json' } }, DISCOVERY)
  const house = await startReading({
    ...{ BASE_URL: baseUrl, AUTH_SECRET: 'a secret of at least thirty-two letters' },
    ...{ OIDC_ISSUER: issuer.url, OIDC_CLIENT_ID: 'quittance', OIDC_CLIENT_SECRET: 'a secret of the provider' },
  })
  announceOrigin(baseUrl)
  onTestFinished(async () => {
    await house.close()
    await issuer.close()
  })
  const kept = new Map<string, Cookie>()

  async function ask(method: string, path: string, body: Record<string, string> = {}): Promise<unknown> {
    const cookies = Object.fromEntries(
      [...kept.values()].map(({ name, pair }) => [name, decodeURIComponent(pair.slice(name.length + 1))]),
    )
    const { response, answered } = answer()
    const headers = { 'x-quittance-client-ip': '127.0.0.1' }
    await NextAuth(
      asNextRequest({ method, headers, cookies, body, query: { nextauth: path.split('/') } }),
      response,
      authOptions(house.app),
    )
    for (const line of answered.cookies) {
      const [pair = '', ...attributes] = line.split('; ')
      const name = pair.slice(0, pair.indexOf('='))
      kept.set(name, { name, pair, attributes })
    }
    return answered.body
  }

  return { ask, cookies: () => [...kept.values()] }
}

// next-auth asks these few things of Next's objects.
const asNextRequest = (request: object) => request as NextApiRequest
function answer(): { response: NextApiResponse; answered: { cookies: string[]; body: unknown } } {
  const answered: { cookies: string[]; body: unknown } = { cookies: [], body: undefined }
  const told = (body: unknown) => {
    answered.body = body
  }
  const response = {
    status: () => response,
    getHeader: (name: string) => (name === 'Set-Cookie' ? answered.cookies : undefined),
    setHeader: (name: string, value: string[]) => {
      if (name === 'Set-Cookie') answered.cookies = value
      return response
    },
    json: told,
    send: told,
    end: () => {},
  }
  return { response: response as unknown as NextApiResponse, answered }
}

/** Signs in as the administrator, and begins to as a merchant. */
async function cookiesAt(baseUrl: string): Promise<Cookie[]> {
  const { ask, cookies } = await browserAt(baseUrl)
  const { csrfToken } = (await ask('GET', 'csrf')) as { csrfToken: string }
  await ask('POST', 'callback/admin', { csrfToken, key: ADMIN_KEY, json: 'true' })
  await ask('POST', 'signin/oidc', { csrfToken, json: 'true' })
  return cookies()
}

const words = ['session', 'csrf-token', 'callback-url', 'code_verifier', 'state', 'nonce']
const wordOf = ({ name }: Cookie) => words.find((word) => name.endsWith(word)) ?? name

describe('every cookie of the dashboard', () => {
  test('goes over https only, is read by no script, and is not sent along by other websites', async () => {
    const cookies = await cookiesAt('https://pay.example.com')
    expect(cookies.map(wordOf).sort()).toEqual(words.toSorted())
    for (const { name, attributes } of cookies) {
      expect(attributes, name).toEqual(expect.arrayContaining(['Path=/', 'Secure', 'HttpOnly', 'SameSite=Lax']))
      expect(attributes.join(), name).not.toContain('Domain')
      expect(name).toMatch(/^__(Host|Secure)-/)
    }
    expect(cookies.map(({ name }) => name)).toContain('__Host-quittance.session')
  })

  test('over http is kept by browsers all the same, and read by no script', async () => {
    const cookies = await cookiesAt('http://localhost:3000')
    expect(cookies.map(wordOf).sort()).toEqual(words.toSorted())
    for (const { name, attributes } of cookies) {
      expect(attributes, name).toEqual(expect.arrayContaining(['HttpOnly', 'SameSite=Lax']))
      expect(name).not.toMatch(/^__/)
    }
  })
})
