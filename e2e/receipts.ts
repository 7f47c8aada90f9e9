import type { Locator, Page } from '@playwright/test'
import { signInWithKey } from './accounts'
import { buy } from './merchant'
import { rowOf } from './rows'
import { service } from './test-service'

/** The part of a drawer or a receipt that shares it. */
export const sharing = (page: Page): Locator => page.getByRole('region', { name: 'Public receipt' })

/** Shares the receipt of a new payment as its merchant, and returns the path of its page. The drawer stays open. */
export async function sharedReceipt(page: Page): Promise<string> {
  const transaction = await buy(await signInWithKey(page, 'receipts'))
  await page.goto(`${service().baseUrl}/dashboard/settlements`)
  await rowOf(page, transaction).getByRole('link').first().click()
  await sharing(page).getByRole('button', { name: 'Share receipt' }).click()
  const link = await sharing(page).getByRole('link', { name: 'Open' }).getAttribute('href')
  return new URL(link ?? '').pathname
}
