import { expect } from '@playwright/test'
import { test } from './journey'
import { goTo, signInAsMerchant } from './people'
import { buy } from './shop'

const URL_IN_PROGRAM = /https?:\/\/[^\s'"]+\/v1\/qt_[\w-]{43}/

test('the quick start makes a key, fills it into the programs and lights up when money has landed', async ({ page }) => {
  await signInAsMerchant(page)
  await goTo(page, 'Quick start')
  const lamp = page.getByRole('status').filter({ hasText: 'first settlement' })
  await expect(lamp).toContainText('Waiting for your first settlement')
  await page.getByRole('button', { name: 'Make a key and fill it in' }).click()
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
  await expect(page.getByText('Money has landed: your API is paid.')).toBeVisible()
  await page.getByRole('link', { name: 'See it' }).click()
  await expect(page.getByRole('dialog', { name: 'Settlement' })).toContainText('0.001')
})
