import { randomUUID } from 'node:crypto'
import { expect, type Locator, type Page } from '@playwright/test'
import { newSecretKey } from '../devnet/solana/keys'
import { signInAsAdmin, signInAsMerchant, signInWithKey, signInWithWallet } from './accounts'
import { test } from './journey'
import { buy } from './merchant'
import { rowOf, rowsOf } from './rows'
import { service } from './test-service'
import { giveSolanaWallet, SOLANA } from './wallets'

const heading = (page: Page, name: string): Locator => page.getByRole('heading', { name, level: 1 })

/** Opens the palette: again until it is there, because the server renders a page before its script hears keys. */
async function openPalette(page: Page): Promise<Locator> {
  const box = page.getByRole('combobox', { name: /^Go to/ })
  await expect(async () => {
    await page.keyboard.press('Control+k')
    await expect(box).toBeVisible({ timeout: 2_000 })
  }).toPass()
  return box
}

/** Opens the palette and types into it. */
async function search(page: Page, text: string): Promise<Locator> {
  const box = await openPalette(page)
  await box.fill(text)
  return box
}

/** Expects this option to be the active one, also for screen readers. */
async function expectActive(page: Page, box: Locator, name: string): Promise<void> {
  const active = page.getByRole('option', { selected: true })
  await expect(active).toContainText(name)
  await expect(box).toHaveAttribute('aria-activedescendant', (await active.getAttribute('id')) ?? 'none')
}

test('the palette opens screens and keys by name and runs actions', { tag: '@long' }, async ({ page }) => {
  await signInWithKey(page, 'the bookshop')
  await heading(page, 'Overview').waitFor()

  const box = await search(page, 'sett')
  await expectActive(page, box, 'Settlements')
  await page.keyboard.press('Enter')
  await expect(heading(page, 'Settlements')).toBeVisible()

  await search(page, 'book')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/dashboard\/keys\/[0-9a-f-]{36}/)
  await expect(heading(page, 'the bookshop')).toBeVisible()

  await search(page, 'nak')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog', { name: 'New key' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)

  await search(page, 'test payment')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/dashboard\/start\?.*step=payment/)
  await expect(page.getByRole('button', { name: 'Send a test payment' })).toBeVisible()

  // The best match comes first, before the order of sections.
  const best = await search(page, 'key')
  await expectActive(page, best, 'Keyboard shortcuts')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await search(page, 'theme')
  await page.keyboard.press('Enter')
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')

  await search(page, 'sign out')
  await page.keyboard.press('Enter')
  await page.waitForURL(({ pathname }) => pathname === '/home')
})

test('the palette finds a settlement, a resource and a page of the documentation, and shows first what was opened last', async ({
  page,
}) => {
  const transaction = await buy(await signInWithKey(page, 'searched'))
  await page.goto(`${service().baseUrl}/dashboard`)
  await heading(page, 'Overview').waitFor()
  const options = (section: string, name: RegExp) => page.getByRole('group', { name: section }).getByRole('option', { name })
  await openPalette(page)
  // Never a switch of the mode, one Enter away.
  await expect(page.getByRole('option').first()).toContainText('New API key')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await search(page, 'weather')
  await expect(options('Resources', /^\/weather/)).toBeVisible()
  await options('Settlements', /USDC.*Settled/)
    .first()
    .click()
  await expect(page.getByRole('dialog', { name: 'Settlement' })).toContainText(transaction.slice(0, 8))
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)

  await openPalette(page)
  await expect(page.getByRole('option').first()).toContainText(/USDC.*Settled/)
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await search(page, 'insufficient')
  await expect(options('Reasons', /^Insufficient funds/)).toBeVisible()
  await options('Documentation', /./).first().waitFor()
  const failed = page.getByRole('combobox', { name: /^Go to/ })
  await failed.fill('failed')
  await expectActive(page, failed, 'Failed settlements')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/dashboard\/settlements\?.*status=failed/)
  await search(page, 'explain')
  await page.keyboard.press('Enter')
  await expect(heading(page, 'Explain a payment')).toBeVisible()
})

test('arrow keys loop through the palette, and Escape restores the focus', { tag: '@long' }, async ({ page }) => {
  await signInAsMerchant(page)
  const opener = page.getByRole('button', { name: /go to/i })
  await opener.focus()
  await page.keyboard.press('Enter')
  const box = page.getByRole('combobox', { name: /^Go to/ })
  await expect(box).toBeFocused()
  const options = page.getByRole('listbox').getByRole('option')
  await expectActive(page, box, '')
  await page.keyboard.press('ArrowUp')
  await expect(options.last()).toHaveAttribute('aria-selected', 'true')
  await page.keyboard.press('ArrowDown')
  await expect(options.first()).toHaveAttribute('aria-selected', 'true')
  await box.fill('no such thing')
  await expect(options).toHaveCount(0)
  await expect(page.getByRole('status')).toContainText('No results')
  await page.keyboard.press('Escape')
  await expect(opener).toBeFocused()
})

test('a pasted transaction is found in the list of settlements', { tag: '@long' }, async ({ page }) => {
  const url = await signInWithKey(page, 'for a search')
  const transaction = await buy(url)
  await buy(url)
  await search(page, ` ${transaction} `)
  await page.keyboard.press('Enter')
  await expect(heading(page, 'Settlements')).toBeVisible()
  await expect(rowOf(page, transaction)).toBeVisible()
  await expect(rowsOf(page)).toHaveCount(1)
})

test('each shortcut that ? lists for settlements works', { tag: '@long' }, async ({ page }) => {
  const url = await signInWithKey(page, 'by hand')
  const [older, newer] = [await buy(url), await buy(url)]
  await page.keyboard.press('g')
  await page.keyboard.press('s')
  await expect(heading(page, 'Settlements')).toBeVisible()
  await expect(rowsOf(page)).toHaveCount(2)

  await page.keyboard.press('?')
  const keys = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  const listed = keys.getByRole('region', { name: 'This screen' })
  await expect(listed.getByRole('definition')).toHaveText(['/', 'j', 'k', 'c', 'e'])
  await page.keyboard.press('Escape')

  await page.keyboard.press('j')
  await page.keyboard.press('j')
  await page.keyboard.press('k')
  await page.keyboard.press('j')
  await expect(rowOf(page, older).getByRole('link').first()).toBeFocused()
  await page.keyboard.press('k')
  await page.keyboard.press('Enter')
  const drawer = page.getByRole('dialog', { name: 'Settlement' })
  await expect(drawer.getByRole('button', { name: `Copy transaction ${newer}` })).toBeVisible()
  // The page behind a layer ignores keys.
  await page.keyboard.press('g')
  await page.keyboard.press('o')
  await page.keyboard.press('Escape')
  await expect(drawer).toBeHidden()
  await expect(heading(page, 'Settlements')).toBeVisible()

  const downloading = page.waitForEvent('download')
  await page.keyboard.press('e')
  expect((await downloading).suggestedFilename()).toMatch(/\.csv$/)

  await page.keyboard.press('m')
  await expect(page).toHaveURL(/environment=mainnet/)
  await page.keyboard.press('m')
  await expect(page).toHaveURL(/environment=testnet/)
  await expect(rowsOf(page)).toHaveCount(2)

  await page.keyboard.press('/')
  const search = page.getByRole('searchbox', { name: 'Search settlements' })
  await expect(search).toBeFocused()
  await page.keyboard.type('gk?')
  await expect(search).toHaveValue('gk?')
  await expect(page.getByRole('dialog')).toHaveCount(0)
})

test('single keys can be turned off, and the palette still works', { tag: '@long' }, async ({ page }) => {
  await signInAsMerchant(page)
  await page.keyboard.press('?')
  await page.getByRole('checkbox', { name: /^Use letter/ }).uncheck()
  await page.keyboard.press('Escape')
  await page.keyboard.press('?')
  await page.keyboard.press('g')
  await page.keyboard.press('k')
  await search(page, 'keyboard')
  await expect(page).toHaveURL(/\/dashboard$/)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible()
})

test("a wallet's palette buys credits and switches environments, an administrator's opens a tenant by its name", {
  tag: '@long',
}, async ({ page, browser }) => {
  await giveSolanaWallet(page, newSecretKey())
  await signInWithWallet(page, SOLANA, '/agent')
  await heading(page, 'Agent').waitFor()
  await expect(page.getByRole('button', { name: 'Live', exact: true })).toBeVisible()
  await search(page, 'switch')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/environment=/)
  await search(page, 'top up')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog', { name: 'Buy credits' })).toBeVisible()

  const console = await browser.newPage()
  await signInAsAdmin(console)
  await heading(console, 'Platform').waitFor()
  await console.keyboard.press('g')
  await console.keyboard.press('t')
  const tenants = console.getByRole('searchbox', { name: /^Search tenants/ })
  await tenants.waitFor()
  await console.keyboard.press('/')
  await expect(tenants).toBeFocused()
  const merchant = await browser.newPage()
  const name = `shop ${randomUUID().slice(0, 8)}`
  await signInWithKey(merchant, name)
  await merchant.close()
  await search(console, name)
  await console.getByRole('option', { name }).click()
  await expect(console).toHaveURL(/\/console\/tenants\/[0-9a-f-]{36}/)
  await expect(heading(console, name)).toBeVisible()
  await console.close()
})
