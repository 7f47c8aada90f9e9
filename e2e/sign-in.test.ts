import { expect } from '@playwright/test'
import { test } from './journey'
import { signInAsAdmin } from './people'
import { place } from './place'

test('who is not let in by the identity provider reads why, and what to do', async ({ page }) => {
  const callback = `${place().baseUrl}/api/auth/callback/oidc`
  await page.goto(`${callback}?${new URLSearchParams({ error: 'access_denied', error_description: 'no account' })}`)
  await expect(page.getByRole('alert').filter({ hasText: 'Your identity provider did not let you in' })).toBeVisible()
  // A sign-in that was never begun here: nothing of it is known to this browser.
  await page.goto(`${callback}?${new URLSearchParams({ code: 'made-up', state: 'made-up' })}`)
  await expect(page.getByRole('alert').filter({ hasText: 'The sign-in could not be finished' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Sign in as a merchant' })).toBeVisible()
})

test('a link to the sign-in leads nowhere but to this service', async ({ page }) => {
  for (const to of [
    '/%09/evil.example',
    '/%0A%5Cevil.example',
    '%5C%5Cevil.example',
    'https://evil.example',
    'javascript:alert(1)',
  ]) {
    await page.goto(`${place().baseUrl}/sign-in?to=${to}`)
    await page.getByLabel('Admin key').fill(place().adminKey)
    await page.getByRole('button', { name: 'Enter' }).click()
    await page.waitForURL((url) => url.pathname !== '/sign-in')
    expect(new URL(page.url()).origin).toBe(place().baseUrl)
    await page.getByRole('navigation', { name: 'Screens' }).waitFor()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.waitForURL('**/home')
  }
})

test('a cookie that was copied before a sign-out opens nothing after it', async ({ page, context }) => {
  await signInAsAdmin(page)
  const copied = await context.cookies(place().baseUrl)
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.waitForURL('**/home')
  await context.addCookies(copied)
  const { result } = await (await page.request.get(`${place().baseUrl}/api/trpc/session.get`)).json()
  expect(result.data.who).toBeNull()
  await page.goto(`${place().baseUrl}/console`)
  await page.waitForURL((url) => url.pathname === '/sign-in')
})
