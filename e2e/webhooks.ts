import type { Locator, Page } from '@playwright/test'
import { keep, withoutParameter } from './accounts'

/** Adds a webhook on its screen and returns its secret. */
export async function addWebhook(page: Page, url: string): Promise<string> {
  await page.getByRole('button', { name: 'New webhook' }).click()
  const form = page.getByRole('dialog', { name: 'New webhook' })
  await form.getByLabel('URL').fill(url)
  await form.getByRole('button', { name: 'Add webhook' }).click()
  const shown = page.getByRole('dialog', { name: 'Signing secret' })
  const secret = await shown.getByText(/^whsec_/).textContent()
  await keep(shown)
  await withoutParameter(page, 'new')
  return secret ?? ''
}

/** The rows of the list of deliveries. */
export const deliveriesOf = (page: Page): Locator =>
  page
    .getByRole('region', { name: 'Deliveries' })
    .getByRole('row')
    .filter({ has: page.getByRole('button') })
