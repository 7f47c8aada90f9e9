import type { Locator, Page } from '@playwright/test'

/** The row of a transaction in the list of settlements that a page shows. */
export function rowOf(page: Page, transaction: string): Locator {
  const its = page.getByRole('button', { name: `Copy transaction ${transaction}` })
  return page.getByRole('row').filter({ has: its })
}

/** All rows of that list. */
export function rowsOf(page: Page): Locator {
  return page.getByRole('row').filter({ has: page.getByRole('button', { name: /^Copy transaction / }) })
}
