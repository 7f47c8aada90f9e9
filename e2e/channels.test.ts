import { expect } from '@playwright/test'
import { goTo, newUser, signInAsMerchant, signInWithKey } from './accounts'
import { addChannels } from './database'
import { test } from './journey'
import { service } from './test-service'

test('a merchant without channels learns what they are and where the guide is', async ({ page }) => {
  await signInAsMerchant(page)
  await goTo(page, 'Channels')
  await expect(page.getByRole('heading', { name: /^No (Live|Test) channels yet$/ })).toBeVisible()
  await page.getByRole('link', { name: 'Sell through channels' }).click()
  await expect(page).toHaveURL(/\/docs\/channels$/)
  await expect(page.getByRole('heading', { name: 'Sell many small answers' })).toBeVisible()
})

test('a merchant pages through its channels, finds one by its payer and opens it; the URL holds all of that', async ({
  page,
}) => {
  const user = newUser()
  await signInWithKey(page, 'the stream', user)
  await addChannels(user, 60)
  await page.goto(`${service().baseUrl}/dashboard/channels?environment=testnet`)
  const rows = page.getByRole('table', { name: 'Channels' }).getByRole('row')
  await expect(rows).toHaveCount(51)
  await expect(page.getByRole('list', { name: 'Sums' })).toContainText(/60 channels on Base Sepolia.*Deposited\s*1\.83 USDC/)
  await page.getByRole('button', { name: 'Older' }).click()
  await expect(rows).toHaveCount(11)
  await page.getByRole('button', { name: 'Newer' }).click()
  await expect(rows).toHaveCount(51)

  const payer = `0x${'7'.padStart(40, 'd')}`
  await page.getByRole('searchbox', { name: 'Search payers' }).fill(payer)
  await expect(rows).toHaveCount(2)
  await expect(page).toHaveURL(new RegExp(`payer=${payer}`))
  await rows.nth(1).getByText('Closed').click()
  const drawer = page.getByRole('dialog', { name: 'Channel' })
  await expect(drawer).toContainText('0 USDC at risk')
  await expect(drawer).toContainText('Nothing to claim')
  await page.reload()
  await expect(drawer).toContainText('0 USDC at risk')
  await page.keyboard.press('Escape')
  await expect(drawer).toBeHidden()
  await page.getByLabel('State').selectOption('Withdrawing')
  await expect(page.getByRole('heading', { name: 'No channels match' })).toBeVisible()
  await page.getByRole('button', { name: 'Clear filters' }).first().click()
  await expect(rows).toHaveCount(51)
})
