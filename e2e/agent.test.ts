import { expect, type Page } from '@playwright/test'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { connectSolana } from '../devnet/solana/client'
import { addressOf, newSecretKey } from '../devnet/solana/keys'
import { goTo, signInWithWallet, withoutParameter } from './accounts'
import { test } from './journey'
import { buy, giveUsdc } from './merchant'
import { rowOf } from './rows'
import { service } from './test-service'
import { ETHEREUM, giveEthereumWallet, giveSolanaWallet, SOLANA } from './wallets'

test('a wallet buys credits from the browser, and its agent settles with them', async ({ page }) => {
  const key = generatePrivateKey()
  await giveUsdc(privateKeyToAddress(key), 1_000_000n)
  await giveEthereumWallet(page, key)
  await signInWithWallet(page, ETHEREUM, '/agent')
  const url = await buyCredits(page, ETHEREUM, '1000')
  await expect(creditsOf(page, '1,000').first()).toBeVisible()
  const transaction = await buy(url)
  await page.reload()
  await expect(creditsOf(page, '999')).toBeVisible()
  await goTo(page, 'Settlements')
  await expect(rowOf(page, transaction)).toBeVisible()
})

test('a Solana wallet buys credits with USDC on Solana', async ({ page }) => {
  const key = newSecretKey()
  const chain = connectSolana('devnet', service().solanaUrl)
  await chain.mintTo(addressOf(key), 1_000_000n)
  await giveSolanaWallet(page, key)
  await signInWithWallet(page, SOLANA, '/agent')
  const url = await buyCredits(page, SOLANA, '700')
  await expect(creditsOf(page, '700').first()).toBeVisible()
  expect(await chain.tokens(addressOf(key))).toBe(300_000n)
  const transaction = await buy(url)
  await goTo(page, 'Settlements')
  await expect(rowOf(page, transaction)).toBeVisible()
})

/** Buys credits with a wallet of the browser and returns the facilitator URL of the key. */
async function buyCredits(page: Page, wallet: string, count: string): Promise<string> {
  await page.getByRole('button', { name: 'Buy credits' }).click()
  const purchase = page.getByRole('dialog', { name: 'Buy credits' })
  await purchase.getByLabel('Credits').fill(count)
  await purchase.getByRole('button', { name: wallet }).click()
  const shown = page.getByRole('dialog', { name: 'Your key' })
  const url = await shown.getByRole('button', { name: 'Copy Facilitator URL' }).getAttribute('title')
  await shown.getByRole('button', { name: "I've saved it" }).click()
  await withoutParameter(page, 'buy')
  return url ?? ''
}

const creditsOf = (page: Page, count: string) => page.getByRole('definition').filter({ hasText: new RegExp(`^${count}$`) })
