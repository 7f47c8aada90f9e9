import { expect } from '@playwright/test'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { goTo, newUser, signInAsMerchant, signInWithKey, signInWithWallet } from './accounts'
import { addChannels } from './database'
import { test } from './journey'
import { buyByChannel, sendShown } from './merchant'
import { service } from './test-service'
import { ETHEREUM, giveEthereumWallet } from './wallets'

const ON_TEST = '/payments?environment=testnet'

test('a merchant without channels learns what they are and where the guide is', { tag: '@long' }, async ({ page }) => {
  await signInAsMerchant(page)
  await goTo(page, 'Channels')
  await expect(page.getByRole('heading', { name: /^No (live|test) channels yet$/ })).toBeVisible()
  await page.getByRole('link', { name: 'How to sell through channels' }).click()
  await expect(page).toHaveURL(/\/docs\/channels$/)
  await expect(page.getByRole('heading', { name: 'When to use channels' })).toBeVisible()
})

test('a merchant pages through its channels, finds one by its payer and opens it; the URL holds all of that', async ({
  page,
}) => {
  const user = newUser()
  await signInWithKey(page, 'the stream', user)
  await addChannels(user, 60)
  await page.goto(`${service().baseUrl}/dashboard/channels?environment=testnet`)
  const rows = page.getByRole('table', { name: 'Channels' }).getByRole('row')
  await expect(rows).toHaveCount(51)
  await expect(page.getByRole('list', { name: 'Sums' })).toContainText(
    /Claimed, all time1\.83 USDC60 channels on Base Sepolia.*Not yet claimed0 USDC ?All claimed/,
  )
  await page.getByRole('button', { name: 'Older' }).click()
  await expect(rows).toHaveCount(11)
  await page.getByRole('button', { name: 'Newer' }).click()
  await expect(rows).toHaveCount(51)

  const payer = `0x${'7'.padStart(40, 'd')}`
  await page.getByRole('searchbox', { name: 'Search payers' }).fill(payer)
  await expect(rows).toHaveCount(2)
  await expect(page).toHaveURL(new RegExp(`payer=${payer}`))
  await rows.nth(1).getByText('Closed').click()
  const drawer = page.getByRole('dialog', { name: 'Channel' })
  await expect(drawer).toContainText('USDC claimed')
  await expect(drawer).toContainText(/of 0\.0\d+ USDC deposited.*Claimed by another service, then closed/)
  await page.reload()
  await expect(drawer).toContainText('USDC claimed')
  await page.keyboard.press('Escape')
  await expect(drawer).toBeHidden()
  await page.getByLabel('State').selectOption('Withdrawing')
  await expect(page.getByRole('heading', { name: 'No channels match' })).toBeVisible()
  await page.getByRole('button', { name: 'Clear filters' }).first().click()
  await expect(rows).toHaveCount(51)
})

test('a closed channel that is the only one shows its timeline instead of sums', { tag: '@long' }, async ({ page }) => {
  const user = newUser()
  await signInWithKey(page, 'one stream', user)
  await addChannels(user, 1)
  await page.goto(`${service().baseUrl}/dashboard/channels?environment=testnet`)
  await expect(page.getByRole('region', { name: 'Timeline' })).toContainText(/Opened.*closed/)
  await expect(page.getByRole('list', { name: 'Sums' })).toHaveCount(0)
})

test('a payer sees its channel, starts the withdrawal that the page shows, and both sides see its deadline', async ({
  page,
  browser,
}) => {
  const key = generatePrivateKey()
  const url = await signInWithKey(page, 'the stream')
  await buyByChannel(url, key, 3)
  await page.goto(`${service().baseUrl}/dashboard/channels?environment=testnet`)
  await page.getByRole('table', { name: 'Channels' }).getByText('Open', { exact: true }).click()
  const drawer = page.getByRole('dialog', { name: 'Channel' })
  await expect(drawer).toContainText(/0\.0\d+ USDC charged, not yet claimed/)
  await expect(drawer).toContainText('Nothing is claimed yet.')
  await expect(drawer.getByText('Deadline')).toHaveCount(0)

  const payer = await (await browser.newContext()).newPage()
  await giveEthereumWallet(payer, key)
  await signInWithWallet(payer, ETHEREUM, ON_TEST)
  const channels = payer.getByRole('region', { name: 'Channels' })
  await expect(channels).toContainText(/0\.0\d+ USDC left\s*Open/)
  await expect(channels).toContainText('0.01 USDC deposited')
  await channels.getByRole('button', { name: 'Withdraw' }).click()
  const dialog = payer.getByRole('dialog', { name: 'Withdraw' })
  await expect(dialog).toContainText('Wait 15 min.')
  const [start = '', finish = ''] = await dialog.locator('figure pre').allTextContents()
  expect(finish).toContain('finalizeWithdraw(')
  await sendShown(start, key)
  // The service reads the chain every few seconds.
  await expect(async () => {
    await payer.reload()
    await expect(channels).toContainText(/Withdrawing.*You can take 0\.0\d+ USDC from/, { timeout: 2_000 })
  }).toPass()
  await expect(async () => {
    await page.reload()
    await expect(drawer).toContainText(/Deadline.*Claimed up to 0\.0\d+ USDC/, { timeout: 2_000 })
  }).toPass()
  await expect(drawer).toContainText('USDC claimed')
  await payer.context().close()
})

test('a payer pages through its channels', { tag: '@long' }, async ({ page }) => {
  const key = generatePrivateKey()
  const user = newUser()
  await signInWithKey(page, 'many streams', user)
  await addChannels(user, 60, privateKeyToAddress(key))
  await giveEthereumWallet(page, key)
  await signInWithWallet(page, ETHEREUM, ON_TEST)
  const channels = page.getByRole('region', { name: 'Channels' })
  const rows = channels.getByRole('row')
  await expect(rows).toHaveCount(51)
  await expect(channels.getByRole('button', { name: 'Withdraw' })).toHaveCount(0)
  await channels.getByRole('button', { name: 'Older' }).click()
  await expect(rows).toHaveCount(11)
  await page.reload()
  await expect(rows).toHaveCount(11)
  await channels.getByRole('button', { name: 'Newer' }).click()
  await expect(rows).toHaveCount(51)
})
