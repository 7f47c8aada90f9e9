import { expect, type Locator, type Page } from '@playwright/test'
import { newUser, signInAsAdmin, signInWithKey } from './accounts'
import { addSettlements } from './database'
import { test } from './journey'
import { service } from './test-service'

const list = (query = '') => `${service().baseUrl}/dashboard/settlements${query}`
const linksOf = (page: Page): Locator => page.locator('tbody [data-opens]')
const hints = (page: Page): Locator => page.locator('[data-time-hint]')
const parameter = (page: Page, name: string) => new URL(page.url()).searchParams.get(name)

async function merchantWith(page: Page, count: number): Promise<string> {
  const user = newUser()
  await signInWithKey(page, 'the shop', user)
  await addSettlements(user, count)
  await page.goto(list())
  await expect(linksOf(page)).toHaveCount(Math.min(count, 50))
  return user
}

test('a search applies as one types, without a step of its own; Escape empties it, and a reason shows its outcome', async ({
  page,
}) => {
  await merchantWith(page, 120)
  const steps = await page.evaluate(() => history.length)
  const search = page.getByRole('searchbox', { name: 'Search settlements' })
  await search.pressSequentially('weath', { delay: 40 })
  await expect(linksOf(page)).toHaveCount(40)
  await expect.poll(() => parameter(page, 'search')).toBe('weath')
  await expect(search).toHaveValue('weath')
  await search.press('Escape')
  await expect(linksOf(page)).toHaveCount(50)
  await expect(search).toHaveValue('')
  await expect.poll(() => parameter(page, 'search')).toBeNull()
  expect(await page.evaluate(() => history.length)).toBe(steps)

  const outcome = page.getByRole('combobox', { name: 'Outcome' })
  await page.getByRole('combobox', { name: 'Reason' }).selectOption('Insufficient funds')
  await expect(outcome).toHaveValue('failed')
  await expect(linksOf(page)).toHaveCount(30)
  await outcome.selectOption('Settled')
  await expect(page.getByRole('button', { name: /^Clear reason/ })).toHaveCount(0)
  await expect.poll(() => parameter(page, 'reason')).toBeNull()
})

test('a page of a list is in the URL: a reload and a step back keep it, and another filter starts at the first', async ({
  page,
}) => {
  await merchantWith(page, 120)
  const first = () => linksOf(page).first().getAttribute('data-opens')
  const pages: (string | null)[] = [await first()]
  for (const count of [50, 20]) {
    const before = pages.at(-1)
    await page.getByRole('button', { name: 'Older' }).click()
    await expect.poll(first).not.toBe(before)
    await expect(linksOf(page)).toHaveCount(count)
    pages.push(await first())
  }
  await page.reload()
  await expect.poll(first).toBe(pages[2])
  await page.getByRole('button', { name: 'Newer' }).click()
  await expect.poll(first).toBe(pages[1])
  await page.goBack()
  await expect.poll(first).toBe(pages[2])
  await page.goBack()
  await expect.poll(first).toBe(pages[1])
  await page.getByRole('combobox', { name: 'Outcome' }).selectOption('Failed')
  await expect(linksOf(page)).toHaveCount(30)
  expect(parameter(page, 'page')).toBeNull()
  await page.goBack()
  await expect.poll(first).toBe(pages[1])
})

test('a time shows its hint under the mouse only, whole in the window; stepping by keys shows none', async ({ page }) => {
  await merchantWith(page, 20)
  for (const _ of [1, 2, 3]) await page.keyboard.press('j')
  await expect(linksOf(page).nth(2)).toBeFocused()
  await expect(hints(page)).toHaveCount(0)
  for (const row of [0, 12]) {
    await linksOf(page).nth(row).locator('time').hover()
    await expect(hints(page)).toHaveCount(1)
    await expect(hints(page)).toBeInViewport({ ratio: 1 })
    await expect(hints(page)).toContainText('UTC')
  }
  await page.keyboard.press('k')
  await expect(hints(page)).toHaveCount(0)
})

for (const width of [768, 1024, 1280]) {
  test(`lists and tenants fit at ${width} pixels, with whole paths and quotas`, async ({ page, browser }) => {
    const user = await merchantWith(page, 20)
    await page.setViewportSize({ width, height: 900 })
    expect(await sidewaysOn(page)).toEqual([])
    expect(await cutPathsOn(page)).toEqual([])
    const console = await browser.newPage()
    await signInAsAdmin(console)
    await console.setViewportSize({ width, height: 900 })
    await console.goto(`${service().baseUrl}/console/history?owner=${user}`)
    await expect(linksOf(console)).toHaveCount(20)
    expect(await sidewaysOn(console)).toEqual([])
    expect(await cutPathsOn(console)).toEqual([])
    await console.goto(`${service().baseUrl}/console/tenants?search=${user}`)
    const quota = console.getByRole('cell').filter({ hasText: /of [\d,]+$/ })
    await expect(quota).toHaveCount(1)
    expect(await sidewaysOn(console)).toEqual([])
    expect(
      await quota.evaluate((cell) => [...cell.querySelectorAll('*')].some((one) => one.scrollWidth > one.clientWidth + 1)),
    ).toBe(false)
    await console.close()
  })
}

/** The parts of a page that scroll sideways, but for rows of filters. */
const sidewaysOn = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [document.documentElement, ...document.querySelectorAll('main *')]
      .filter((one) => one.scrollWidth > one.clientWidth && !one.matches('search div'))
      .filter((one) => one === document.documentElement || ['auto', 'scroll'].includes(getComputedStyle(one).overflowX))
      .map((one) => `${one.tagName} ${one.className}`),
  )

/** The paths of resources in the visible rows that are cut. */
const cutPathsOn = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [
      ...document.querySelectorAll<HTMLElement>(
        'tbody [title^="https://"], tbody [title^="https://"] > [aria-hidden]:not([data-host])',
      ),
    ]
      .filter((one) => one.checkVisibility() && one.scrollWidth > one.clientWidth)
      .map((one) => one.textContent ?? ''),
  )

test('an error of a form goes when its field is edited', async ({ page }) => {
  await signInWithKey(page, 'the shop')
  await page.goto(`${service().baseUrl}/dashboard/keys`)
  await page.getByRole('button', { name: 'New key' }).click()
  const form = page.getByRole('dialog', { name: 'New key' })
  await form.getByText('Limits (optional)').click()
  const recipients = form.getByLabel('Recipients')
  await recipients.fill('nobody')
  await form.getByRole('button', { name: 'Create key' }).click()
  await expect(recipients).toHaveAttribute('aria-invalid', 'true')
  await recipients.fill('')
  await expect(recipients).toHaveAttribute('aria-invalid', 'false')
  await expect(form.getByText('Check the fields')).toHaveCount(0)
})

test('an export has the settled payments and says that it started; all outcomes are a choice', async ({ page }) => {
  await merchantWith(page, 20)
  const exportAs = async (name: string) => {
    await page.getByRole('button', { name: 'Export', exact: true }).click()
    const downloading = page.waitForEvent('download')
    await page.getByRole('link', { name, exact: true }).click()
    const download = await downloading
    await expect(page.getByRole('link', { name, exact: true })).toHaveCount(0)
    return download
  }
  const today = new Date().toISOString().slice(0, 10)
  const settled = await exportAs('Export CSV')
  expect(settled.suggestedFilename()).toBe(`settlements-to-${today}.csv`)
  expect(new URL(settled.url()).searchParams.get('status')).toBe('success')
  await expect(page.getByText('Export started.').first()).toBeVisible()
  expect((await exportAs('Monthly totals')).suggestedFilename()).toBe(`settlements-totals-to-${today}.csv`)
  await page.goto(list(`?from=2026-01-01T00:00:00Z&to=${today}T00:00:00Z`))
  await page.getByRole('button', { name: 'Export', exact: true }).click()
  await page.getByRole('button', { name: 'All outcomes' }).click()
  const all = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Export CSV' }).click()
  expect((await all).url()).not.toContain('status=')
  expect((await all).suggestedFilename()).toMatch(/^settlements-2026-01-01-to-\d{4}-\d\d-\d\d\.csv$/)
})
