import { expect } from '@playwright/test'
import { parseEventLogs } from 'viem'
import { usdcAbi } from '../devnet/abi'
import { connect } from '../devnet/client'
import { test } from './journey'
import { signInAsMerchant } from './people'
import { place } from './place'
import { payOnHome, transactionOn } from './playground'
import { rowOf } from './rows'

test('a visitor without a wallet pays on the home page: the money moves on the chain, and the merchant sees it', async ({
  page,
}) => {
  const transaction = await payOnHome(page)
  const receipt = await connect(84532, place().sepoliaUrl).getTransactionReceipt({ hash: `0x${transaction.slice(2)}` })
  expect(receipt.status).toBe('success')
  const moved = parseEventLogs({ abi: usdcAbi, eventName: 'Transfer', logs: receipt.logs })
  expect(moved.map(({ args }) => args.value)).toEqual([1_000n])

  const steps = page.locator('#try').getByRole('listitem')
  await expect(steps).toHaveCount(5)
  for (const step of await steps.all()) await expect(step).toContainText(/[\d,]+ ms/)
  await steps.nth(1).getByText('GET /weather → 402').click()
  await expect(steps.nth(1)).toContainText('"amount": "1000"')
  await expect(page.getByRole('status')).toContainText('Lisbon')

  await page.getByRole('button', { name: 'Pay once more' }).click()
  await expect(page.getByRole('button', { name: 'Pay once more' })).toBeVisible()
  const second = await transactionOn(page)
  expect(second).not.toBe(transaction)

  const seen = await page.getByRole('link', { name: 'See it as the merchant does' }).getAttribute('href')
  await signInAsMerchant(page, 'sample-merchant')
  await page.goto(`${place().baseUrl}${seen}`)
  await expect(rowOf(page, second)).toBeVisible()
})

test('a visitor whom no merchant answers is told so, and may try again', async ({ page }) => {
  await page.goto(`${place().baseUrl}/home`)
  await page.route('**/weather', (route) => route.abort())
  await page.getByRole('button', { name: 'Try a payment' }).click()
  await expect(page.getByRole('alert').filter({ hasText: 'cannot be reached' })).toBeVisible()
  await page.unroute('**/weather')
  await page.getByRole('button', { name: 'Try again' }).click()
  expect(await transactionOn(page)).toMatch(/^0x/)
})
