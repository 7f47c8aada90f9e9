import { expect } from '@playwright/test'
import { newUser, signInWithKey } from './accounts'
import { addSettlements } from './database'
import { test } from './journey'
import { buy } from './merchant'
import { service } from './test-service'

test('a visitor reads the status of each tier, with bounds, reasons and the same as JSON', async ({ page, browser }) => {
  const owner = newUser()
  await buy(await signInWithKey(page, 'status', owner))
  // About fifteen of each call are of Base Sepolia and of the last 24 hours.
  for (let times = 0; times < 4; times++) await addSettlements(owner, 60)
  const visitor = await browser.newPage({ viewport: { width: 390, height: 844 } })
  await visitor.goto(`${service().baseUrl}/home`)
  await visitor.getByRole('navigation', { name: 'Footer' }).getByRole('link', { name: 'Status' }).click()
  await visitor.waitForURL('**/status')
  await expect(visitor.getByRole('status')).toHaveText('All configured networks are accepting payments.')
  const standard = visitor.getByRole('article', { name: 'Standard on Base Sepolia' })
  await expect(standard).toContainText('Available')
  await expect(standard).toContainText('Queue empty')
  await expect(standard.getByRole('row', { name: /^24 hours/ })).toContainText('at least')
  await standard.getByText('Why payments failed').click()
  await expect(standard.getByRole('link', { name: 'Insufficient funds' })).toBeVisible()
  await expect(visitor.getByRole('article', { name: 'Sandbox on Base Sepolia' })).toContainText('Available')
  expect(await visitor.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true)
  const json = await visitor.request.get(`${service().baseUrl}/status.json`, { headers: { origin: 'https://other.test' } })
  expect(json.headers()).toMatchObject({ 'access-control-allow-origin': '*', 'cache-control': 'public, max-age=60' })
  expect(await json.json()).toMatchObject({ available: true, claim_min: 20 })
  expect(await json.text()).not.toContain(owner)
  await visitor.getByRole('link', { name: 'The same as JSON' }).click()
  await visitor.waitForURL('**/status.json')
  await visitor.close()
})
