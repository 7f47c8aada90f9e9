import { expect } from '@playwright/test'
import { parseEventLogs } from 'viem'
import { usdcAbi } from '../devnet/abi'
import { connect } from '../devnet/client'
import { signInAsMerchant } from './accounts'
import { test } from './journey'
import { payOnHome, transactionOn, tryPayment } from './playground'
import { rowOf } from './rows'
import { service } from './test-service'

test('a visitor without a wallet pays on the home page: money moves on-chain and the merchant sees it', async ({ page }) => {
  const transaction = await payOnHome(page)
  const receipt = await connect(84532, service().sepoliaUrl).getTransactionReceipt({ hash: `0x${transaction.slice(2)}` })
  expect(receipt.status).toBe('success')
  const moved = parseEventLogs({ abi: usdcAbi, eventName: 'Transfer', logs: receipt.logs })
  expect(moved.map(({ args }) => args.value)).toEqual([1_000n])

  const steps = page.locator('#try').getByRole('listitem')
  await expect(steps).toHaveCount(5)
  for (const step of await steps.all()) await expect(step).toContainText(/[\d,]+ ms/)
  await steps.nth(1).getByText('GET /weather → 402').click()
  await expect(steps.nth(1)).toContainText('"amount": "1000"')
  const paid = page.locator('#try')
  await expect(paid.getByRole('status').filter({ hasText: 'Lisbon' })).toBeVisible()
  const signed = paid.getByRole('region', { name: 'Signed receipt' })
  await expect(signed).toContainText('Signature valid')
  await signed.getByRole('button', { name: 'Check again' }).click()
  await expect(signed).toContainText('Signature valid')
  await expect(paid.getByRole('article', { name: 'Payment receipt' })).toContainText('0.001 USDC')
  await expect(paid.getByRole('link', { name: 'see the whole server' })).toBeVisible()

  await page.getByRole('button', { name: 'Pay again' }).click()
  await expect(page.getByRole('button', { name: 'Pay again' })).toBeVisible()
  const second = await transactionOn(page)
  expect(second).not.toBe(transaction)

  const seen = await page.getByRole('link', { name: 'view it as the merchant' }).getAttribute('href')
  // A merchant with real payments sees Live first.
  expect(seen).toContain('environment=testnet')
  await signInAsMerchant(page, 'sample-merchant')
  await page.goto(`${service().baseUrl}${seen}`)
  await expect(rowOf(page, second)).toBeVisible()
})

test('the receipt of the home page is printed by a real payment, and nothing else moves', async ({ page }) => {
  await page.goto(`${service().baseUrl}/home`)
  const print = page.getByRole('button', { name: 'Print a live receipt' })
  const receipt = page.getByRole('article', { name: /^A receipt/ })
  await expect(receipt).toContainText('Example')
  const below = page.getByRole('heading', { name: 'One payment, step by step' })
  const before = await below.boundingBox()
  await expect(async () => {
    await print.click()
    await expect(page.getByRole('button', { name: 'Print a live receipt' })).toHaveCount(0, { timeout: 1_000 })
  }).toPass()
  await expect(page.getByText(/^Paid and settled in [\d,]+ ms/)).toBeVisible()
  await expect(receipt).toContainText('0.001 USDC')
  await expect(receipt).toContainText('Settled')
  await expect(receipt).toContainText(/Base Sepolia.*in [\d,]+ ms/)
  await expect(receipt).not.toContainText('Example')
  expect((await below.boundingBox())?.y).toBe(before?.y)
  await expect(page).toHaveURL(/\/home$/)
  await page.getByRole('link', { name: 'See every message' }).click()
  await expect(below).toBeInViewport()
  const steps = page.locator('#try').getByRole('listitem')
  for (const step of await steps.all()) await expect(step).toContainText(/[\d,]+ ms/)
  await expect(page.locator('#try').getByRole('region', { name: 'Signed receipt' })).toContainText('Signature valid')
})

test('a visitor sees that the merchant is unreachable and can retry', { tag: '@long' }, async ({ page }) => {
  await page.goto(`${service().baseUrl}/home`)
  await page.route('**/weather', (route) => route.abort())
  await tryPayment(page)
  await expect(page.getByRole('alert').filter({ hasText: 'cannot be reached' })).toBeVisible()
  await page.unroute('**/weather')
  await page.locator('#try').getByRole('button', { name: 'Try again' }).click()
  expect(await transactionOn(page)).toMatch(/^0x/)
})
