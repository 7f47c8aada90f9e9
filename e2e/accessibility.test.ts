import { AxeBuilder } from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'
import { generatePrivateKey } from 'viem/accounts'
import { test } from './journey'
import { makeKey, signInAsAdmin, signInAsMerchant, signInWithWallet } from './people'
import { place } from './place'
import { payOnHome } from './playground'
import { rowOf, rowsOf } from './rows'
import { buy, sandboxUrl } from './shop'
import { ETHEREUM, giveEthereumWallet } from './wallets'

// A trace keeps every state of the page, and the reference is a very long one.
test.use({ trace: 'off' })
// axe looks at every element many times.
test.slow()

const PHONE = { width: 390, height: 844 }
const DESK = { width: 1440, height: 900 }

for (const path of ['/home', '/docs', '/sign-in', '/catalog?environment=testnet']) {
  test(`everybody may see ${path}, which has no barrier that axe finds in either theme, and fits a phone`, async ({ page }) => {
    expect(await barriersAt(page, path)).toEqual([])
  })
}

test('nor has the home page once a payment was tried, with a step unfolded', async ({ page }) => {
  await payOnHome(page)
  await page.locator('summary').first().click()
  expect(await barriersOn(page)).toEqual([])
})

test("a merchant's pages have none either, with settlements on them, a drawer, the palette and its keys", async ({ page }) => {
  await signInAsMerchant(page)
  const transaction = await buy(await makeKey(page, 'for everybody'))
  const screens = ['', '/settlements', '/keys', '/webhooks', '/listings', '/start']
  for (const screen of screens) expect(await barriersAt(page, `/dashboard${screen}`)).toEqual([])
  await page.goto(`${place().baseUrl}/dashboard/settlements`)
  await rowOf(page, transaction).getByRole('button').first().click()
  await page.getByRole('region', { name: 'Lifecycle' }).waitFor()
  expect(await barriersOn(page)).toEqual([])
  await page.keyboard.press('Escape')
  for (const [key, part] of [
    ['Control+k', page.getByRole('combobox', { name: /^Go to/ })],
    ['?', page.getByRole('checkbox', { name: /^Single letters/ })],
  ] as const) {
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await page.keyboard.press(key)
    await part.waitFor()
    expect(await barriersOn(page)).toEqual([])
    await page.keyboard.press('Escape')
  }
})

test("nor have a wallet's pages, with a payment and its receipt", async ({ page }) => {
  const key = generatePrivateKey()
  await buy(sandboxUrl(), key)
  await giveEthereumWallet(page, key)
  await signInWithWallet(page, ETHEREUM, '/payments')
  for (const path of ['/payments', '/agent', '/agent/settlements']) expect(await barriersAt(page, path)).toEqual([])
  await page.goto(`${place().baseUrl}/payments`)
  await rowsOf(page).getByRole('button').first().click()
  const receipt = await page.getByRole('link', { name: 'Receipt' }).getAttribute('href')
  expect(await barriersAt(page, receipt ?? '')).toEqual([])
})

test("nor has the administrator's console", async ({ page }) => {
  await signInAsAdmin(page)
  for (const screen of ['', '/history', '/tenants', '/networks']) expect(await barriersAt(page, `/console${screen}`)).toEqual([])
})

async function barriersAt(page: Page, path: string): Promise<string[]> {
  await page.goto(`${place().baseUrl}${path}`)
  await page.getByRole('heading', { level: 1 }).waitFor()
  // Skeletons are on their way out once nothing is asked for any more; they are not what is judged.
  await expect(page.locator('.pulse')).toHaveCount(0)
  const found = await barriersOn(page)
  await page.setViewportSize(PHONE)
  const wide = await page.evaluate(tooWide)
  await page.setViewportSize(DESK)
  return [...found, ...wide.map((what) => `${path} is wider than a phone: ${what}`)]
}

/** What a phone would scroll sideways: the page itself, or a part of a signed-in one that is no program, whose lines may be long. Runs in the browser. */
function tooWide(): string[] {
  const isWide = ({ scrollWidth, clientWidth }: Element) => scrollWidth > clientWidth
  const scrolls = (one: Element) => ['auto', 'scroll'].includes(getComputedStyle(one).overflowX)
  const parts = [...document.querySelectorAll('.app main *')].filter((one) => isWide(one) && scrolls(one) && !one.matches('pre'))
  const { documentElement: whole } = document
  return [...(isWide(whole) ? [whole] : []), ...parts].map((one) => `<${one.tagName.toLowerCase()} class="${one.className}">`)
}

/** What axe holds for serious or critical on the page as it stands, one line for each place. */
async function barriersOn(page: Page): Promise<string[]> {
  await page.emulateMedia({ colorScheme: 'light' })
  const found = await gravesOf(page, new AxeBuilder({ page }))
  // The other theme has other colours and nothing else.
  await page.emulateMedia({ colorScheme: 'dark' })
  return [...found, ...(await gravesOf(page, new AxeBuilder({ page }).withRules(['color-contrast'])))]
}

async function gravesOf(page: Page, axe: AxeBuilder): Promise<string[]> {
  const { violations } = await axe.analyze()
  const grave = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')
  return grave.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${page.url()} ${id}: ${html}`))
}
