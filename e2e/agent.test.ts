import { expect, test } from '@playwright/test'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { goTo, signInWithWallet } from './people'
import { rowOf } from './rows'
import { buy, giveUsdc } from './shop'
import { ETHEREUM, giveEthereumWallet } from './wallets'

test('a wallet buys credits from the browser, and its agent settles with them', async ({ page }) => {
  const key = generatePrivateKey()
  await giveUsdc(privateKeyToAddress(key), 1_000_000n)
  await giveEthereumWallet(page, key)
  await signInWithWallet(page, ETHEREUM, '/agent')
  await page.getByRole('button', { name: 'Buy credits' }).click()
  const purchase = page.getByRole('dialog', { name: 'Buy credits' })
  await purchase.getByLabel('Credits').fill('1000')
  await purchase.getByRole('button', { name: ETHEREUM }).click()
  const shown = page.getByRole('dialog', { name: 'Your key' })
  const url = await shown.getByRole('button', { name: 'Copy Facilitator URL' }).getAttribute('title')
  await shown.getByRole('button', { name: 'I have kept it' }).click()

  const left = page.getByRole('definition').filter({ hasText: /^1,000$/ })
  await expect(left.first()).toBeVisible()
  const transaction = await buy(url ?? '')
  await page.reload()
  await expect(page.getByRole('definition').filter({ hasText: /^999$/ })).toBeVisible()
  await goTo(page, 'Settlements')
  await expect(rowOf(page, transaction)).toBeVisible()
})
