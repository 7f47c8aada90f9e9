import { type Browser, type BrowserContext, expect } from '@playwright/test'
import { makeKey, nameNewKey, newUser, screenLink, signInAsMerchant } from './accounts'
import { addSettlements } from './database'
import { test } from './journey'
import { rowsOf } from './rows'
import { service } from './test-service'

/** Signs in as another merchant in another tab: tabs share cookies. */
async function signInElsewhere(browser: Browser, context: BrowserContext, user: string): Promise<void> {
  const elsewhere = await browser.newContext()
  await signInAsMerchant(await elsewhere.newPage(), user)
  await context.clearCookies()
  await context.addCookies(await elsewhere.cookies())
  await elsewhere.close()
}

test('a tab shows nothing of the account before once another tab signed in as another', async ({ page, context, browser }) => {
  const [alice, bob] = [newUser(), newUser()]
  await signInAsMerchant(page, alice)
  await makeKey(page, 'of alice')
  await addSettlements(alice, 5)
  await page.goto(`${service().baseUrl}/dashboard/settlements`)
  await expect(rowsOf(page).first()).toBeVisible()
  await signInElsewhere(browser, context, bob)
  // A browser without windows does not tell a tab that it is in front.
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange', { bubbles: true })))
  await expect(page.getByText(bob)).toBeVisible()
  await expect(page.getByText(alice)).toHaveCount(0)
  await expect(page.getByText('of alice')).toHaveCount(0)
  await expect(page.getByText('No test settlements yet')).toBeVisible()
})

test('a form that is open while another account signs in, in another tab, is not sent in its name', async ({
  page,
  context,
  browser,
}) => {
  const [alice, bob] = [newUser(), newUser()]
  await signInAsMerchant(page, alice)
  const create = await nameNewKey(page, 'of alice')
  await signInElsewhere(browser, context, bob)
  await create.click()
  await expect(page.getByText(bob)).toBeVisible()
  const { result } = await (await page.request.get(`${service().baseUrl}/api/trpc/keys.list`)).json()
  expect(result.data.keys).toEqual([])
})

test('a cookie of another program of the host breaks no screen', { tag: '@long' }, async ({ page, context }) => {
  await signInAsMerchant(page)
  const { hostname } = new URL(service().baseUrl)
  await context.addCookies(
    ['zone', 'environment', 'list-merchant'].map((name) => ({ name, value: '100%', domain: hostname, path: '/' })),
  )
  for (const screen of ['Settlements', 'Overview']) {
    await page.goto(`${service().baseUrl}/dashboard${screen === 'Overview' ? '' : '/settlements'}`)
    await expect(page.getByRole('heading', { name: screen, level: 1 })).toBeVisible()
    await expect(screenLink(page, 'Webhooks')).toBeVisible()
  }
})

test('a link to the list that is open keeps its pause', { tag: '@long' }, async ({ page }) => {
  const user = newUser()
  await signInAsMerchant(page, user)
  await makeKey(page, 'the shop')
  await addSettlements(user, 5)
  await page.goto(`${service().baseUrl}/dashboard/settlements?status=failed`)
  await page.getByRole('button', { name: /^Live updates on/ }).click()
  await expect(page.getByRole('button', { name: /^Paused/ })).toBeVisible()
  await screenLink(page, 'Settlements').click()
  await page.waitForURL((url) => url.search === '')
  // The fifth failed and has no transaction.
  await expect(rowsOf(page)).toHaveCount(4)
  await expect(page.getByRole('button', { name: /^Paused/ })).toBeVisible()
})
