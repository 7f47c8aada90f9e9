import { expect, test } from '@playwright/test'
import { generatePrivateKey } from 'viem/accounts'
import { newSecretKey } from '../devnet/solana/keys'
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
