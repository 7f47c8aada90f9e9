import { expect, type Locator, type Page } from '@playwright/test'
import { newUser, signInAsAdmin, signInWithKey } from './accounts'
import { addSettlements } from './database'
import { test } from './journey'
import { choose, outcomeOf } from './rows'
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

  await choose(page, 'Reason', 'Insufficient funds')
  await expect(outcomeOf(page, 'Failed')).toHaveAttribute('aria-pressed', 'true')
  await expect(linksOf(page)).toHaveCount(30)
  await outcomeOf(page, 'Settled').click()
  await expect(page.getByRole('button', { name: /^Clear reason/ })).toHaveCount(0)
  await expect.poll(() => parameter(page, 'reason')).toBeNull()
})

test('a page of a list is in the URL: a reload and a step back keep it, and another filter starts at the first', {
  tag: '@long',
}, async ({ page }) => {
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
  await outcomeOf(page, 'Failed').click()
  await expect(linksOf(page)).toHaveCount(30)
  expect(parameter(page, 'page')).toBeNull()
  await page.goBack()
  await expect.poll(first).toBe(pages[1])
})

test('a list says how many it has, their sum and the share of valid ones that settled, of its filter and of each outcome', async ({
  page,
}) => {
  await merchantWith(page, 120)
  const summary = page
    .getByRole('main')
    .getByRole('status')
    .filter({ hasText: /attempt|settlement|failed/ })
  const counts = async () => (await page.getByRole('group', { name: 'Outcome' }).getByRole('button').allTextContents()).join(', ')
  // A hundred and twenty of 0.001 to 0.12 USDC, of which every fourth was refused, as its payer had no funds.
  await expect(summary).toHaveText('120 attempts · 5.40 USDC · 100.0% of valid payments settled · 30 failed, all by payers')
  await expect.poll(counts).toBe('All 120, Settled 90, Failed 30')
  await outcomeOf(page, 'Settled').click()
  await expect(summary).toHaveText('90 settlements · 5.40 USDC')
  await outcomeOf(page, 'Failed').click()
  await expect(summary).toHaveText('30 failed (25.0% of attempts) · all caused by payers')
  await outcomeOf(page, 'All').click()
  await choose(page, 'Network', 'Solana devnet')
  await expect(summary).toHaveText('40 attempts · 1.80 USDC · 100.0% of valid payments settled · 10 failed, all by payers')
  await page.getByRole('searchbox', { name: 'Search settlements' }).fill('0.009')
  await expect(linksOf(page)).toHaveCount(1)
  await expect(summary).toHaveText('1 attempt · 0.009 USDC · 100.0% of valid payments settled')
  await expect.poll(counts).toBe('All 1, Settled 1, Failed 0')
})

test('filters offer what occurs, with counts, take several values and are in the URL', async ({ page }) => {
  await merchantWith(page, 120)
  const filters = page.getByRole('search')
  await filters.getByRole('button', { name: 'Resource' }).click()
  const panel = page.getByRole('dialog', { name: 'Resource' })
  await expect(panel.getByRole('option')).toHaveText([/news40$/, /prices40$/, /weather40$/])
  await page.keyboard.type('ices')
  await expect(panel.getByRole('option')).toHaveCount(1)
  await page.keyboard.press('Enter')
  await expect(panel.getByRole('option')).toHaveAttribute('aria-checked', 'true')
  await page.keyboard.press('Escape')
  await expect(panel).toHaveCount(0)
  await expect(filters.getByRole('button', { name: /^Resource/ })).toBeFocused()
  await expect(linksOf(page)).toHaveCount(40)
  await choose(page, 'Resource', /weather/)
  await expect(filters.getByRole('button', { name: 'Resource: 2 selected' })).toBeVisible()
  await choose(page, 'Network', 'Base Sepolia')
  await filters.getByRole('button', { name: 'Payer' }).click()
  for (const at of [0, 1]) await page.getByRole('dialog', { name: 'Payer' }).getByRole('option').nth(at).click()
  await page.keyboard.press('Escape')
  await expect(linksOf(page)).toHaveCount(2)
  await page.reload()
  await expect(filters.getByRole('button', { name: 'Resource: 2 selected' })).toBeVisible()
  await expect(filters.getByRole('button', { name: 'Network: Base Sepolia' })).toBeVisible()
  expect(new URL(page.url()).searchParams.getAll('resource')).toHaveLength(2)
  await filters.getByRole('button', { name: 'Clear filters' }).click()
  await expect(linksOf(page)).toHaveCount(50)
  expect(new URL(page.url()).search).toBe('')
})

test('c copies the ID of the row and of the drawer, which opens with what the row knows and says when a payment was refused', async ({
  page,
  context,
}) => {
  await merchantWith(page, 8)
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const copied = () => page.evaluate(() => navigator.clipboard.readText())
  for (const _ of [1, 2, 3, 4]) await page.keyboard.press('j')
  await expect(linksOf(page).nth(3)).toBeFocused()
  await page.keyboard.press('c')
  const id = (await linksOf(page).nth(3).getAttribute('data-opens')) ?? ''
  await expect.poll(copied).toBe(id)
  await page.keyboard.press('?')
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toContainText('Copy the ID of the row')
  await page.keyboard.press('Escape')

  // The details do not answer.
  await page.route(/settlements\.details/, () => {})
  await page.keyboard.press('k')
  await page.keyboard.press('j')
  await page.keyboard.press('Enter')
  const drawer = page.getByRole('dialog', { name: 'Settlement' })
  await expect(drawer).toContainText('0.004 USDC')
  await expect(drawer).toContainText('Add')
  await expect(drawer.getByRole('button', { name: /^Copy ID/ })).toBeVisible()
  await page.unroute(/settlements\.details/)
  await page.reload()
  await expect(drawer).toContainText('Not sent: refused at the check')
  await drawer.getByRole('button', { name: 'Copy for the payer' }).click()
  await expect
    .poll(copied)
    .toMatch(
      /^Your payment of 0\.004 USDC for https:\/\/shop\.test\/news on Base Sepolia failed on .*\n.*\nWhat to do: Add USDC to your wallet/,
    )
  await drawer.focus()
  await page.keyboard.press('c')
  await expect.poll(copied).toBe(id)
})

test('the head of a list stays in view, below the bar of a narrow screen', { tag: '@long' }, async ({ page }) => {
  await merchantWith(page, 60)
  for (const [width, top] of [
    [1440, 0],
    [900, 56],
  ] as const) {
    await page.setViewportSize({ width, height: 700 })
    await page.mouse.wheel(0, 900)
    await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(500)
    const head = page.getByRole('columnheader', { name: 'Outcome' })
    await expect(head).toBeInViewport()
    expect(Math.round((await head.boundingBox())?.y ?? -1)).toBe(top)
    await page.evaluate(() => scrollTo(0, 0))
  }
})

test('a time shows its hint under the mouse only, whole in the window; stepping by keys shows none', { tag: '@long' }, async ({
  page,
}) => {
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
  test(`lists and tenants fit at ${width} pixels, with whole paths and quotas`, { tag: '@long' }, async ({ page, browser }) => {
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

test('an error of a form goes when its field is edited', { tag: '@long' }, async ({ page }) => {
  await signInWithKey(page, 'the shop')
  await page.goto(`${service().baseUrl}/dashboard/keys`)
  await page.getByRole('button', { name: 'New key' }).click()
  const form = page.getByRole('dialog', { name: 'New key' })
  await form.getByText('Add limits').click()
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
    // Of n thousandths for each n from 1 to 20 but the fourths.
    await expect(page.getByText('Total: 0.15 USDC from 15 settlements.').first()).toBeVisible()
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
  await expect(page.getByText('Export started.').first()).toContainText('Total: 0.15 USDC from 15 settlements.')
  expect((await exportAs('Monthly totals (CSV)')).suggestedFilename()).toBe(`settlements-totals-to-${today}.csv`)
  await page.goto(list(`?from=2026-01-01T00:00:00Z&to=${today}T00:00:00Z`))
  await page.getByRole('button', { name: 'Export', exact: true }).click()
  await page.getByRole('button', { name: 'All outcomes' }).click()
  const all = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Export CSV' }).click()
  expect((await all).url()).not.toContain('status=')
  expect((await all).suggestedFilename()).toMatch(/^settlements-2026-01-01-to-\d{4}-\d\d-\d\d\.csv$/)
})
