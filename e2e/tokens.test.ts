import { expect, type Page } from '@playwright/test'
import { newUser, signInWithKey } from './accounts'
import { addSettlements, payInToken } from './database'
import { test } from './journey'
import { rowsOf } from './rows'
import { service } from './test-service'

/** A merchant with eight settlements, in two tokens. */
async function merchantWithTokens(page: Page): Promise<void> {
  const user = newUser()
  await signInWithKey(page, 'the shop', user)
  await addSettlements(user, 8)
  await payInToken(user, 'EURC')
}

test('figures are of one token, which a merchant with several chooses; links and lists keep it', async ({ page }) => {
  await merchantWithTokens(page)
  await page.goto(`${service().baseUrl}/dashboard?environment=testnet`)
  const cards = page.getByRole('group', { name: 'Figure of the chart' })
  const volume = cards.getByRole('button', { name: /^Volume/ })
  // Of the odd tenths of a cent all four settled: 1, 3, 5 and 7. Of the even ones 2 and 6 did; 4 and 8 failed.
  await expect(volume).toContainText('$0.016')
  await expect(cards.getByRole('button', { name: /^Settlements/ })).toContainText('4')
  await page.getByLabel('Token').selectOption('EURC')
  await expect(volume).toContainText('0.008 EURC')
  await expect(page).toHaveURL(/[?&]asset=EURC/)
  // A few payments stand for themselves, until the chart is asked for.
  await volume.click()
  await expect(page.getByRole('columnheader', { name: 'Volume (EURC)' }).first()).toBeVisible()
  await page.screenshot({ path: `${test.info().outputPath('overview')}.png`, fullPage: true })
  await page.getByRole('link', { name: 'All settlements' }).click()
  await expect(rowsOf(page)).toHaveCount(2)
  await expect(page.getByRole('columnheader', { name: 'EURC' })).toBeVisible()
  await expect(page.getByLabel('Token')).toHaveValue('EURC')
})

test('a list of several tokens names that of each amount, and so does a card on a phone', { tag: '@long' }, async ({ page }) => {
  await merchantWithTokens(page)
  await page.goto(`${service().baseUrl}/dashboard/settlements?environment=testnet`)
  await expect(page.getByRole('columnheader', { name: 'Amount' })).toBeVisible()
  await expect(page.getByRole('cell', { name: '0.002 EURC' })).toBeVisible()
  await expect(page.getByRole('cell', { name: '0.001 USDC' })).toBeVisible()
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    await page.screenshot({ path: `${test.info().outputPath(`list-${colorScheme}`)}.png` })
  }
  await expect(page.getByLabel('Token').getByRole('option')).toHaveText(['All tokens', 'USDC', 'EURC'])
  await page.getByRole('cell', { name: '0.002 EURC' }).click()
  await expect(page.getByRole('dialog', { name: 'Settlement' })).toContainText('0.002 EURC')
  await page.keyboard.press('Escape')
  await page.setViewportSize({ width: 390, height: 844 })
  await expect(page.getByRole('link', { name: /0\.002 EURC/ })).toBeVisible()
  await page.screenshot({ path: `${test.info().outputPath('cards')}.png` })
  await page.goto(`${service().baseUrl}/dashboard?environment=testnet&asset=EURC&figure=volume`)
  await expect(page.getByRole('group', { name: 'Figure of the chart' })).toContainText('0.008 EURC')
  await page.screenshot({ path: `${test.info().outputPath('overview-phone')}.png`, fullPage: true })
})
