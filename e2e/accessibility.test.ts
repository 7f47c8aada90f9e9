import { AxeBuilder } from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'
import { generatePrivateKey } from 'viem/accounts'
import { casesOf } from '../test/support/long-run'
import { newUser, openKey, openTenant, signInAsAdmin, signInAsMerchant, signInWithKey, signInWithWallet } from './accounts'
import { addChannels, addSettlements } from './database'
import { test } from './journey'
import { buy, sandboxUrl } from './merchant'
import { payOnHome } from './playground'
import { sharedReceipt } from './receipts'
import { rowOf, rowsOf } from './rows'
import { service } from './test-service'
import { ETHEREUM, giveEthereumWallet } from './wallets'

// axe checks every element many times.
test.slow()

/** The themes differ in colors only, and all screens have the same ones: most are checked in one. */
type Theme = 'light' | 'dark'
const PHONE = { width: 390, height: 844 }
const DESK = { width: 1440, height: 900 }

// The other pages of the documentation have the same parts.
const PUBLIC = casesOf(
  ['/docs/quickstart', '/sign-in', '/catalog?environment=testnet'],
  [
    '/home',
    '/explain',
    '/status',
    '/docs',
    '/docs/errors',
    '/docs/networks',
    '/docs/api',
    '/docs/api/payments',
    '/docs/api/objects',
    `/no-such-page/${'longer-than-a-phone-is-wide'.repeat(3)}`,
    `/r/${'x'.repeat(22)}`,
  ],
)
for (const path of PUBLIC) {
  test(`the public page ${path} passes axe and fits a phone`, { tag: '@long' }, async ({ page }) => {
    expect(await violationsAt(page, path)).toEqual([])
  })
}

test('targets of the console are large enough, and landmarks of the docs have names of their own', { tag: '@long' }, async ({
  page,
  browser,
}) => {
  const merchant = await browser.newPage()
  const user = newUser()
  await signInWithKey(merchant, 'accessibility', user)
  await addSettlements(user, 20)
  await merchant.close()
  await signInAsAdmin(page)
  const rules = ['target-size', 'landmark-unique', 'landmark-complementary-is-top-level', 'region']
  for (const path of [`/console/history?owner=${user}`, '/console/tenants', '/docs/webhooks', '/docs/api/payments']) {
    await page.goto(`${service().baseUrl}${path}`)
    if (path.startsWith('/console')) await page.locator('tbody td button').first().waitFor()
    const { violations } = await new AxeBuilder({ page }).setLegacyMode().withRules(rules).analyze()
    expect(violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${path} ${id}: ${html}`))).toEqual([])
  }
})

test('the home page passes axe and fits a phone after a payment, with a step open', { tag: '@long' }, async ({ page }) => {
  await payOnHome(page)
  await page.locator('summary').first().click()
  expect([...(await violationsOn(page, 'light')), ...(await tooWideOn(page))]).toEqual([])
})

test("a new merchant's screens pass axe", { tag: '@long' }, async ({ page }) => {
  await signInAsMerchant(page)
  for (const path of casesOf(['/dashboard', '/dashboard/settlements'], ['/dashboard/start', '/console/tenants'])) {
    expect(await violationsAt(page, path)).toEqual([])
  }
})

test("a merchant's screens pass axe, with settlements, a drawer, a calendar, the palette and the shortcuts", {
  tag: '@long',
}, async ({ page }) => {
  const user = newUser()
  const transaction = await buy(await signInWithKey(page, 'accessibility', user))
  await addChannels(user, 3)
  const screens = ['', '/settlements', '/channels', '/keys', '/webhooks', '/listings', '/start']
  for (const screen of screens) expect(await violationsAt(page, `/dashboard${screen}`, 'dark')).toEqual([])
  expect(await violationsAt(page, await openKey(page), 'dark')).toEqual([])
  await page.goto(`${service().baseUrl}/dashboard/channels?environment=testnet`)
  await page.getByRole('table', { name: 'Channels' }).getByText('Closed').first().click()
  await page.getByRole('region', { name: 'Timeline' }).waitFor()
  expect(await violationsOn(page, 'dark')).toEqual([])
  await page.keyboard.press('Escape')
  await page.goto(`${service().baseUrl}/dashboard/settlements`)
  await rowOf(page, transaction).getByRole('link').first().click()
  await page.getByRole('region', { name: 'Timeline' }).waitFor()
  expect(await violationsOn(page, 'dark')).toEqual([])
  await page.keyboard.press('Escape')
  await page.goto(`${service().baseUrl}/dashboard/settlements?from=2026-11-01T00:00:00Z`)
  await page.getByRole('button', { name: 'Calendar: first day' }).click()
  await page.getByRole('dialog', { name: 'First day' }).getByRole('grid').waitFor()
  expect(await violationsOn(page, 'dark')).toEqual([])
  await page.keyboard.press('Escape')
  for (const [key, part] of [
    ['Control+k', page.getByRole('combobox', { name: /^Go to/ })],
    ['?', page.getByRole('checkbox', { name: /^Use letter/ })],
  ] as const) {
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await page.keyboard.press(key)
    await part.waitFor()
    expect(await violationsOn(page, 'dark')).toEqual([])
    await page.keyboard.press('Escape')
  }
})

test("a wallet's screens pass axe, with a payment and its receipt", { tag: '@long' }, async ({ page }) => {
  const key = generatePrivateKey()
  await buy(sandboxUrl(), key)
  await giveEthereumWallet(page, key)
  await signInWithWallet(page, ETHEREUM, '/payments')
  for (const path of casesOf(['/payments', '/agent'], ['/agent/settlements'])) {
    expect(await violationsAt(page, path, 'dark')).toEqual([])
  }
  await page.goto(`${service().baseUrl}/payments`)
  await rowsOf(page).getByRole('link').first().click()
  const receipt = await page.getByRole('link', { name: 'View receipt' }).getAttribute('href')
  expect(await violationsAt(page, receipt ?? '', 'light')).toEqual([])
})

test('a shared receipt passes axe', { tag: '@long' }, async ({ page }) => {
  const path = await sharedReceipt(page)
  for (const theme of ['light', 'dark'] as const) expect(await violationsAt(page, path, theme)).toEqual([])
})

test('the console passes axe', { tag: '@long' }, async ({ page, browser }) => {
  const user = newUser()
  const merchant = await browser.newPage()
  await buy(await signInWithKey(merchant, 'accessibility', user))
  await merchant.close()
  await signInAsAdmin(page)
  const tenant = await openTenant(page, user)
  for (const theme of ['light', 'dark'] as const) expect(await violationsAt(page, tenant, theme)).toEqual([])
  for (const screen of casesOf(['', '/tenants', '/networks', '/incidents'], ['/history'])) {
    expect(await violationsAt(page, `/console${screen}`)).toEqual([])
  }
})

async function violationsAt(page: Page, path: string, theme: Theme = 'light'): Promise<string[]> {
  await page.goto(`${service().baseUrl}${path}`)
  await page.getByRole('heading', { level: 1 }).waitFor()
  await expect(page.getByText('This page could not be loaded')).toHaveCount(0)
  // Waits until the skeletons are replaced.
  await expect(page.locator('.pulse')).toHaveCount(0)
  return [...(await violationsOn(page, theme)), ...(await tooWideOn(page))]
}

async function tooWideOn(page: Page): Promise<string[]> {
  await page.setViewportSize(PHONE)
  const wide = await page.evaluate(tooWide)
  await page.setViewportSize(DESK)
  return wide.map((what) => `${page.url()} is wider than a phone: ${what}`)
}

/** The elements that scroll sideways on a phone, except code blocks, their tabs, and rows of filters or receipts. Runs in the browser. */
function tooWide(): string[] {
  const isWide = ({ scrollWidth, clientWidth }: Element) => scrollWidth > clientWidth
  const scrolls = (one: Element) => ['auto', 'scroll'].includes(getComputedStyle(one).overflowX)
  const parts = [...document.querySelectorAll('.app main *')].filter(
    (one) => isWide(one) && scrolls(one) && !one.matches('pre, search div, [role=tablist], .snap-x'),
  )
  const { documentElement: whole } = document
  return [...(isWide(whole) ? [whole] : []), ...parts].map((one) => `<${one.tagName.toLowerCase()} class="${one.className}">`)
}

/** The serious and critical axe violations of the page, one line for each element; in a long run also of the other theme's colors. */
async function violationsOn(page: Page, theme: Theme): Promise<string[]> {
  await page.emulateMedia({ colorScheme: theme })
  const found = await severeOf(page)
  for (const other of casesOf<Theme>([], [theme === 'light' ? 'dark' : 'light'])) {
    await page.emulateMedia({ colorScheme: other })
    found.push(...(await severeOf(page, ['color-contrast'])))
  }
  return found
}

async function severeOf(page: Page, rules?: string[]): Promise<string[]> {
  // axe.run in the page itself: else each look opens another page to sum up, as if our pages had frames.
  const axe = new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ['violations'] })
  const { violations } = await (rules ? axe.withRules(rules) : axe).analyze()
  const severe = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')
  return severe.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${page.url()} ${id}: ${html}`))
}
