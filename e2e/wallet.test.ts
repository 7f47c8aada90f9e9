import { readFile } from 'node:fs/promises'
import { expect } from '@playwright/test'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { newSecretKey } from '../devnet/solana/keys'
import { inLongRuns } from '../test/support/long-run'
import { signInWithWallet } from './accounts'
import { test } from './journey'
import { buy, buyOnSolana, sandboxUrl } from './merchant'
import { rowOf, rowsOf } from './rows'
import { ETHEREUM, giveEthereumWallet, giveSolanaWallet, SOLANA } from './wallets'

test('an Ethereum wallet sees only its own payments', async ({ page }) => {
  const key = generatePrivateKey()
  const own = await buy(sandboxUrl(), key)
  await buy(sandboxUrl())
  await giveEthereumWallet(page, key)
  await signInWithWallet(page, ETHEREUM, '/payments')
  await expect(rowOf(page, own)).toBeVisible()
  await expect(rowsOf(page)).toHaveCount(1)
  const spending = page.getByRole('region', { name: 'Spending' })
  await expect(spending).toContainText(/This month\s*\$0\.001 USDC\s*1 payment\s*Last 12 months\s*\$0\.001 USDC/)
  // A chart of one month would say nothing more.
  await expect(spending.getByRole('table')).toHaveCount(0)
})

inLongRuns(() => {
  test('a Solana wallet sees only its own payments', async ({ page }) => {
    const [key, other] = [newSecretKey(), newSecretKey()]
    const own = await buyOnSolana(sandboxUrl(), key)
    await buyOnSolana(sandboxUrl(), other)
    await giveSolanaWallet(page, key)
    await signInWithWallet(page, SOLANA, '/payments')
    await expect(rowOf(page, own)).toBeVisible()
    await expect(rowsOf(page)).toHaveCount(1)
  })
})

test('a payer prints and downloads a receipt', async ({ page }) => {
  const key = generatePrivateKey()
  const transaction = await buy(sandboxUrl(), key)
  await giveEthereumWallet(page, key)
  await signInWithWallet(page, ETHEREUM, '/payments')
  await rowOf(page, transaction).getByRole('link').first().click()
  await page.getByRole('dialog', { name: 'Payment' }).getByRole('link', { name: 'View receipt' }).click()
  await page.getByRole('heading', { name: 'Receipt', level: 1 }).waitFor()

  await page.getByRole('button', { name: 'Verify' }).click()
  await expect(page.getByRole('region', { name: 'Signed receipt' })).toContainText('Signature valid')

  const downloading = page.waitForEvent('download')
  await page.getByRole('button', { name: 'JSON' }).click()
  const kept = JSON.parse(await readFile(await (await downloading).path(), 'utf8'))
  expect(kept).toMatchObject({ transaction, payer: privateKeyToAddress(key), amount_usdc: '0.001' })

  await page.emulateMedia({ media: 'print' })
  const paper = page.getByRole('article')
  for (const said of ['0.001 USDC', transaction, '/weather']) await expect(paper).toContainText(said)
  await expect(page.getByRole('navigation', { name: 'Screens' })).toBeHidden()
})
