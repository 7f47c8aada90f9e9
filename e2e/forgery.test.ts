import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, type Page } from '@playwright/test'
import { encode } from 'next-auth/jwt'
import { test } from './journey'
import { newUser, signInAsMerchant } from './people'
import { place } from './place'

const MAKE_KEY = '/api/trpc/keys.create'

const post = (page: Page, headers: Record<string, string>) =>
  page.request.post(`${place().baseUrl}${MAKE_KEY}`, { data: { name: 'forged' }, headers })

async function keysOf(page: Page): Promise<number> {
  const answer = await page.request.get(`${place().baseUrl}/api/trpc/keys.list`)
  return (await answer.json()).result.data.keys.length
}

test('a change that does not come from a page of the service is refused, whoever is signed in', async ({ page }) => {
  await signInAsMerchant(page)
  const own = { origin: place().baseUrl, 'content-type': 'application/json' }
  const refused: Record<string, string>[] = [
    { 'content-type': 'application/json' },
    { ...own, origin: 'https://elsewhere.example' },
    { ...own, origin: 'null' },
    { ...own, origin: `${place().baseUrl}.elsewhere.example` },
    { ...own, origin: 'http://localhost:1' },
    { ...own, 'content-type': 'text/plain' },
  ]
  for (const headers of refused) expect((await post(page, headers)).status()).toBe(403)
  expect(await keysOf(page)).toBe(0)
  expect((await post(page, own)).status()).toBe(200)
  expect(await keysOf(page)).toBe(1)
})

test('another website changes nothing through the browser of somebody who is signed in', async ({ page, context }) => {
  await signInAsMerchant(page)
  const cookies = await context.cookies(place().baseUrl)
  expect(cookies).toContainEqual(expect.objectContaining({ name: 'quittance.session', httpOnly: true, sameSite: 'Lax' }))
  const neighbour = createServer((_, response) => response.setHeader('content-type', 'text/html').end('<h1>A neighbour</h1>'))
  await once(neighbour.listen(0), 'listening')
  try {
    // The same host at another port: the browser sends the cookie along, as it does to a sibling of our domain.
    await page.goto(`http://localhost:${(neighbour.address() as AddressInfo).port}/`)
    const answered = page.waitForEvent('requestfailed', (request) => request.url().endsWith(MAKE_KEY))
    await page.evaluate(async (url) => {
      const forged = { method: 'POST', credentials: 'include', body: JSON.stringify({ name: 'forged' }) } as const
      await fetch(url, { ...forged, mode: 'no-cors' }).catch(() => {})
    }, `${place().baseUrl}${MAKE_KEY}`)
    // There was an answer, and the browser keeps it from that page: it is for pages of the service alone.
    expect((await answered).failure()?.errorText).toContain('ERR_BLOCKED_BY_RESPONSE')
  } finally {
    neighbour.close()
    neighbour.closeAllConnections()
  }
  expect(await keysOf(page)).toBe(0)
})

test('a cookie that the service did not make opens nothing', async ({ page, context }) => {
  const principal = { kind: 'merchant', id: newUser(), admin: true, name: 'Mallory' }
  const value = await encode({ token: { sub: principal.id, principal }, secret: 'another secret than that of the service' })
  await context.addCookies([{ name: 'quittance.session', value, url: place().baseUrl }])
  for (const procedure of ['keys.list', 'merchant.analytics?input=%7B%22days%22%3A7%7D', 'admin.tenants?input=%7B%7D']) {
    expect((await page.request.get(`${place().baseUrl}/api/trpc/${procedure}`)).status()).toBe(401)
  }
  expect((await page.request.get(`${place().baseUrl}/api/export?reader=merchant&format=csv`)).status()).toBe(401)
  await page.goto(`${place().baseUrl}/dashboard/settlements?status=failed`)
  await page.waitForURL((url) => url.pathname === '/sign-in')
  expect(new URL(page.url()).searchParams.get('to')).toBe('/dashboard/settlements?status=failed')
})

test('nobody is signed in by a form that another website sends', async ({ page }) => {
  const form = { key: place().adminKey, csrfToken: 'made up', callbackUrl: place().baseUrl, json: 'true' }
  await page.request.post(`${place().baseUrl}/api/auth/callback/admin`, { form })
  const { result } = await (await page.request.get(`${place().baseUrl}/api/trpc/session.get`)).json()
  expect(result.data.who).toBeNull()
})
