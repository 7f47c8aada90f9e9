import { expect, type Page } from '@playwright/test'
import { signInAsMerchant } from './accounts'
import { test } from './journey'
import { service } from './test-service'

/** Whether an injected script ran. */
const runs = (page: Page, write: () => void): Promise<boolean> =>
  page.evaluate(write).then(() => page.evaluate(() => Reflect.has(globalThis, 'written')))

test('an injected script does not run, and the browser reports the violation', async ({ page, refusedByPolicy }) => {
  await signInAsMerchant(page)
  const attempts = [
    () => document.body.insertAdjacentHTML('beforeend', '<img src="data:," onerror="globalThis.written = 1">'),
    () => {
      const link = document.createElement('a')
      link.href = 'javascript:void (globalThis.written = 1)'
      document.body.append(link)
      link.click()
    },
    () => void setTimeout('globalThis.written = 1'),
  ]
  for (const [index, attempt] of attempts.entries()) {
    expect(await runs(page, attempt)).toBe(false)
    await expect.poll(() => refusedByPolicy.length).toBe(index + 1)
  }
  refusedByPolicy.length = 0
})

test('a page sends nothing to other sites and cannot be framed', async ({ page, refusedByPolicy }) => {
  await page.goto(`${service().baseUrl}/sign-in`)
  const sent = await page.evaluate(() => fetch('http://127.0.0.1:9/', { mode: 'no-cors' }).then(String, ({ name }) => name))
  expect(sent).toBe('TypeError')
  await expect.poll(() => refusedByPolicy.length).toBeGreaterThan(0)
  refusedByPolicy.length = 0
  await page.goto('about:blank')
  await page.setContent(`<iframe src="${service().baseUrl}/sign-in"></iframe>`)
  await expect.poll(() => page.frames().map((frame) => frame.url())).toContain('chrome-error://chromewebdata/')
  refusedByPolicy.length = 0
})

test('every page has a unique nonce on each of its scripts', async ({ request }) => {
  const nonces = new Set<string>()
  const paths = ['/home', '/docs', '/docs/quickstart', '/sign-in', '/dashboard', '/catalog', '/no-such-page']
  // Twice: the second answer of a kept page has a nonce of its own too.
  for (const path of [...paths, ...paths]) {
    const answer = await request.get(`${service().baseUrl}${path}`, { headers: { accept: 'text/html' } })
    const [, nonce = ''] =
      /script-src 'nonce-([^']+)' 'strict-dynamic';/.exec(answer.headers()['content-security-policy'] ?? '') ?? []
    const scripts = (await answer.text()).match(/<script\b[^>]*>/g) ?? []
    expect(scripts.length, path).toBeGreaterThan(0)
    for (const script of scripts) expect(script, path).toContain(`nonce="${nonce}"`)
    nonces.add(nonce)
  }
  expect(nonces.size).toBe(2 * paths.length)
})
