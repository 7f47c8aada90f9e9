import type { Locator, Page } from '@playwright/test'

/** The row of a transaction in a list of settlements. */
export function rowOf(page: Page, transaction: string): Locator {
  const its = page.getByRole('button', { name: `Copy transaction ${transaction}` })
  return page.getByRole('row').filter({ has: its })
}

/** All rows of a list of settlements. */
export function rowsOf(page: Page): Locator {
  return page.getByRole('row').filter({ has: page.getByRole('button', { name: /^Copy transaction / }) })
}
