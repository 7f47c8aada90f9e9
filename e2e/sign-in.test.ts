import { expect } from '@playwright/test'
import { generatePrivateKey } from 'viem/accounts'
import { casesOf } from '../test/support/long-run'
import { signInAsAdmin, unfoldAndEnter } from './accounts'
import { test } from './journey'
import { service } from './test-service'
import { ETHEREUM, giveEthereumWallet } from './wallets'

test('a failed sign-in explains why and what to do', async ({ page }) => {
  const callback = `${service().baseUrl}/api/auth/callback/oidc`
  await page.goto(`${callback}?${new URLSearchParams({ error: 'access_denied', error_description: 'no account' })}`)
  await expect(page.getByRole('alert').filter({ hasText: 'Your identity provider denied access' })).toBeVisible()
  // A callback without a sign-in of this browser.
  await page.goto(`${callback}?${new URLSearchParams({ code: 'made-up', state: 'made-up' })}`)
  await expect(page.getByRole('alert').filter({ hasText: 'The sign-in did not complete' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Continue with single sign-on' })).toBeVisible()
})

test('a sign-in link redirects only within this service', async ({ page }) => {
  const often = ['/%09/evil.example', 'https://evil.example']
  for (const to of casesOf(often, ['/%0A%5Cevil.example', '%5C%5Cevil.example', 'javascript:alert(1)'])) {
    await page.goto(`${service().baseUrl}/sign-in?to=${to}`)
    await unfoldAndEnter(page, service().adminKey)
    await page.waitForURL((url) => url.pathname !== '/sign-in')
    expect(new URL(page.url()).origin).toBe(service().baseUrl)
    await page.getByRole('navigation', { name: 'Screens' }).waitFor()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.waitForURL(({ pathname }) => pathname === '/home')
  }
})

test("the admin key's part unfolds by keyboard and takes the focus", { tag: '@long' }, async ({ page }) => {
  await page.goto(`${service().baseUrl}/sign-in`)
  const key = page.getByLabel('Admin key')
  await page.getByText('Operator? Sign in with the admin key').waitFor()
  await page.getByRole('region', { name: 'I run an agent' }).getByRole('button', { name: 'Open my agent' }).focus()
  await page.keyboard.press('Tab')
  await expect(key).toBeHidden()
  await page.keyboard.press('Enter')
  await expect(key).toBeFocused()
})

test('the sign-in page asks what one comes for, with nothing chosen, and leads there', async ({ page }) => {
  await giveEthereumWallet(page, generatePrivateKey())
  for (const [role, way, screen] of [
    ['I pay for APIs', 'See my payments', '/payments'],
    ['I run an agent', 'Open my agent', '/agent'],
  ] as const) {
    await page.goto(`${service().baseUrl}/sign-in`)
    const ways = page.getByRole('region', { name: role })
    const wallets = ways.getByRole('button', { name: way })
    await expect(wallets).toHaveAttribute('aria-expanded', 'false')
    await expect(page.getByRole('main').getByRole('listitem').getByRole('button')).toHaveCount(0)
    await wallets.click()
    await ways.getByRole('button', { name: ETHEREUM }).click()
    await page.waitForURL(({ pathname }) => pathname === screen)
  }
  // Who was sent here from a screen sees the ways in of that one.
  await page.goto(`${service().baseUrl}/sign-in?to=/payments`)
  await expect(page.getByText('Sign in to open Payments.')).toBeVisible()
  await expect(page.getByRole('region', { name: 'I pay for APIs' }).getByRole('button', { name: ETHEREUM })).toBeVisible()
})

test('wallets that load move no other way to sign in', { tag: '@long' }, async ({ page }) => {
  await page.goto(`${service().baseUrl}/sign-in?to=/payments`)
  const merchant = page.getByRole('button', { name: 'Continue with single sign-on' })
  const before = await merchant.boundingBox()
  const wallets = page.getByRole('region', { name: 'I pay for APIs' }).getByRole('list')
  await wallets.getByRole('listitem').first().waitFor()
  await page.waitForTimeout(1_000)
  expect(await merchant.boundingBox()).toEqual(before)
})

test('a copied cookie is invalid after sign-out', async ({ page, context }) => {
  await signInAsAdmin(page)
  const copied = await context.cookies(service().baseUrl)
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.waitForURL(({ pathname }) => pathname === '/home')
  await context.addCookies(copied)
  const { result } = await (await page.request.get(`${service().baseUrl}/api/trpc/session.get`)).json()
  expect(result.data.who).toBeNull()
  await page.goto(`${service().baseUrl}/console`)
  await page.waitForURL((url) => url.pathname === '/sign-in')
})

test('an account at a screen of others gets links to its own and to the sign-in for that one', { tag: '@long' }, async ({
  page,
}) => {
  await signInAsAdmin(page)
  await page.goto(`${service().baseUrl}/dashboard/keys`)
  const main = page.getByRole('main')
  await expect(main.getByRole('heading', { name: 'This screen is for merchants' })).toBeVisible()
  await expect(main.getByRole('link', { name: 'Open Platform' })).toHaveAttribute('href', '/console')
  await main.getByRole('link', { name: 'Sign in as a merchant' }).click()
  await page.waitForURL(({ pathname, searchParams }) => pathname === '/sign-in' && searchParams.get('to') === '/dashboard/keys')
  // It starts the sign-in at the identity provider.
  await expect(page.getByRole('main').getByRole('button', { name: 'Continue with single sign-on' })).toBeVisible()
})
