import { expect, type Page } from '@playwright/test'
import { service } from './test-service'

/** Pays on the home page and returns the transaction hash. */
export async function payOnHome(page: Page): Promise<string> {
  await page.goto(`${service().baseUrl}/home`)
  await tryPayment(page)
  return transactionOn(page)
}

/** Clicks the button until it reacts: the server renders it before its script runs. */
export async function tryPayment(page: Page): Promise<void> {
  const button = page.locator('#try').getByRole('button')
  await expect(async () => {
    await button.click()
    await expect(button).not.toHaveText('Pay 0.001 test USDC', { timeout: 1_000 })
  }).toPass()
}

/** The transaction hash of the receipt that the page shows after a payment. */
export async function transactionOn(page: Page): Promise<string> {
  const copy = page.locator('#try').getByRole('button', { name: /^Copy transaction 0x[0-9a-f]{64}$/ })
  return ((await copy.getAttribute('aria-label')) ?? '').replace('Copy transaction ', '')
}
