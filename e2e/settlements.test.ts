import { readFile } from 'node:fs/promises'
import { expect, type Locator, type Page } from '@playwright/test'
import { newUser, signInAsAdmin, signInAsMerchant, signInWithKey } from './accounts'
import { addSettlements } from './database'
import { test } from './journey'
import { buy } from './merchant'
import { choose, outcomeOf, rowsOf } from './rows'
import { service } from './test-service'

const list = (query = '') => `${service().baseUrl}/dashboard/settlements${query}`
const drawerOf = (page: Page): Locator => page.getByRole('dialog', { name: 'Settlement' })
const linksOf = (page: Page): Locator => page.locator('tbody [data-opens]')
const parameter = (page: Page, name: string) => new URL(page.url()).searchParams.get(name)

const inWords = (day: string) =>
  new Date(day).toLocaleDateString('en', { month: 'short', day: 'numeric', year: 'numeric', timeZone: 'UTC' })

/** A merchant with so many settlements; its key's facilitator URL. */
async function merchantWith(page: Page, count: number): Promise<{ url: string; user: string }> {
  const user = newUser()
  const url = await signInWithKey(page, 'the shop', user)
  await addSettlements(user, count)
  return { url, user }
}

test('a whole row opens the drawer; its parts keep their own use, and a middle click opens a tab', async ({ page, context }) => {
  await merchantWith(page, 5)
  await page.goto(list())
  const row = rowsOf(page).first()
  await row.getByRole('cell', { name: 'Base Sepolia' }).click()
  const drawer = drawerOf(page)
  await expect(drawer).toBeFocused()
  const id = parameter(page, 'id')
  await page.keyboard.press('Escape')
  await expect(drawer).toBeHidden()
  await expect(row.getByRole('link').first()).toBeFocused()
  await page.keyboard.press('Space')
  await expect(drawer).toBeVisible()
  await page.keyboard.press('Escape')
  await row.getByRole('button', { name: /^Copy payer/ }).click()
  await expect(drawer).toBeHidden()
  const opening = context.waitForEvent('page')
  await row.getByRole('cell', { name: 'Base Sepolia' }).click({ button: 'middle' })
  const tab = await opening
  await expect(drawerOf(tab).getByRole('button', { name: /^Copy ID/ })).toBeVisible()
  expect(parameter(tab, 'id')).toBe(id)
  await tab.close()
})

test('previous, next, j and k step through the list in the drawer, and a link to it opens it', { tag: '@long' }, async ({
  page,
  context,
}) => {
  await merchantWith(page, 5)
  await page.goto(list())
  await expect(linksOf(page)).toHaveCount(5)
  const ids = await linksOf(page).evaluateAll((rows) => rows.map((row) => row.getAttribute('data-opens')))
  await linksOf(page).nth(1).click()
  const drawer = drawerOf(page)
  await drawer.getByRole('button', { name: 'Next settlement' }).click()
  await expect.poll(() => parameter(page, 'id')).toBe(ids[2])
  await page.keyboard.press('k')
  await page.keyboard.press('k')
  await expect.poll(() => parameter(page, 'id')).toBe(ids[0])
  await expect(drawer.getByRole('button', { name: 'Previous settlement' })).toBeDisabled()
  await page.keyboard.press('j')
  await expect.poll(() => parameter(page, 'id')).toBe(ids[1])
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await drawer.getByRole('button', { name: 'Copy link' }).click()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(page.url())
  await page.keyboard.press('Escape')
  await expect(linksOf(page).nth(1)).toBeFocused()

  await page.goto(list(`?id=${ids[3]}`))
  await expect(drawer.getByRole('button', { name: /^Copy ID/ })).toBeVisible()
  await expect(drawer).toContainText('Not sent')
  await page.goto(list(`?id=${ids[2]}`))
  await expect(drawer.getByRole('button', { name: /^Copy ID/ })).toBeVisible()
  // One step would repeat the outcome above.
  await expect(drawer.getByRole('region', { name: 'Timeline' })).toHaveCount(0)
  await page.goto(list('?id=00000000-0000-7000-8000-000000000000'))
  await expect(drawer).toContainText('No such settlement')
})

test('ranges, reasons, words and orders narrow and sort the list, in the URL', { tag: '@long' }, async ({ page }) => {
  await merchantWith(page, 120)
  await page.goto(list())
  await expect(linksOf(page)).toHaveCount(50)
  await page.getByLabel('Range of time').selectOption('Today')
  await page.waitForURL(({ searchParams }) => searchParams.has('from') && searchParams.has('to'))
  await expect(linksOf(page)).toHaveCount(new Date().getUTCHours())
  await page.getByLabel('Range of time').selectOption('Custom range')
  const yesterday = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10)
  await page.getByLabel('First day', { exact: true }).fill(yesterday)
  const last = page.getByRole('button', { name: 'Calendar: last day' })
  await last.click()
  await expect(page.getByRole('dialog', { name: 'Last day' }).locator('[aria-current="date"]')).toBeFocused()
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.press('Enter')
  await expect(page.getByLabel('Last day', { exact: true })).toHaveValue(inWords(yesterday))
  await expect(last).toBeFocused()
  await page.getByLabel('First minute').fill('1:00')
  await page.getByLabel('First minute').press('Enter')
  await expect(page.getByLabel('First minute')).toHaveValue('01:00')
  await page.getByLabel('Last minute').fill('02:59')
  await expect(linksOf(page)).toHaveCount(2)
  await page.getByLabel('Range of time').selectOption('All time')
  await choose(page, 'Reason', 'Insufficient funds')
  await expect(linksOf(page)).toHaveCount(30)
  await page.getByRole('button', { name: 'Clear reason filter' }).click()
  await outcomeOf(page, 'All').click()
  await expect(linksOf(page)).toHaveCount(50)

  const search = page.getByRole('searchbox', { name: 'Search settlements' })
  await search.fill('weath')
  await search.press('Enter')
  await expect(linksOf(page)).toHaveCount(40)
  await search.fill('zebra')
  await search.press('Enter')
  await expect(page.getByRole('heading', { name: 'No settlements match “zebra”' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Clear search' })).toHaveCount(1)
  await expect(page.getByRole('alert').filter({ hasText: /\w/ })).toHaveCount(0)
  await page.getByRole('button', { name: 'Empty the search' }).click()
  await expect(search).toBeFocused()
  await expect(search).toHaveValue('')
  await expect(linksOf(page)).toHaveCount(50)

  await expect(linksOf(page).first()).toHaveText(/^[A-Z][a-z]{2} \d{1,2}, (\d{4}, )?\d{2}:\d{2}:\d{2}/)
  await page.getByRole('button', { name: 'USDC' }).click()
  await expect(page.getByRole('columnheader', { name: 'USDC' })).toHaveAttribute('aria-sort', 'descending')
  await expect(linksOf(page).first().locator('xpath=ancestor::tr')).toContainText('0.12')
  await page.getByRole('button', { name: 'Time (UTC)' }).click()
  await page.getByRole('button', { name: 'Time (UTC)' }).click()
  await expect(page).toHaveURL(/sort=oldest/)
  await page.getByRole('button', { name: 'Next' }).click()
  await page.getByRole('button', { name: 'Next' }).click()
  await expect(linksOf(page)).toHaveCount(20)
})

test('columns, density and zone are kept in the URL and for the next visit', { tag: '@long' }, async ({ page }) => {
  await merchantWith(page, 3)
  await page.goto(list())
  await page.getByRole('button', { name: 'View' }).click()
  await page.getByRole('checkbox', { name: 'Network' }).uncheck()
  await page.getByRole('checkbox', { name: 'Reason' }).check()
  await page.getByRole('radio', { name: 'Compact' }).check()
  await page.keyboard.press('Escape')
  await expect(page).toHaveURL(/columns=.*reason.*density=compact/)
  await page.goto(list('?zone=Asia/Kathmandu'))
  await expect(page.getByRole('columnheader', { name: 'Time (UTC+05:45)' })).toBeVisible()
  await expect(page.getByRole('columnheader', { name: 'Reason' })).toBeVisible()
  await expect(page.getByRole('columnheader', { name: 'Network' })).toHaveCount(0)
  await linksOf(page).first().click()
  await expect(drawerOf(page)).toContainText('UTC+05:45')
})

test('new settlements wait while the reader is further down, and can be paused', { tag: '@long' }, async ({ page }) => {
  const { url } = await merchantWith(page, 60)
  await page.goto(list())
  await expect(linksOf(page)).toHaveCount(50)
  await page.evaluate(() => scrollTo(0, 900))
  await buy(url)
  await page.getByRole('button', { name: '1 new settlement' }).click()
  await expect(linksOf(page)).toHaveCount(51)
  await page.getByRole('button', { name: /^Live updates on:/ }).click()
  await expect(page.getByRole('button', { name: /^Paused:/ })).toBeVisible()
  await page.goto(list(`?from=2026-01-01T00:00:00Z&to=2026-01-02T00:00:00Z`))
  await expect(page.getByRole('heading', { name: 'No settlements match these filters' })).toBeVisible()
  await expect(page.getByRole('button', { name: /^Live updates on:/ })).toHaveCount(0)
})

test('a file has the filters of the screen, the key and the time in the zone', { tag: '@long' }, async ({ page }) => {
  await merchantWith(page, 20)
  await page.goto(list('?status=failed&reason=insufficient_funds&zone=Asia/Kathmandu'))
  await expect(linksOf(page)).toHaveCount(5)
  const downloading = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export', exact: true }).click()
  await page.getByRole('link', { name: 'Export JSON', exact: true }).click()
  const rows = JSON.parse(await readFile(await (await downloading).path(), 'utf8'))
  expect(rows).toHaveLength(5)
  expect(rows[0]).toMatchObject({ key_name: 'the shop', time_zone: 'Asia/Kathmandu', utc_offset: 'UTC+05:45', asset: 'USDC' })
})

test('on a phone the filters are one row, and one menu has the exports and the zone', { tag: '@long' }, async ({ page }) => {
  await merchantWith(page, 12)
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto(list())
  await outcomeOf(page, 'Failed').click()
  const rows = page.locator('li [data-opens]')
  await expect(rows).toHaveCount(3)
  await rows.first().click()
  await expect(drawerOf(page).getByRole('button', { name: /^Copy ID/ })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(rows.first()).toBeFocused()
  await page.getByRole('button', { name: 'More' }).click()
  await expect(page.getByRole('link', { name: 'Export CSV', exact: true })).toBeVisible()
  await page.getByRole('radio', { name: 'UTC', exact: true }).check()
  const filters = page.getByRole('search')
  const pills = [
    ...['Range of time', 'Order'].map((name) => filters.getByLabel(name, { exact: true })),
    ...['Reason', 'Network', 'Key', 'Resource', 'Payer'].map((name) => filters.getByRole('button', { name, exact: true })),
  ]
  const tops = pills.map((pill) => pill.evaluate((one) => Math.round((one.closest('span') ?? one).getBoundingClientRect().top)))
  expect(new Set(await Promise.all(tops)).size).toBe(1)
})

test('a merchant at /payments sees what to do, and no skeleton', { tag: '@long' }, async ({ page }) => {
  await signInAsMerchant(page)
  await page.goto(`${service().baseUrl}/payments`)
  await expect(page.getByRole('heading', { name: 'This screen is for wallets' })).toBeVisible()
  await expect(page.locator('.pulse')).toHaveCount(0)
})

test('the console names owner and tenant, and each leads to its settlements', async ({ page, browser }) => {
  const merchant = await browser.newPage()
  const { user } = await merchantWith(merchant, 4)
  await merchant.close()
  await signInAsAdmin(page)
  await page.goto(`${service().baseUrl}/console/history`)
  await page.getByRole('link', { name: user }).first().click()
  await page.waitForURL(({ searchParams }) => searchParams.get('owner') === user)
  await expect(linksOf(page)).toHaveCount(4)
  // Longer than a search waits for the next key: what a link set stays.
  await page.waitForTimeout(600)
  await page.getByRole('button', { name: /^Owner/ }).click()
  await expect(page.getByLabel('Owner or tenant ID')).toHaveValue(user)
  await page.keyboard.press('Escape')
  await expect(linksOf(page)).toHaveCount(4)
  await page.getByRole('link', { name: 'the shop' }).first().click()
  await page.waitForURL(({ searchParams }) => searchParams.has('tenant') && !searchParams.has('owner'))
  await expect(linksOf(page)).toHaveCount(4)
  // A link of an earlier version names a column that is now part of another.
  await page.goto(`${service().baseUrl}/console/history?columns=tenant,amount`)
  await expect(page.getByRole('columnheader')).toHaveText(['Time (UTC)', 'USDC'])
})
