import { expect, type Page } from '@playwright/test'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { newSecretKey } from '../devnet/solana/keys'
import { actionOf, goTo, makeKey, signInWithWallet } from './accounts'
import { test } from './journey'
import { buy, giveUsdc, settleByHand } from './merchant'
import { rowOf, rowsOf } from './rows'
import { service } from './test-service'
import { ETHEREUM, giveEthereumWallet, giveSolanaWallet, SOLANA } from './wallets'

test('a wallet charges with a free key, shown once, that pays only itself, sees the settlement and revokes the key', async ({
  page,
}) => {
  const key = generatePrivateKey()
  await giveEthereumWallet(page, key)
  await signInToCharge(page)
  const steps = page.getByRole('region', { name: 'Get your first payment' })
  await expect(steps).toContainText('0 of 3 done')
  const url = await makeKey(page, 'the stall')
  const secret = url.split('/').at(-1) ?? ''
  expect(secret).toMatch(/^qt_[\w-]{43}$/)
  await page.reload()
  await expect(page.getByRole('heading', { name: 'the stall' })).toBeVisible()
  // Every key of a wallet pays only that wallet: a badge would say nothing.
  await expect(page.getByText('Limited', { exact: true })).toHaveCount(0)
  expect(await page.content()).not.toContain(secret)

  const payer = generatePrivateKey()
  await giveUsdc(privateKeyToAddress(payer), 1_000_000n)
  expect(await settleByHand(url, payer)).toMatchObject({ success: false, errorReason: 'pay_to_not_allowed' })
  const transaction = await buy(url, payer, privateKeyToAddress(key))
  await goTo(page, 'Settlements')
  await expect(rowOf(page, transaction)).toContainText('Settled')
  await expect(rowOf(page, transaction)).toContainText('0.001')

  await goTo(page, 'API keys')
  await actionOf(page, 'the stall', 'Revoke')
  await page.getByRole('dialog', { name: 'Revoke this key' }).getByRole('button', { name: 'Revoke key' }).click()
  await expect(page.getByText('1 revoked')).toBeVisible()
  await expect.poll(async () => (await fetch(`${url}/supported`)).status).toBe(401)
  await goTo(page, 'Settlements')
  await expect(rowOf(page, transaction)).toBeVisible()
})

test('a wallet sees the keys and settlements of no other wallet', async ({ page, browser }) => {
  const [key, stranger] = [generatePrivateKey(), generatePrivateKey()]
  await giveEthereumWallet(page, key)
  await signInToCharge(page)
  const transaction = await buy(await makeKey(page, 'private'), undefined, privateKeyToAddress(key))
  await goTo(page, 'Settlements')
  await expect(rowOf(page, transaction)).toBeVisible()

  const context = await browser.newContext()
  const other = await context.newPage()
  await giveEthereumWallet(other, stranger)
  await signInWithWallet(other, ETHEREUM, '/dashboard/settlements?environment=testnet')
  await expect(other.getByRole('heading', { name: 'No test settlements yet' })).toBeVisible()
  await expect(rowsOf(other)).toHaveCount(0)
  await goTo(other, 'API keys')
  await expect(other.getByRole('heading', { name: 'No API keys yet' })).toBeVisible()
  await context.close()
})

test('a Solana wallet, whose keys work in Live only, is sent to no test payment', { tag: '@long' }, async ({ page }) => {
  await giveSolanaWallet(page, newSecretKey())
  await signInWithWallet(page, SOLANA, '/dashboard')
  const steps = page.getByRole('region', { name: 'Get your first payment' })
  await expect(steps.getByRole('link', { name: 'Make a payment' })).toHaveAttribute('href', /environment=mainnet/)
  await page.goto(`${service().baseUrl}/dashboard/keys?new=true`)
  await expect(page.getByRole('dialog', { name: 'New key' })).toContainText('A key works in Live only.')
  await page.goto(`${service().baseUrl}/dashboard/start?environment=testnet`)
  await page.getByRole('link', { name: 'Switch to Live' }).click()
  await expect(page.getByRole('button', { name: 'Create key' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Send a test payment' })).toHaveCount(0)

  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: /^Go to/ }).fill('payment')
  await expect(page.getByRole('option', { name: 'Send a test payment' })).toHaveCount(0)
  await page.getByRole('option', { name: 'Make a payment' }).click()
  await expect(page.getByRole('heading', { name: 'Make a payment' })).toBeVisible()
  await expect(page.getByText('This page cannot pay on Solana.')).toBeVisible()
  await expect(page.getByRole('link', { name: 'Switch to Live' })).toHaveCount(0)
})

test('the quick start of an Ethereum wallet names no network that the wallet cannot use', { tag: '@long' }, async ({ page }) => {
  await giveEthereumWallet(page, generatePrivateKey())
  await signInWithWallet(page, ETHEREUM, '/dashboard/start?environment=testnet&step=server')
  await expect(page.getByLabel('Your wallet address')).toBeVisible()
  await expect(page.getByRole('main')).not.toContainText('Solana')
})

test('the quick start refuses a wallet that would pay itself before it makes a key', async ({ page }) => {
  await giveEthereumWallet(page, generatePrivateKey())
  await signInWithWallet(page, ETHEREUM, '/dashboard/start?environment=mainnet')
  await page.getByRole('main').getByRole('button', { name: ETHEREUM }).click()
  await expect(page.getByRole('alert').filter({ hasText: 'A wallet cannot pay itself.' })).toBeVisible()
  await page.goto(`${service().baseUrl}/dashboard/keys`)
  await expect(page.getByRole('heading', { name: 'No API keys yet' })).toBeVisible()
})

/** Signs in with the wallet of the page to get paid, and waits for the overview. */
async function signInToCharge(page: Page): Promise<void> {
  await page.goto(`${service().baseUrl}/sign-in`)
  await page.getByRole('region', { name: 'I sell an API' }).getByRole('button', { name: 'Sell with a wallet' }).click()
  await page.getByRole('button', { name: ETHEREUM }).click()
  await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor()
}
