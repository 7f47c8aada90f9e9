import { expect } from '@playwright/test'
import { test } from './journey'
import { sharedReceipt, sharing } from './receipts'
import { service } from './test-service'

test('a merchant shares a receipt, a stranger verifies it, and a withdrawal ends its page until it is undone', async ({
  page,
  browser,
}) => {
  const path = await sharedReceipt(page)
  const url = `${service().baseUrl}${path}`
  const context = await browser.newContext({ reducedMotion: 'reduce' })
  const stranger = await context.newPage()
  await stranger.goto(url)
  const slip = stranger.getByRole('article', { name: 'Payment receipt' })
  const proofs = stranger.getByRole('region', { name: 'Signed receipt' })
  await expect(proofs).toContainText('Signature valid')
  await expect(proofs).toContainText('It was paid on a test network')
  await expect(stranger.getByRole('heading', { name: '0.001 USDC paid to localhost', level: 1 })).toBeVisible()
  await expect(slip).toContainText('0.001 USDC')
  await expect(slip.getByRole('img', { name: 'QR code: Scan to check this receipt.' })).toBeVisible()
  await expect(stranger.locator('meta[name="robots"]')).toHaveAttribute('content', 'noindex, nofollow')
  const picture = await stranger.request.get(`${url}/picture`)
  expect([picture.status(), picture.headers()['content-type']]).toEqual([200, 'image/png'])

  await sharing(page).getByRole('button', { name: 'Stop sharing' }).click()
  await expect(sharing(page)).toContainText('The link no longer works.')
  const gone = await stranger.goto(url)
  expect(gone?.status()).toBe(404)
  await expect(stranger.getByRole('heading', { name: 'No receipt at this link' })).toBeVisible()
  const unknown = await stranger.goto(`${service().baseUrl}/r/${'x'.repeat(22)}`)
  expect(unknown?.status()).toBe(404)

  await sharing(page).getByRole('button', { name: 'Undo' }).click()
  await expect(sharing(page).getByRole('link', { name: 'Open' })).toHaveAttribute('href', url)
  await stranger.goto(url)
  await expect(proofs).toContainText('Signature valid')
  await context.close()
})

test('a receipt of a key that the service does not publish is not called valid', async ({ page }) => {
  const path = await sharedReceipt(page)
  // The keys of another service.
  await page.route('**/.well-known/jwks.json', (route) => route.fulfill({ json: { keys: [] } }))
  await page.goto(`${service().baseUrl}${path}`)
  await expect(page.getByRole('region', { name: 'Signed receipt' })).toContainText('publishes no key')
  await expect(page.getByRole('region', { name: 'Signed receipt' }).getByText('Do not trust this receipt')).toBeVisible()
  await expect(page.getByText('Signature valid')).toHaveCount(0)
})
