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
  await expect(spending).toContainText('0.001 USDC')
  await expect(spending).toContainText('1 payment')
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

test('a payer verifies, downloads, shares, prints and withdraws a receipt', async ({ page }) => {
  const key = generatePrivateKey()
  const transaction = await buy(sandboxUrl(), key)
  await giveEthereumWallet(page, key)
  await signInWithWallet(page, ETHEREUM, '/payments')
  await rowOf(page, transaction).getByRole('link').first().click()
  await page.getByRole('dialog', { name: 'Payment' }).getByRole('link', { name: 'View receipt' }).click()
  await page.getByRole('heading', { name: 'Receipt', level: 1 }).waitFor()

  const signed = page.getByRole('region', { name: 'Signed receipt' })
  await expect(signed).toContainText('Signature valid')
  const textOf = () => signed.getByRole('button', { name: /^Copy signed receipt/ }).getAttribute('aria-label')

  const downloading = page.waitForEvent('download')
  await page.getByRole('button', { name: 'JSON' }).click()
  const kept = JSON.parse(await readFile(await (await downloading).path(), 'utf8'))
  expect(kept).toMatchObject({ transaction, payer: privateKeyToAddress(key), amount_usdc: '0.001' })

  // Only what the chain does to the payment changes its receipt: no other reading of it differs once it is final.
  await expect(async () => {
    await page.reload()
    await expect(page.getByRole('article')).toContainText('Final', { timeout: 2_000 })
  }).toPass()
  const text = await textOf()
  await page.reload()
  expect(await textOf()).toBe(text)

  await page.getByRole('button', { name: 'Share receipt' }).click()
  const shared = page.getByRole('region', { name: 'Public receipt' })
  const link = await shared.getByRole('link', { name: 'Open' }).getAttribute('href')
  await page.emulateMedia({ media: 'print' })
  const paper = page.getByRole('article')
  for (const said of ['0.001 USDC', transaction, '/weather', link ?? '', text?.split(' ').at(-1) ?? '']) {
    await expect(paper).toContainText(said)
  }
  await expect(paper.getByRole('img', { name: 'QR code: Scan to check this receipt.' })).toBeVisible()
  await expect(page.getByRole('navigation', { name: 'Screens' })).toBeHidden()
  await page.emulateMedia({ media: 'screen' })

  expect((await page.request.get(link ?? '')).status()).toBe(200)
  await shared.getByRole('button', { name: 'Stop sharing' }).click()
  await expect(shared).toContainText('The link no longer works.')
  expect((await page.request.get(link ?? '')).status()).toBe(404)
})
