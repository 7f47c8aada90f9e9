import { expect } from '@playwright/test'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { goTo, newKey, signInAsMerchant, signInWithKey } from './accounts'
import { test } from './journey'
import { buy, giveUsdc, settleByHand } from './merchant'
import { service } from './test-service'

test("a paid resource is in its merchant's listings and in the catalog, where visitors find it by its words", async ({
  page,
  browser,
}) => {
  await signInAsMerchant(page)
  await goTo(page, 'Listings')
  await expect(page.getByRole('heading', { name: 'No test listings yet' })).toBeVisible()
  const url = await newKey(page, 'listed')
  await buy(url)
  await goTo(page, 'Listings')
  const listing = page.getByRole('main').getByRole('listitem').filter({ hasText: '/weather' })
  // The catalog updates some time after the settlement.
  await expect(async () => {
    await page.reload()
    await expect(page.getByText('1 listing', { exact: true })).toBeVisible({ timeout: 1_000 })
  }).toPass()
  const resource = await listing.getByRole('link').getAttribute('title')

  const visitor = await browser.newPage()
  await visitor.goto(`${service().baseUrl}/catalog?environment=testnet`)
  await visitor.getByRole('searchbox', { name: 'Search the catalog' }).fill('weather today')
  await visitor.getByRole('button', { name: 'Search' }).click()
  await visitor.waitForURL((url) => url.searchParams.get('query') === 'weather today')
  const table = visitor.getByRole('table')
  await expect(table.getByRole('link', { name: '/weather' }).first()).toBeVisible()
  // Without a completed day there are no figures, and no columns for them.
  await expect(table.getByRole('columnheader')).toHaveText(['Resource', 'Price, USDC', 'Network', 'Last paid'])
  await visitor.getByRole('link', { name: 'Clear the search' }).click()
  await visitor.waitForURL((url) => !url.searchParams.has('query'))
  // The price is the most that the filter lets through.
  await visitor.getByRole('navigation', { name: 'Price up to' }).getByRole('link', { name: '0.001' }).click()
  await visitor.waitForURL((url) => url.searchParams.get('price') === '0.001')
  await expect(table.getByRole('link', { name: '/weather' }).first()).toBeVisible()
  await visitor.getByRole('navigation', { name: 'Network' }).getByRole('link', { name: 'Solana devnet' }).click()
  await visitor.waitForURL((url) => url.searchParams.has('network') && url.searchParams.get('price') === '0.001')
  await visitor.goto(`${service().baseUrl}${await listing.getByRole('link').getAttribute('href')}`)
  await expect(visitor.getByRole('main')).toContainText(resource ?? '')
  const rail = visitor.getByRole('region', { name: 'How to pay' })
  await expect(rail).toContainText('0.001 USDC a call')
  await expect(rail.getByRole('link', { name: /^View recipient 0x\w{40} on BaseScan$/ })).toBeVisible()
  // An old address of the same API leads to it.
  const gone = new URLSearchParams({ environment: 'testnet', url: `${resource}/gone` })
  expect((await visitor.goto(`${service().baseUrl}/catalog/resource?${gone}`))?.status()).toBe(404)
  await visitor.screenshot({ path: `${test.info().outputPath('near')}.png`, fullPage: true })
  const near = visitor.getByRole('region', { name: 'Similar resources' }).getByRole('link')
  await expect(near.filter({ hasText: '/weather' }).first()).toBeVisible()
  await visitor.goBack()
  await visitor.setViewportSize({ width: 390, height: 844 })
  const fits = () => visitor.evaluate(() => document.documentElement.scrollWidth <= innerWidth)
  expect(await fits()).toBe(true)
  await visitor.goto(`${service().baseUrl}/catalog?environment=testnet`)
  expect(await fits()).toBe(true)
  // A phone keeps what is chosen in sight, and reaches the plans.
  await visitor.getByText('Filters', { exact: true }).click()
  await visitor.getByRole('navigation', { name: 'Network' }).getByRole('link', { name: 'Solana devnet' }).click()
  await visitor.waitForURL((url) => url.searchParams.has('network'))
  await expect(visitor.locator('summary')).toHaveText('Solana devnet')
  await expect(visitor.getByRole('navigation', { name: 'Footer' }).getByRole('link', { name: 'Plans' })).toBeVisible()
  await visitor.close()
})

test('the choices of the catalog close on Escape and on a press outside', { tag: '@long' }, async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto(`${service().baseUrl}/catalog?environment=testnet`)
  const summary = page.getByText('Filters', { exact: true })
  const choices = page.getByRole('navigation', { name: 'Network' })
  await summary.click()
  await expect(choices).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(choices).toBeHidden()
  await page.keyboard.press('Enter')
  await expect(choices).toBeVisible()
  await page.getByRole('heading', { level: 1 }).click()
  await expect(choices).toBeHidden()
})

test('a link to a resource that is not listed says so in the middle of a page, with a search, and leads to the catalog', {
  tag: '@long',
}, async ({ page }) => {
  const query = new URLSearchParams({ environment: 'testnet', url: 'https://gone.example/weather' })
  const answer = await page.goto(`${service().baseUrl}/catalog/resource?${query}`)
  expect(answer?.status()).toBe(404)
  const heading = page.getByRole('heading', { name: 'This resource is not listed' })
  await expect(heading).toBeVisible()
  // It keeps its distance from the bar, and the footer stands below all.
  const [bar, title, footer] = await Promise.all(
    [page.getByRole('banner'), heading, page.getByRole('contentinfo')].map((part) => part.boundingBox()),
  )
  expect((title?.y ?? 0) - (bar?.y ?? 0) - (bar?.height ?? 0)).toBeGreaterThan(40)
  expect(footer?.y).toBeGreaterThan(500)
  await expect(page.getByRole('searchbox', { name: 'Search the catalog' })).toHaveValue('gone.example')
  await page.getByRole('link', { name: 'Open the catalog' }).click()
  await page.waitForURL(({ pathname }) => pathname === '/catalog')
})

test('a paid route without the discovery extension is named to its merchant, with the reason and a program', {
  tag: '@long',
}, async ({ page }) => {
  const url = await signInWithKey(page, 'unlisted')
  const payer = generatePrivateKey()
  await giveUsdc(privateKeyToAddress(payer), 1_000n)
  expect(await settleByHand(url, payer)).toMatchObject({ success: true })
  await goTo(page, 'Listings')
  const missing = page.getByRole('region', { name: 'Paid, but not listed' })
  await expect(missing).toContainText('merchant.test/weather')
  await expect(missing).toContainText('The payment has no extensions')
  await expect(
    missing.getByRole('figure').filter({ hasText: 'Discovery extension' }).getByRole('button', { name: 'Copy' }),
  ).toBeVisible()
  await missing.getByRole('button', { name: 'Show corrected declaration' }).click()
  await expect(missing).toContainText('"bazaar"')
})
