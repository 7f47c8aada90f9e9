import { readFile } from 'node:fs/promises'
import { expect } from '@playwright/test'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { newSecretKey } from '../devnet/solana/keys'
import { test } from './journey'
import { signInWithWallet } from './people'
import { rowOf, rowsOf } from './rows'
import { buy, buyOnSolana, sandboxUrl } from './shop'
import { ETHEREUM, giveEthereumWallet, giveSolanaWallet, SOLANA } from './wallets'

test('a payer with an Ethereum wallet sees what it paid, and nobody else does', async ({ page }) => {
  const key = generatePrivateKey()
  const own = await buy(sandboxUrl(), key)
  await buy(sandboxUrl())
  await giveEthereumWallet(page, key)
  await signInWithWallet(page, ETHEREUM, '/payments')
  await expect(rowOf(page, own)).toBeVisible()
  await expect(rowsOf(page)).toHaveCount(1)
})

test('a payer with a Solana wallet likewise', async ({ page }) => {
  const [key, other] = [newSecretKey(), newSecretKey()]
  const own = await buyOnSolana(sandboxUrl(), key)
  await buyOnSolana(sandboxUrl(), other)
  await giveSolanaWallet(page, key)
  await signInWithWallet(page, SOLANA, '/payments')
  await expect(rowOf(page, own)).toBeVisible()
  await expect(rowsOf(page)).toHaveCount(1)
})

test('a payer keeps a receipt, on paper and as a file', async ({ page }) => {
  const key = generatePrivateKey()
  const transaction = await buy(sandboxUrl(), key)
  await giveEthereumWallet(page, key)
  await signInWithWallet(page, ETHEREUM, '/payments')
  await rowOf(page, transaction).getByRole('button').first().click()
  await page.getByRole('dialog', { name: 'Settlement' }).getByRole('link', { name: 'Receipt' }).click()
  await page.getByRole('heading', { name: 'Receipt', level: 1 }).waitFor()

  const downloading = page.waitForEvent('download')
  await page.getByRole('button', { name: 'JSON' }).click()
  const kept = JSON.parse(await readFile(await (await downloading).path(), 'utf8'))
  expect(kept).toMatchObject({ transaction, payer: privateKeyToAddress(key), amount_usdc: '0.001' })

  await page.emulateMedia({ media: 'print' })
  const paper = page.getByRole('article')
  for (const said of ['0.001 USDC', transaction, '/weather']) await expect(paper).toContainText(said)
  await expect(page.getByRole('navigation', { name: 'Screens' })).toBeHidden()
})
