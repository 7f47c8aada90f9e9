import { expect } from '@playwright/test'
import { test } from './journey'
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
