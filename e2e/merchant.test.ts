import { readFile } from 'node:fs/promises'
import { expect, type Page } from '@playwright/test'
import { goTo, makeKey, newUser, signInAsMerchant } from './accounts'
import { moveToYesterday } from './database'
import { test } from './journey'
import { buy } from './merchant'
import { rowOf, rowsOf } from './rows'
import { service } from './test-service'

const KEY = /\/v1\/(qt_[\w-]{43})$/

const seeSettlements = (page: Page) => page.goto(`${service().baseUrl}/dashboard/settlements`)

test('a merchant creates a key, shown once, and sees a payment through it arrive live', async ({ page }) => {
  await signInAsMerchant(page)
  const url = await makeKey(page, 'the shop')
  const [, secret = ''] = KEY.exec(url) ?? []
  expect(secret).not.toBe('')
  await page.reload()
  await expect(page.getByRole('heading', { name: 'the shop' })).toBeVisible()
  expect(await page.content()).not.toContain(secret)

  await goTo(page, 'Settlements')
  await expect(page.getByRole('heading', { name: 'No settlements yet' })).toBeVisible()
  await page.evaluate(() => Object.assign(window, { isStillTheSamePage: true }))
  const transaction = await buy(url)
  const row = rowOf(page, transaction)
  await expect(row).toBeVisible()
  await expect(row).toContainText('Settled')
  await expect(row).toContainText('0.001')
  expect(await page.evaluate(() => Reflect.get(window, 'isStillTheSamePage'))).toBe(true)

  await row.getByRole('button').first().click()
  const drawer = page.getByRole('dialog', { name: 'Settlement' })
  await expect(drawer.getByRole('button', { name: `Copy transaction ${transaction}` })).toBeVisible()
  const lifecycle = drawer.getByRole('region', { name: 'Lifecycle' })
  for (const step of ['Verified and claimed', 'Sent to the network', 'Included in a block', 'Final']) {
    await expect(lifecycle).toContainText(step)
  }
  await page.keyboard.press('Escape')
  await expect(drawer).toBeHidden()
})

test('the filtered list exports as CSV and JSON', async ({ page }) => {
  await signInAsMerchant(page)
  const url = await makeKey(page, 'exporter')
  const transactions = [await buy(url), await buy(url)]
  await seeSettlements(page)
  await expect(rowsOf(page)).toHaveCount(2)
  expect((await exportOf(page, 'CSV')).trimEnd().split('\r\n')).toEqual([
    expect.stringMatching(/^created_at,outcome,amount_usdc,/),
    ...transactions.toReversed().map((hash) => expect.stringContaining(`,${hash},`)),
  ])
  expect(JSON.parse(await exportOf(page, 'JSON'))).toMatchObject(
    transactions.toReversed().map((tx_hash) => ({ tx_hash, amount_usdc: '0.001', outcome: 'settled' })),
  )
  await page.getByRole('searchbox', { name: 'Search by transaction or address' }).fill(transactions[0] ?? '')
  await page.keyboard.press('Enter')
  await expect(rowsOf(page)).toHaveCount(1)
  const narrowed = await exportOf(page, 'CSV')
  expect(transactions.map((hash) => narrowed.includes(hash))).toEqual([true, false])
})

test('settlements appear in figures and chart after their day', async ({ page }) => {
  const user = newUser()
  await signInAsMerchant(page, user)
  await expect(page.getByRole('heading', { name: 'No completed days yet' })).toBeVisible()
  const url = await makeKey(page, 'for the figures')
  await buy(url)
  await buy(url)
  await goTo(page, 'Overview')
  const today = page.getByRole('region', { name: 'Today so far' }).getByRole('definition')
  await expect(today).toHaveText(['2', '0.002USDC', '0'])
  // The only payments are on testnets.
  const environment = page.getByRole('group', { name: 'Mainnet or testnet' })
  await expect(environment.getByRole('button', { pressed: true })).toHaveText('Testnet')
  await moveToYesterday(user)
  await page.reload()
  await expect(today).toHaveText(['0', '0USDC', '0'])
  await expect(page.getByRole('definition').filter({ hasText: /^2$/ })).toHaveCount(2)
  await expect(page.getByRole('definition').filter({ hasText: '0.002' })).toBeVisible()
  const days = page.getByRole('table', { name: 'Settlements by day' }).getByRole('row')
  await expect(days).toHaveCount(30)
  await expect(days.last()).toContainText('2 settled, 0 failed, 0.002 USDC')

  const network = page.getByLabel('Network', { exact: true })
  await expect(network.getByRole('option')).toHaveText(['All networks', 'Base Sepolia', 'Solana devnet'])
  await network.selectOption('Solana devnet')
  await page.waitForURL(({ searchParams }) => searchParams.has('network'))
  await expect(page.getByRole('heading', { name: 'No completed days yet' })).toBeVisible()
  await environment.getByRole('button', { name: 'Mainnet' }).click()
  await page.waitForURL((url) => url.search === '?environment=mainnet')
  await expect(network.getByRole('option')).toHaveText(['All networks', 'Base', 'Solana'])
  await page.goBack()
  await page.waitForURL(({ searchParams }) => searchParams.has('network'))
  await page.goBack()
  await page.waitForURL(({ search }) => search === '')
  await expect(days.last()).toContainText('2 settled, 0 failed, 0.002 USDC')
})

test('a key without history settles and adds no row until history is on again', async ({ page }) => {
  await signInAsMerchant(page)
  const url = await makeKey(page, 'discreet')
  const keep = page.getByRole('switch', { name: 'Keep history' })
  await keep.click()
  await expect(keep).not.toBeChecked()
  const discreet = await buy(url)
  await keep.click()
  await expect(keep).toBeChecked()
  const seen = await buy(url)
  await seeSettlements(page)
  await expect(rowOf(page, seen)).toBeVisible()
  await expect(rowsOf(page)).toHaveCount(1)
  await expect(rowOf(page, discreet)).toBeHidden()
})

test('a revoked key cannot settle, and its settlements stay', async ({ page }) => {
  await signInAsMerchant(page)
  const url = await makeKey(page, 'for a while')
  const transaction = await buy(url)
  await page.getByRole('button', { name: 'Revoke' }).click()
  const asked = page.getByRole('dialog', { name: 'Revoke this key' })
  await asked.getByRole('button', { name: 'Revoke key' }).click()
  await expect(page.getByText('1 revoked')).toBeVisible()
  await expect.poll(() => statusOf(`${url}/supported`)).toBe(401)
  await seeSettlements(page)
  await expect(rowOf(page, transaction)).toBeVisible()
})

const statusOf = async (url: string) => (await fetch(url)).status

async function exportOf(page: Page, format: 'CSV' | 'JSON'): Promise<string> {
  const downloading = page.waitForEvent('download')
  await page.getByRole('link', { name: format, exact: true }).click()
  return readFile(await (await downloading).path(), 'utf8')
}
