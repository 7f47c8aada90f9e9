import { expect } from '@playwright/test'
import { goTo, signInAsMerchant } from './accounts'
import { test } from './journey'
import { buy } from './merchant'

const URL_IN_PROGRAM = /https?:\/\/[^\s'"]+\/v1\/qt_[\w-]{43}/

test('the quick start creates a key, fills it into the programs and shows the first payment', async ({ page }) => {
  await signInAsMerchant(page)
  await goTo(page, 'Quick start')
  const status = page.getByRole('status').filter({ hasText: 'first settlement' })
  await expect(status).toContainText('Waiting for your first settlement')
  await page.getByRole('button', { name: 'Create a key and fill it in' }).click()
  await expect(page.getByText('Your key is in the programs below')).toBeVisible()

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
  await page.getByRole('link', { name: 'View payment' }).click()
  await expect(page.getByRole('dialog', { name: 'Settlement' })).toContainText('0.001')
})
