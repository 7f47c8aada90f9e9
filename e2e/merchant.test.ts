import { readFile } from 'node:fs/promises'
import { expect, type Page } from '@playwright/test'
import { letADayPass } from './clock'
import { test } from './journey'
import { goTo, makeKey, newUser, signInAsMerchant } from './people'
import { place } from './place'
import { rowOf, rowsOf } from './rows'
import { buy } from './shop'

const KEY = /\/v1\/(qt_[\w-]{43})$/

const seeSettlements = (page: Page) => page.goto(`${place().baseUrl}/dashboard/settlements`)

test('a merchant makes a key, which is shown once, and is paid through it: the payment arrives by itself', async ({ page }) => {
  await signInAsMerchant(page)
  const url = await makeKey(page, 'the shop')
  const [, secret = ''] = KEY.exec(url) ?? []
  expect(secret).not.toBe('')
  await page.reload()
  await expect(page.getByRole('heading', { name: 'the shop' })).toBeVisible()
  expect(await page.content()).not.toContain(secret)

  await goTo(page, 'Settlements')
  await expect(page.getByRole('heading', { name: 'Nothing was settled yet' })).toBeVisible()
  await page.evaluate(() => Object.assign(window, { isStillTheSamePage: true }))
  const transaction = await buy(url)
  const row = rowOf(page, transaction)
  await expect(row).toBeVisible()
  await expect(row).toContainText('settled')
  await expect(row).toContainText('0.001')
  expect(await page.evaluate(() => Reflect.get(window, 'isStillTheSamePage'))).toBe(true)

  await row.getByRole('button').first().click()
  const drawer = page.getByRole('dialog', { name: 'Settlement' })
  await expect(drawer.getByRole('button', { name: `Copy transaction ${transaction}` })).toBeVisible()
  const lifecycle = drawer.getByRole('region', { name: 'Lifecycle' })
  for (const step of ['Judged and claimed', 'Sent to the network', 'In a block', 'Deep enough to be final']) {
    await expect(lifecycle).toContainText(step)
  }
  await page.keyboard.press('Escape')
  await expect(drawer).toBeHidden()
})

test('the current filter is exported as a file that spreadsheets read', async ({ page }) => {
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

test('what was settled is in the figures and in the chart once its day is over', async ({ page }) => {
  const user = newUser()
  await signInAsMerchant(page, user)
  await expect(page.getByRole('heading', { name: 'No finished day has settlements yet' })).toBeVisible()
  const url = await makeKey(page, 'for the figures')
  await buy(url)
  await buy(url)
  await goTo(page, 'Overview')
  const today = page.getByRole('region', { name: 'Today so far' }).getByRole('definition')
  await expect(today).toHaveText(['2', '0.002USDC', '0'])
  // It was paid on a test network, and nothing anywhere else.
  const environment = page.getByRole('group', { name: 'Mainnet or testnet' })
  await expect(environment.getByRole('button', { pressed: true })).toHaveText('Testnet')
  await letADayPass(user)
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
  await expect(page.getByRole('heading', { name: 'No finished day has settlements yet' })).toBeVisible()
  await environment.getByRole('button', { name: 'Mainnet' }).click()
  await page.waitForURL((url) => url.search === '?environment=mainnet')
  await expect(network.getByRole('option')).toHaveText(['All networks', 'Base', 'Solana'])
  await page.goBack()
  await page.goBack()
  await expect(days.last()).toContainText('2 settled, 0 failed, 0.002 USDC')
})

test('a key whose history is switched off settles and leaves no row, until it is switched on again', async ({ page }) => {
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

test('a revoked key settles nothing any more, and its settlements stay', async ({ page }) => {
  await signInAsMerchant(page)
  const url = await makeKey(page, 'for a while')
  const transaction = await buy(url)
  await page.getByRole('button', { name: 'Revoke' }).click()
  const asked = page.getByRole('dialog', { name: 'Revoke this key' })
  await asked.getByRole('button', { name: 'Revoke it for good' }).click()
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
