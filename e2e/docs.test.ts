import { expect } from '@playwright/test'
import { signInAsMerchant } from './accounts'
import { test } from './journey'
import { service } from './test-service'

const at = (path: string) => `${service().baseUrl}${path}`

test('a reader finds an error code with the keyboard, and goes on to the next page', { tag: '@long' }, async ({ page }) => {
  await page.goto(at('/docs'))
  await page.getByRole('button', { name: 'Search' }).waitFor()
  await expect(async () => {
    await page.keyboard.press('/')
    await expect(page.getByRole('combobox')).toBeFocused({ timeout: 1_000 })
  }).toPass()
  await page.keyboard.type('settlement pend')
  await expect(page.getByRole('option').first()).toContainText('settlement_pending')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/docs\/errors#reason-settlement_pending$/)
  await expect(page.locator('#reason-settlement_pending')).toBeInViewport()
  await page.getByRole('navigation', { name: 'Previous and next page' }).getByRole('link', { name: 'Next' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Headers')
})

test('a reader filters the reasons, and a link to a reason opens its group', { tag: '@long' }, async ({ page }) => {
  await page.goto(at('/docs/errors'))
  const balance = page.locator('#reason-invalid_exact_evm_insufficient_balance')
  await expect(balance).toBeHidden()
  await expect(async () => {
    await page.getByLabel('Find a reason').fill('')
    await page.getByLabel('Find a reason').fill('insufficient balance')
    await expect(balance).toBeVisible({ timeout: 1_000 })
  }).toPass()
  await expect(page.locator('#reasons-chain')).toBeHidden()
  await page.getByLabel('Find a reason').fill('no such words')
  await page.getByRole('button', { name: 'Show all reasons' }).click()
  await expect(page.locator('#reasons-chain')).toBeVisible()
  await page.goto('about:blank')
  await page.goto(at('/docs/errors#reason-queue_full'))
  await expect(page.locator('#reason-queue_full')).toBeInViewport()
})

test('the list of a page has the groups of reasons, and opens the chosen one', { tag: '@long' }, async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.goto(at('/docs/errors'))
  await expect(page.locator('#reason-insufficient_funds')).toBeHidden()
  const link = page.getByRole('navigation', { name: 'On this page' }).getByRole('link', { name: 'Balance and funds' })
  await expect(async () => {
    await link.click()
    await expect(page.locator('#reason-insufficient_funds')).toBeInViewport({ timeout: 1_000 })
  }).toPass()
})

test('a page that does not exist names its path and searches the documentation', { tag: '@long' }, async ({ page }) => {
  await page.goto(at('/no-such-page'))
  await expect(page.getByText('There is no page /no-such-page')).toBeVisible()
  await page.getByRole('button', { name: 'Search for “no such page”' }).click()
  await page.getByRole('combobox').fill('webhooks')
  await expect(page.getByRole('option').first()).toBeVisible()
  await page.keyboard.press('Enter')
  await page.waitForURL(at('/docs/webhooks'))
})

test('a missing page of the documentation keeps the menu and names the nearest page', { tag: '@long' }, async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 900 })
  for (const path of ['/docs/webhook', '/docs/guides/webhooks']) {
    const response = await page.goto(at(path))
    expect(response?.status()).toBe(404)
    await expect(page.getByRole('navigation', { name: 'Documentation' })).toBeVisible()
    await expect(page.getByRole('main').getByRole('link').first()).toContainText('Webhooks')
  }
  await page.goto(at('/docs/start'))
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Quick start')
})

test('a code block is copied with one button that confirms it', { tag: '@long' }, async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.goto(at('/docs/quickstart'))
  const block = page.getByRole('figure').filter({ hasText: 'Check the server' })
  await expect(async () => {
    await block.getByRole('button', { name: 'Copy' }).click()
    await expect(block.getByText('Copied')).toBeVisible({ timeout: 1_000 })
  }).toPass()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('curl -i http://localhost:8402/weather')
})

test('the menu lists the operations of a wide page and marks the one in view', { tag: '@long' }, async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.goto(at('/docs/api/payments#settle'))
  const menu = page.getByRole('navigation', { name: 'Documentation' })
  await expect(menu.getByRole('link', { name: 'Settle a payment' })).toHaveAttribute('aria-current', 'location')
  await expect(menu.getByRole('link', { name: 'Payments', exact: true })).toHaveAttribute('aria-current', 'page')
})

test('links to anchors of the former single page lead to the text', { tag: '@long' }, async ({ page }) => {
  for (const [anchor, address] of [
    ['reason-kyt_flagged', '/docs/errors#reason-kyt_flagged'],
    ['webhooks', '/docs/webhooks'],
    ['getBalance', '/docs/api/agents#getBalance'],
  ]) {
    await page.goto('about:blank')
    await page.goto(at(`/docs#${anchor}`))
    await page.waitForURL(at(address ?? ''))
  }
})

test('the chosen language holds for every program, after a reload, without a move of the page', { tag: '@long' }, async ({
  page,
}) => {
  await page.goto(at('/docs/api/payments'))
  const requests = page.getByRole('tablist', { name: 'Example request' })
  await expect(requests.first().getByRole('tab', { name: 'curl' })).toHaveAttribute('aria-selected', 'true')
  await expect(async () => {
    await requests.first().getByRole('tab', { name: 'Python' }).click()
    await expect(requests.nth(1).getByRole('tab', { name: 'Python' })).toHaveAttribute('aria-selected', 'true', {
      timeout: 1_000,
    })
  }).toPass()
  await page.keyboard.press('ArrowLeft')
  await expect(requests.first().getByRole('tab', { name: 'TypeScript' })).toBeFocused()
  await page.keyboard.press('ArrowRight')
  await page.goto(at('/docs/quickstart'), { waitUntil: 'commit' })
  await expect(page.getByText('from http.server import')).toBeVisible()
  await expect(page.getByText('import express from')).toBeHidden()
})

test('a phone has the menu as a drawer', { tag: '@long' }, async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto(at('/docs/webhooks'))
  const menu = page.getByRole('dialog', { name: 'Documentation' })
  await expect(async () => {
    await page.getByRole('button', { name: 'Menu' }).click()
    await expect(menu).toBeVisible({ timeout: 1_000 })
  }).toPass()
  await expect(menu.getByRole('link', { name: 'Webhooks' }).first()).toHaveAttribute('aria-current', 'page')
  await menu.getByRole('link', { name: 'Networks and assets' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Networks and assets')
  await expect(menu).toBeHidden()
})

test('public pages show who is signed in, and keep the theme', { tag: '@long' }, async ({ page }) => {
  await page.goto(at('/home'))
  await expect(page.getByRole('banner').getByRole('link', { name: 'Sign in' })).toBeVisible()
  await signInAsMerchant(page, 'public-reader')
  for (const path of ['/home', '/docs', '/catalog', '/no-such-page']) {
    await page.goto(at(path))
    const account = page.getByRole('banner').getByRole('link', { name: /^Dashboard/ })
    await expect(account).toHaveAttribute('href', '/dashboard')
    await expect(account).toContainText('public-reader')
  }
  await page.goto(at('/docs'))
  await page.getByRole('button', { name: 'Toggle theme' }).click()
  const theme = await page.locator('html').getAttribute('data-theme')
  await page.goto(at('/home'))
  await expect(page.locator('html')).toHaveAttribute('data-theme', theme ?? '')
})

test('each public page has a preview picture of its own', { tag: '@long' }, async ({ page, request }) => {
  const pictures = new Set<string>()
  for (const path of ['/home', '/docs', '/docs/webhooks', '/docs/api/sign-in', '/catalog', '/sign-in']) {
    await page.goto(at(path))
    const picture = await page.locator('meta[property="og:image"]').getAttribute('content')
    expect(picture).toMatch(new RegExp(`^${service().baseUrl}/pictures/`))
    const answer = await request.get(picture ?? '')
    expect([answer.status(), answer.headers()['content-type']]).toEqual([200, 'image/png'])
    expect(answer.headers()['cache-control']).toBe('public, max-age=86400')
    pictures.add(picture ?? '')
    expect(await page.locator('meta[property="og:title"]').getAttribute('content')).not.toBe('')
  }
  expect(pictures.size).toBe(6)
})
