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

/** The outcome of a list, by its tab: "Failed". */
export const outcomeOf = (page: Page, name: string): Locator =>
  page.getByRole('group', { name: 'Outcome' }).getByRole('button', { name })

/** Chooses values of a filter of a list in its panel, or takes them back, and closes the panel. */
export async function choose(page: Page, filter: string, ...values: (string | RegExp)[]): Promise<void> {
  const button = page.getByRole('search').getByRole('button', { name: new RegExp(`^${filter}`) })
  await button.click()
  const panel = page.getByRole('dialog', { name: filter })
  for (const value of values) await panel.getByRole('option', { name: value }).click()
  await page.keyboard.press('Escape')
  await panel.waitFor({ state: 'detached' })
}
