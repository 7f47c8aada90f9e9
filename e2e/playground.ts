import type { Page } from '@playwright/test'
import { place } from './place'

/** Presses the button of the home page's playground. Returns the hash of the transaction that it tells of when the payment has landed. */
export async function payOnHome(page: Page): Promise<string> {
  await page.goto(`${place().baseUrl}/home`)
  await page.getByRole('button', { name: 'Try a payment' }).click()
  return transactionOn(page)
}

/** The transaction that the playground tells of when its payment has landed. */
export async function transactionOn(page: Page): Promise<string> {
  return page
    .getByRole('status')
    .getByText(/^0x[0-9a-f]{64}$/)
    .textContent()
    .then((hash) => hash ?? '')
}
