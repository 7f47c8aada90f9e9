import { readFile } from 'node:fs/promises'
import { expect, type Page } from '@playwright/test'
import { actionOf, goTo, keep, makeKey, newUser, signInAsMerchant, signInOnPages, signInWithKey } from './accounts'
import { moveToYesterday } from './database'
import { test } from './journey'
import { buy } from './merchant'
import { rowOf, rowsOf } from './rows'
import { service } from './test-service'

const KEY = /\/v1\/(qt_[\w-]{43})$/

const seeSettlements = (page: Page) => page.goto(`${service().baseUrl}/dashboard/settlements`)

test('a merchant creates a key, shown once, and sees a payment through it arrive live', async ({ page }) => {
  await signInOnPages(page)
  const url = await makeKey(page, 'the shop')
  const [, secret = ''] = KEY.exec(url) ?? []
  expect(secret).not.toBe('')
  await page.reload()
  await expect(page.getByRole('heading', { name: 'the shop' })).toBeVisible()
  expect(await page.content()).not.toContain(secret)

  await goTo(page, 'Settlements')
  await expect(page.getByRole('heading', { name: 'No test settlements yet' })).toBeVisible()
  await expect(page.locator('[inert]')).toContainText('Example')
  await page.evaluate(() => Object.assign(window, { isStillTheSamePage: true }))
  const transaction = await buy(url)
  const row = rowOf(page, transaction)
  await expect(row).toBeVisible()
  await expect(row).toContainText('Settled')
  await expect(row).toContainText('0.001')
  expect(await page.evaluate(() => Reflect.get(window, 'isStillTheSamePage'))).toBe(true)

  await row.getByRole('link').first().click()
  const drawer = page.getByRole('dialog', { name: 'Settlement' })
  await expect(drawer.getByRole('button', { name: `Copy transaction ${transaction}` })).toBeVisible()
  const timeline = drawer.getByRole('region', { name: 'Timeline' })
  for (const step of ['Verified and claimed', 'Sent to the network', 'Included in a block', 'Final']) {
    await expect(timeline).toContainText(step)
  }
  await expect(timeline).toContainText(/Sent to the network · \+[\d.]+ m?s/)
  await expect(timeline).toContainText(/Settled in [\d.]+ m?s, final after [\d.]+ m?s/)
  await page.keyboard.press('Escape')
  await expect(drawer).toBeHidden()
})

test('the filtered list exports as CSV and JSON', async ({ page }) => {
  const url = await signInWithKey(page, 'exporter')
  const transactions = [await buy(url), await buy(url)]
  await seeSettlements(page)
  await expect(rowsOf(page)).toHaveCount(2)
  expect((await exportOf(page, 'CSV')).trimEnd().split('\r\n')).toEqual([
    expect.stringMatching(/^created_at,outcome,amount,asset,attempted_amount,/),
    ...transactions.toReversed().map((hash) => expect.stringContaining(`,${hash},`)),
  ])
  expect(JSON.parse(await exportOf(page, 'JSON'))).toMatchObject(
    transactions.toReversed().map((tx_hash) => ({ tx_hash, amount_usdc: '0.001', outcome: 'settled' })),
  )
  await page.getByRole('searchbox', { name: 'Search settlements' }).fill(transactions[0] ?? '')
  await page.keyboard.press('Enter')
  await expect(rowsOf(page)).toHaveCount(1)
  const narrowed = await exportOf(page, 'CSV')
  expect(transactions.map((hash) => narrowed.includes(hash))).toEqual([true, false])
})

test('settlements appear in the figures and as the last bar at once, and in their day later', async ({ page }) => {
  const user = newUser()
  await signInAsMerchant(page, user)
  const steps = page.getByRole('region', { name: 'Get your first payment' })
  await expect(steps).toContainText('0 of 3 done')
  await expect(steps.getByRole('link', { name: 'Create a key' })).toHaveAttribute('href', '/dashboard/start?step=key')
  await expect(page.locator('[inert]')).toContainText('Example')
  const url = await makeKey(page, 'for the figures')
  await goTo(page, 'Overview')
  await expect(steps).toContainText('1 of 3 done')
  await expect(steps.getByRole('link', { name: 'Copy the server code' })).toBeVisible()
  await buy(url)
  await buy(url)
  await goTo(page, 'Overview')
  const figure = (name: string) => page.getByRole('group', { name: 'Figure of the chart' }).getByRole('button', { name })
  await expect(figure('Settlements')).toContainText('2')
  // Until there are ten, the payments are there themselves.
  const payments = page.getByRole('list', { name: 'Payments' }).getByRole('link', { name: /^Receipt of 0\.001 USDC/ })
  await expect(payments).toHaveCount(2)
  await payments.first().click()
  await expect(page.getByRole('dialog', { name: 'Settlement' })).toContainText('0.001 USDC')
  await page.goBack()
  await figure('Settlements').click()
  await page.waitForURL(({ searchParams }) => searchParams.get('figure') === 'settlements')
  await expect(figure('Volume')).toContainText('$0.002')
  await expect(figure('Success rate')).toContainText('100.0%')
  await expect(figure('Settle time')).toContainText(/\d ?m?s/)
  // All steps are done.
  await expect(steps).toHaveCount(0)
  // The only payments are on testnets.
  const environment = page.getByRole('group', { name: 'Live or test' })
  await expect(environment.getByRole('button', { pressed: true })).toHaveText('Test')
  const days = page.getByRole('table', { name: 'Settlements by day' }).getByRole('row')
  // A head and thirty days.
  await expect(days).toHaveCount(31)
  await expect(days.last()).toContainText(/Today so far.*2/)

  await moveToYesterday(user)
  await page.reload()
  await expect(days.last()).toContainText(/Today so far.*0/)
  await expect(days.nth(29).getByRole('cell').first()).toHaveText('2')
  await expect(figure('Settlements')).toContainText('2')

  const network = page.getByLabel('Network', { exact: true })
  await expect(network.getByRole('option')).toHaveText(['All networks', 'Base Sepolia', 'Solana devnet'])
  await network.selectOption('Solana devnet')
  await page.waitForURL(({ searchParams }) => searchParams.has('network'))
  await expect(page.getByRole('heading', { name: 'No payments in this period' })).toBeVisible()
  await environment.getByRole('button', { name: 'Live' }).click()
  await page.waitForURL(({ searchParams }) => searchParams.get('environment') === 'mainnet' && !searchParams.has('network'))
  await expect(network.getByRole('option')).toHaveText(['All networks', 'Base', 'Solana'])
  // The choice holds on every screen, and a link keeps it.
  await goTo(page, 'Settlements')
  await page.waitForURL((url) => url.search === '?environment=mainnet')
  await page.goto(`${service().baseUrl}/dashboard`)
  await expect(environment.getByRole('button', { pressed: true })).toHaveText('Live')
  await expect(page.getByRole('button', { name: 'Show Test payments' })).toBeVisible()
  await environment.getByRole('button', { name: 'Test' }).click()
  await expect(figure('Settlements')).toContainText('2')
})

test.describe('the chart of a merchant', () => {
  test.use({ timezoneId: 'Asia/Kathmandu' })

  test('switches figure, period and zone, opens a day by key and click, and zooms by dragging', { tag: '@long' }, async ({
    page,
  }) => {
    await buy(await signInWithKey(page, 'for the chart', undefined, '/dashboard/keys'))
    await goTo(page, 'Overview')
    const figure = page.getByRole('group', { name: 'Figure of the chart' })
    await figure.getByRole('button', { name: 'Success rate' }).click()
    await page.waitForURL(({ searchParams }) => searchParams.get('figure') === 'rate')
    await expect(page.getByRole('table', { name: 'Success rate by day' }).getByRole('row').last()).toContainText('100.0%')
    await figure.getByRole('button', { name: 'Payers' }).click()
    await expect(page.getByRole('table', { name: 'Payers by day' }).getByRole('row').last()).toContainText('1')
    await figure.getByRole('button', { name: 'Settlements' }).click()

    const periods = page.getByRole('group', { name: 'Period' })
    await periods.getByRole('button', { name: 'This month' }).click()
    await page.waitForURL(({ searchParams }) => searchParams.get('period') === 'this-month')
    await expect(page.getByRole('table', { name: 'Settlements by day' }).getByRole('row').last()).toContainText(/Today so far.*1/)
    await periods.getByRole('button', { name: '7 days' }).click()
    await page.waitForURL(({ searchParams }) => searchParams.get('days') === '7')
    const days = page.getByRole('table', { name: 'Settlements by day' }).getByRole('row')
    await expect(days).toHaveCount(8)
    await page.getByLabel('Time zone').selectOption('Asia/Katmandu')
    await page.waitForURL(({ searchParams }) => searchParams.has('zone'))
    await expect(days.last()).toContainText(/Today so far.*1/)

    const chart = page.getByRole('application', { name: /^Settlements by day/ })
    await chart.focus()
    for (let day = 0; day < 7; day++) await page.keyboard.press('ArrowRight')
    await expect(page.getByRole('status').filter({ hasText: 'Today so far' })).toBeVisible()
    await page.keyboard.press('Enter')
    await page.waitForURL(({ pathname }) => pathname === '/dashboard/settlements')
    const { searchParams } = new URL(page.url())
    expect(searchParams.get('from')).toMatch(/T18:15:00\.000Z$/)
    expect(searchParams.get('environment')).toBe('testnet')
    await page.goBack()

    await chart.waitFor()
    const { x, y, width } = (await chart.boundingBox()) ?? { x: 0, y: 0, width: 0 }
    await page.mouse.move(x + width - 20, y + 100)
    await page.mouse.down()
    await page.mouse.move(x + width / 2, y + 100, { steps: 5 })
    await page.mouse.up()
    await page.waitForURL(({ searchParams }) => searchParams.has('from') && searchParams.has('to'))
    const from = page.getByLabel('First day', { exact: true })
    await expect(from).toBeVisible()
    await from.fill('2026-01-01')
    await page.waitForURL(({ searchParams }) => searchParams.get('from') === '2026-01-01')
    await page.reload()
    await expect(from).toHaveValue('Jan 1, 2026')
    await page.goto(`${service().baseUrl}/dashboard?from=2026-01-01&to=2026-01-07`)
    await page.getByRole('button', { name: /^Show .+ – / }).click()
    // Few payments stand for themselves; with the chart come the leaders.
    await page.getByRole('button', { name: 'Show chart' }).click()
    await expect(page.getByRole('table', { name: 'Top resources' })).toContainText('100.0%')
    // The zone is remembered.
    await page.goto(`${service().baseUrl}/dashboard`)
    await expect(page.getByLabel('Time zone')).toHaveValue('Asia/Katmandu')
  })
})

test('a key without history settles and adds no row until history is on again', async ({ page }) => {
  const url = await signInWithKey(page, 'discreet', undefined, '/dashboard/keys')
  await page.getByRole('link', { name: 'discreet' }).click()
  const history = page.getByRole('switch', { name: 'Keep history' })
  await history.click()
  await expect(history).not.toBeChecked()
  const discreet = await buy(url)
  await expect(page.getByText('History is off for discreet.')).toBeVisible()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(history).toBeChecked()
  const seen = await buy(url)
  await seeSettlements(page)
  await expect(rowOf(page, seen)).toBeVisible()
  await expect(rowsOf(page)).toHaveCount(1)
  await expect(rowOf(page, discreet)).toBeHidden()
})

test('a revoked key cannot settle, and its settlements stay', async ({ page }) => {
  const url = await signInWithKey(page, 'for a while', undefined, '/dashboard/keys')
  const transaction = await buy(url)
  await actionOf(page, 'for a while', 'Revoke')
  const asked = page.getByRole('dialog', { name: 'Revoke this key' })
  await asked.getByRole('button', { name: 'Revoke key' }).click()
  await expect(page.getByText('1 revoked')).toBeVisible()
  await expect.poll(() => statusOf(`${url}/supported`)).toBe(401)
  await seeSettlements(page)
  await expect(rowOf(page, transaction)).toBeVisible()
})

test('the guard against second charges is chosen in the settings of a key', { tag: '@long' }, async ({ page }) => {
  await signInWithKey(page, 'guarded', undefined, '/dashboard/keys')
  await page.getByRole('link', { name: 'guarded' }).click()
  await page.waitForURL(/\/dashboard\/keys\/[\w-]{36}/)
  const shown = page.locator('dt', { hasText: 'Repeated payments' }).locator('+ dd')
  await expect(shown).toHaveText('Allowed')
  await page.getByRole('button', { name: 'Edit settings' }).click()
  const settings = page.getByRole('dialog', { name: 'Key settings' })
  const guard = settings.getByLabel('Repeated payments')
  await expect(guard.getByRole('option')).toHaveText([
    'Allowed',
    ...[30, 60, 300, 600].map((seconds) => `Refused for ${seconds} seconds`),
  ])
  await guard.selectOption('Refused for 60 seconds')
  await settings.getByRole('button', { name: 'Save' }).click()
  await expect(settings).toBeHidden()
  await expect(shown).toHaveText('Refused for 1 min')
  await page.getByRole('button', { name: 'Edit settings' }).click()
  await expect(guard).toHaveValue('60')
  await guard.selectOption('Allowed')
  await settings.getByRole('button', { name: 'Save' }).click()
  await expect(shown).toHaveText('Allowed')
})

test('the page of a key renames it, ends the earlier secret of a rotation, and logs both', async ({ page }) => {
  const url = await signInWithKey(page, 'old name', undefined, '/dashboard/keys')
  await buy(url)
  await page.reload()
  await expect(
    page.getByText('1 key for Live and Test · Keys on the same plan share its quota · 14 days of Test: 1 settled, 0 failed'),
  ).toBeVisible()
  await expect(page.getByText('1 settled', { exact: true })).toBeVisible()
  await page.getByRole('link', { name: 'old name' }).click()
  await page.waitForURL(/\/dashboard\/keys\/[\w-]{36}/)
  await expect(page.getByRole('heading', { name: 'old name', level: 1 })).toBeVisible()
  await expect(page.getByRole('region', { name: 'Usage' })).toContainText(/Last 30 days, Test.*USDC.?Settled.?1/)
  await page.getByRole('button', { name: 'Rename' }).click()
  const form = page.getByRole('dialog', { name: 'Rename key' })
  await form.getByLabel('Name (optional)').fill('')
  await form.getByRole('button', { name: 'Rename' }).click()
  await expect(page.getByRole('heading', { name: 'Unnamed key', level: 1 })).toBeVisible()

  await page.getByRole('button', { name: 'Rotate key' }).click()
  await page.getByRole('dialog', { name: 'Rotate this key?' }).getByRole('button', { name: 'Rotate key' }).click()
  const shown = page.getByRole('dialog', { name: 'Your key' })
  const rotated = (await shown.getByText(/^http/).textContent()) ?? ''
  await keep(shown)
  const secrets = page.getByRole('region', { name: 'Secrets' })
  await expect(secrets.getByText('Works until')).toBeVisible()
  expect(await statusOf(`${url}/supported`)).toBe(200)
  await secrets.getByRole('button', { name: 'End now' }).click()
  await page.getByRole('dialog', { name: 'End this secret now?' }).getByRole('button', { name: 'End now' }).click()
  await expect(secrets.getByText('Works until')).toHaveCount(0)
  await expect.poll(() => statusOf(`${url}/supported`)).toBe(401)
  expect(await statusOf(`${rotated}/supported`)).toBe(200)
  const changes = page.getByRole('region', { name: 'Changes' })
  await expect(changes).toContainText('“old name”')
  await expect(changes).toContainText('New secret')
  await page.goto(`${service().baseUrl}/dashboard/keys/00000000-0000-4000-8000-000000000000`)
  await expect(page.getByRole('heading', { name: 'No such key' })).toBeVisible()
})

test('a new key has the limits of its form, which its page shows and changes', async ({ page }) => {
  await signInAsMerchant(page)
  await page.goto(`${service().baseUrl}/dashboard/keys?new=true`)
  const form = page.getByRole('dialog', { name: 'New key' })
  await form.getByLabel('Name').fill('limited')
  await form.getByText('Add limits').click()
  await form.getByLabel('Recipients').fill('0x12')
  await form.getByRole('button', { name: 'Create key' }).click()
  await expect(form.getByLabel('Recipients')).toHaveAttribute('aria-invalid', 'true')
  await form.getByLabel('Recipients (payTo)').fill('')
  await expect(form.getByLabel('Recipients (payTo)')).not.toHaveAttribute('aria-invalid', 'true')
  await form.getByLabel('Maximum per payment').fill('0.0005')
  await form.getByRole('button', { name: 'Create key' }).click()
  const shown = page.getByRole('dialog', { name: 'Your key' })
  const url = (await shown.getByText(/^http/).textContent()) ?? ''
  await expect(shown.getByRole('button', { name: 'Open quick start' })).toBeDisabled()
  await keep(shown)
  expect(await statusOf(`${url}/supported`)).toBe(200)
  await expect(buy(url)).rejects.toThrow()

  await page.getByRole('button', { name: 'Actions of limited' }).focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('menuitem').first()).toBeFocused()
  await page.keyboard.type('Edit')
  await expect(page.getByRole('menuitem', { name: 'Edit settings' })).toBeFocused()
  await page.keyboard.press('Enter')
  // A choice in the menu of a row does not open the page of its key.
  await expect(page.getByRole('dialog', { name: 'Key settings' })).toBeVisible()
  await page.keyboard.press('Escape')
  await page.getByText('this month').click()
  await page.waitForURL(/\/dashboard\/keys\/[\w-]{36}/)
  await expect(page.getByRole('definition').filter({ hasText: /^0\.0005 USDC$/ })).toBeVisible()
  await expect(page.getByText(/\/v1\/<API_KEY>$/)).toBeVisible()
  await page.getByRole('button', { name: 'Edit settings' }).click()
  const settings = page.getByRole('dialog', { name: 'Key settings' })
  await settings.getByLabel('Maximum per payment').fill('')
  await settings.getByRole('button', { name: 'Save' }).click()
  await expect(settings).toBeHidden()
  await buy(url)
})

const statusOf = async (url: string) => (await fetch(url)).status

async function exportOf(page: Page, format: 'CSV' | 'JSON'): Promise<string> {
  const exported = page.getByRole('link', { name: `Export ${format}`, exact: true })
  if (!(await exported.isVisible())) await page.getByRole('button', { name: 'Export', exact: true }).click()
  const downloading = page.waitForEvent('download')
  await exported.click()
  return readFile(await (await downloading).path(), 'utf8')
}
