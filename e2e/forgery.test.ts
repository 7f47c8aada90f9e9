import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type APIRequestContext, expect, type Page } from '@playwright/test'
import { encode } from 'next-auth/jwt'
import { generatePrivateKey } from 'viem/accounts'
import { newUser, signInAsMerchant, signInWithWallet } from './accounts'
import { test } from './journey'
import { service } from './test-service'
import { ETHEREUM, giveEthereumWallet } from './wallets'

const MAKE_KEY = '/api/trpc/keys.create'

const post = (page: Page, headers: Record<string, string>) =>
  page.request.post(`${service().baseUrl}${MAKE_KEY}`, { data: { name: 'forged' }, headers })

async function keysOf(page: Page): Promise<number> {
  const answer = await page.request.get(`${service().baseUrl}/api/trpc/keys.list`)
  return (await answer.json()).result.data.keys.length
}

test('a mutation from another origin is refused', async ({ page }) => {
  await signInAsMerchant(page)
  const own = { origin: service().baseUrl, 'content-type': 'application/json' }
  const refused: Record<string, string>[] = [
    { 'content-type': 'application/json' },
    { ...own, origin: 'https://elsewhere.example' },
    { ...own, origin: 'null' },
    { ...own, origin: `${service().baseUrl}.elsewhere.example` },
    { ...own, origin: 'http://localhost:1' },
    { ...own, 'content-type': 'text/plain' },
  ]
  for (const headers of refused) expect((await post(page, headers)).status()).toBe(403)
  expect(await keysOf(page)).toBe(0)
  expect((await post(page, own)).status()).toBe(200)
  expect(await keysOf(page)).toBe(1)
})

test('another website cannot mutate through a signed-in browser', async ({ page, context }) => {
  await signInAsMerchant(page)
  const cookies = await context.cookies(service().baseUrl)
  expect(cookies).toContainEqual(expect.objectContaining({ name: 'quittance.session', httpOnly: true, sameSite: 'Lax' }))
  const otherSite = createServer((_, response) => response.setHeader('content-type', 'text/html').end('<h1>Another site</h1>'))
  await once(otherSite.listen(0), 'listening')
  try {
    // Same site at another port: the browser sends the cookie.
    await page.goto(`http://localhost:${(otherSite.address() as AddressInfo).port}/`)
    const answered = page.waitForEvent('requestfailed', (request) => request.url().endsWith(MAKE_KEY))
    await page.evaluate(async (url) => {
      const forged = { method: 'POST', credentials: 'include', body: JSON.stringify({ name: 'forged' }) } as const
      await fetch(url, { ...forged, mode: 'no-cors' }).catch(() => {})
    }, `${service().baseUrl}${MAKE_KEY}`)
    // The browser blocks the response for that page.
    expect((await answered).failure()?.errorText).toContain('ERR_BLOCKED_BY_RESPONSE')
  } finally {
    otherSite.close()
    otherSite.closeAllConnections()
  }
  expect(await keysOf(page)).toBe(0)
})

test('a forged cookie opens nothing', async ({ page, context }) => {
  const principal = { kind: 'merchant', id: newUser(), admin: true, name: 'Mallory' }
  const value = await encode({ token: { sub: principal.id, principal }, secret: 'another secret than that of the service' })
  await context.addCookies([{ name: 'quittance.session', value, url: service().baseUrl }])
  for (const procedure of ['keys.list', 'merchant.listings?input=%7B%22offset%22%3A0%7D', 'admin.tenants?input=%7B%7D']) {
    expect((await page.request.get(`${service().baseUrl}/api/trpc/${procedure}`)).status()).toBe(401)
  }
  expect((await page.request.get(`${service().baseUrl}/api/export?reader=merchant&format=csv`)).status()).toBe(401)
  await page.goto(`${service().baseUrl}/dashboard/settlements?status=failed`)
  await page.waitForURL((url) => url.pathname === '/sign-in')
  expect(new URL(page.url()).searchParams.get('to')).toBe('/dashboard/settlements?status=failed')
})

test('a cross-site form cannot sign anyone in', async ({ page }) => {
  const form = { key: service().adminKey, csrfToken: 'made up', callbackUrl: service().baseUrl, json: 'true' }
  await page.request.post(`${service().baseUrl}/api/auth/callback/admin`, { form })
  const { result } = await (await page.request.get(`${service().baseUrl}/api/trpc/session.get`)).json()
  expect(result.data.who).toBeNull()
})

test('a captured sign-in message signs in no other browser, and no one after the sign-out', async ({ page, browser }) => {
  await giveEthereumWallet(page, generatePrivateKey())
  const sent = page.waitForRequest((request) => request.url().endsWith('/api/auth/callback/wallet'))
  await signInWithWallet(page, ETHEREUM, '/payments')
  const { message = '', signature = '' } = Object.fromEntries(new URLSearchParams((await sent).postData() ?? ''))
  const other = await browser.newContext()
  const replayed = async ({ request }: { request: APIRequestContext }) => {
    const { csrfToken } = await (await request.get(`${service().baseUrl}/api/auth/csrf`)).json()
    const form = { message, signature, csrfToken, json: 'true', callbackUrl: service().baseUrl }
    const answer = await request.post(`${service().baseUrl}/api/auth/callback/wallet`, { form })
    const session = await (await request.get(`${service().baseUrl}/api/trpc/session.get`)).json()
    return [answer.status(), session.result.data.who?.kind ?? null, decodeURIComponent((await answer.json()).url)]
  }
  expect(await replayed(other)).toEqual([401, null, expect.stringContaining('signed for another browser')])
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.waitForURL(({ pathname }) => pathname === '/home')
  expect(await replayed(page)).toEqual([401, null, expect.stringContaining('its session was signed out')])
  await other.close()
})
