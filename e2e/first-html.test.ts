import { expect } from '@playwright/test'
import { generatePrivateKey } from 'viem/accounts'
import {
  makeKey,
  newUser,
  openKey,
  openTenant,
  signInAsAdmin,
  signInAsMerchant,
  signInWithKey,
  signInWithWallet,
} from './accounts'
import { addSettlements } from './database'
import { expectNothingAsked, htmlOf, MISSING, scriptBytes } from './first-load'
import { test } from './journey'
import { sharedReceipt } from './receipts'
import { service } from './test-service'
import { ETHEREUM, giveEthereumWallet } from './wallets'

test('the first HTML of a screen has its figures, and after it loads nothing is asked again', { tag: '@long' }, async ({
  page,
}) => {
  await signInAsMerchant(page)
  const name = `first html ${Date.now()}`
  await makeKey(page, name)
  const path = '/dashboard/keys'
  expect(await htmlOf(page, path)).toContain(name)
  await expectNothingAsked(page, { path, shows: () => expect(page.getByRole('heading', { name })).toBeVisible() })
})

test('the first HTML of a list has the rows that its URL asks for', async ({ page }) => {
  const user = newUser()
  await signInWithKey(page, 'the shop', user)
  await addSettlements(user, 60)
  const path = '/dashboard/settlements?status=failed&reason=insufficient_funds&search=weather&sort=oldest'
  // Every twelfth is a failure of this resource.
  const shows = () => expect(page.locator('tbody [data-opens]')).toHaveCount(5)
  await expectNothingAsked(page, { path, shows })
})

test('a list shows its rows before any script runs, as its viewer chose to see them', { tag: '@long' }, async ({
  page,
  browser,
}) => {
  const user = newUser()
  await signInWithKey(page, 'the shop', user)
  await addSettlements(user, 60)
  await page.goto(`${service().baseUrl}/dashboard/settlements`)
  await page.getByRole('button', { name: 'View' }).click()
  await page.getByRole('checkbox', { name: 'Payer' }).uncheck()
  const still = await browser.newContext({ storageState: await page.context().storageState(), javaScriptEnabled: false })
  const first = await still.newPage()
  const rows = first.locator('tbody [data-opens]')
  await first.goto(`${service().baseUrl}/dashboard/settlements`)
  await expect(rows).toHaveCount(50)
  await expect(first.getByRole('columnheader', { name: 'Resource' })).toBeVisible()
  await expect(first.getByRole('columnheader', { name: 'Payer' })).toHaveCount(0)
  await still.close()
})

test('the first load of each screen has less than 200 KB of compressed scripts', { tag: '@long' }, async ({ page }) => {
  const small = async (path: string) => expect(await scriptBytes(page, path), path).toBeLessThan(200_000)
  await small('/sign-in')
  await giveEthereumWallet(page, generatePrivateKey())
  await signInWithWallet(page, ETHEREUM, '/payments')
  for (const screen of ['/payments', '/payments/00000000-0000-4000-8000-000000000000', '/agent', '/agent/settlements'])
    await small(screen)
  for (const screen of ['', '/settlements', '/keys', '/webhooks', '/listings', '/start']) await small(`/dashboard${screen}`)
})

test('the first load of each public page and console screen has less than 200 KB of compressed scripts', {
  tag: '@long',
}, async ({ page, browser }) => {
  const pages = ['/home', '/catalog', '/docs', '/docs/quickstart', '/docs/api/payments', '/status', '/explain', MISSING]
  for (const path of pages) expect(await scriptBytes(page, path), path).toBeLessThan(200_000)
  expect(await scriptBytes(page, await sharedReceipt(page)), 'a shared receipt').toBeLessThan(200_000)
  const user = newUser()
  const merchant = await browser.newPage()
  await signInWithKey(merchant, 'first load', user)
  expect(await scriptBytes(merchant, await openKey(merchant)), 'the page of a key').toBeLessThan(200_000)
  await merchant.close()
  await signInAsAdmin(page)
  const consoles = ['', '/history', '/tenants', '/networks', '/incidents'].map((screen) => `/console${screen}`)
  for (const path of [...consoles, await openTenant(page, user)]) {
    expect(await scriptBytes(page, path), path).toBeLessThan(200_000)
  }
})

test('a screen for another kind of account says so and leads on', async ({ page }) => {
  await signInAsMerchant(page)
  await page.goto(`${service().baseUrl}/payments`)
  await expect(page.getByRole('heading', { name: /^This screen is for/ })).toBeVisible()
  await page.getByRole('link', { name: 'Open Overview' }).click()
  await expect(page.getByRole('heading', { name: 'Overview' })).toBeVisible()
})
