import { expect } from '@playwright/test'
import { goTo, signInAsMerchant } from './accounts'
import { test } from './journey'
import { buy } from './merchant'
import { rowsOf } from './rows'
import { service } from './test-service'

const URL_IN_PROGRAM = /https?:\/\/[^\s'"]+\/v1\/qt_[\w-]{43}/

test('the quick start creates a key, fills it into the programs and shows the first payment', async ({ page }) => {
  await signInAsMerchant(page)
  await goTo(page, 'Quick start')
  const status = page.getByRole('status').filter({ hasText: 'first settlement' })
  await expect(status).toContainText('Your first settlement appears here')
  await page.getByRole('button', { name: 'Create key' }).click()
  await expect(status).toContainText('Waiting for your first settlement')
  await expect(page.getByText('Your key is in the programs below')).toBeVisible()
  await expect(page.getByText('1 of 3 done')).toBeVisible()

  const tabs = page.getByRole('tablist', { name: 'Programs' }).getByRole('tab')
  const urls = new Set<string>()
  for (const tab of await tabs.all()) {
    await tab.click()
    const [url = 'none'] = URL_IN_PROGRAM.exec((await page.getByRole('tabpanel').textContent()) ?? '') ?? []
    urls.add(url)
  }
  expect(urls.size).toBe(1)
  const [url = ''] = urls
  await buy(url)
  await expect(page.getByText('Payment received. Your API gets paid.')).toBeVisible()
  await expect(page.getByText('3 of 3 done')).toBeVisible()
  await page.getByRole('link', { name: 'View payment' }).click()
  await expect(page.getByRole('dialog', { name: 'Settlement' })).toContainText('0.001')
})

test('the empty list of settlements leads to a test payment, whose steps and result the quick start shows', async ({ page }) => {
  await signInAsMerchant(page)
  await goTo(page, 'Settlements')
  await page.getByRole('link', { name: 'Send a test payment' }).click()
  await page.getByRole('button', { name: 'Send a test payment' }).click()
  const steps = page.getByRole('list', { name: 'Steps of the payment' })
  await expect(steps.getByRole('img', { name: 'Done' })).toHaveCount(4)
  await expect(page.getByText('Payment received. Your API gets paid.')).toBeVisible()
  // The key of the payment is in the programs, and no server has taken a payment yet.
  await expect(page.getByRole('tabpanel')).toContainText(URL_IN_PROGRAM)
  await expect(page.getByText('2 of 3 done')).toBeVisible()
  const settlement = await page.getByRole('link', { name: 'View the settlement' }).getAttribute('href')
  // One click sends one payment: the step does not pay again when it opens again.
  await page.getByRole('button', { name: 'Hide Make a payment' }).click()
  await page.getByRole('button', { name: 'Show Make a payment' }).click()
  await expect(page.getByRole('button', { name: 'Send a test payment' })).toBeVisible()
  await page.goto(`${service().baseUrl}${settlement}`)
  await expect(rowsOf(page)).toHaveCount(1)
  await goTo(page, 'Overview')
  await expect(page.getByRole('region', { name: 'Get your first payment' })).toContainText('2 of 3 done')
  await goTo(page, 'Quick start')
  await expect(page.getByText('You have 1 key.')).toBeVisible()
  await page.getByRole('button', { name: 'Show Make a payment' }).click()
  await expect(page.getByRole('button', { name: 'Send a test payment' })).toBeVisible()
})

test('the quick start offers the networks of the mode, and Test shows on every screen', { tag: '@long' }, async ({ page }) => {
  await signInAsMerchant(page)
  const sign = page.getByText('Test mode: no real money')
  await expect(sign).toBeVisible()
  await goTo(page, 'Quick start')
  const network = page.getByLabel('Network', { exact: true })
  await expect(network.getByRole('option')).toHaveText(['Base Sepolia'])
  await page.getByRole('group', { name: 'Live or test' }).getByRole('button', { name: 'Live' }).click()
  await expect(sign).toBeHidden()
  await expect(network.getByRole('option')).toHaveText(['Base', 'Solana'])
  await network.selectOption('Solana')
  await expect(page.getByRole('tablist', { name: 'Programs' }).getByRole('tab')).toHaveText(['Express', 'Hono', 'Next.js'])
  await expect(page.getByRole('tabpanel')).toContainText('ExactSvmScheme')
})
