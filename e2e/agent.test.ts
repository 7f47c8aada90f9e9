import { expect, type Page } from '@playwright/test'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { SEEDED_AGENT } from '../devnet/seed/agent'
import { seedAt, unseedAt } from '../devnet/seed/database'
import { connectSolana } from '../devnet/solana/client'
import { addressOf, newSecretKey } from '../devnet/solana/keys'
import { inLongRuns } from '../test/support/long-run'
import { goTo, keep, signInWithWallet, withoutParameter } from './accounts'
import { sumDays } from './database'
import { expectNothingAsked } from './first-load'
import { test } from './journey'
import { buy, giveUsdc } from './merchant'
import { movedOn } from './moved'
import { rowOf } from './rows'
import { service } from './test-service'
import { ETHEREUM, giveEthereumWallet, giveSolanaWallet, SOLANA } from './wallets'

test('a wallet buys credits from the browser, and its agent settles with them', async ({ page }) => {
  const key = generatePrivateKey()
  await giveUsdc(privateKeyToAddress(key), 1_100_000n)
  await giveEthereumWallet(page, key)
  await signInWithWallet(page, ETHEREUM, '/agent')
  const url = await buyCredits(page, ETHEREUM, '1000', '1.00')
  await expect(creditsOf(page, '1,000').first()).toBeVisible()
  const transaction = await buy(url)
  await page.reload()
  await expect(creditsOf(page, '999')).toBeVisible()
  await expect(page.getByRole('table', { name: 'Credits by day' }).getByRole('row').last()).toContainText(/1.*1,000.*999/)
  await topUp(page, ETHEREUM, '100', '0.10')
  await expect(creditsOf(page, '1,099')).toBeVisible()
  await expect(page.getByText('1 of 5')).toBeVisible()
  await buy(url)
  await goTo(page, 'Agent settlements')
  await expect(page.getByRole('heading', { name: 'Agent settlements', level: 1 })).toBeVisible()
  await expect(rowOf(page, transaction)).toBeVisible()
})

test('a Solana wallet buys credits with USDC on Solana', async ({ page }) => {
  const key = newSecretKey()
  const chain = connectSolana('devnet', service().solanaUrl)
  await chain.mintTo(addressOf(key), 1_000_000n)
  await giveSolanaWallet(page, key)
  await signInWithWallet(page, SOLANA, '/agent')
  const url = await buyCredits(page, SOLANA, '700', '0.70')
  await expect(creditsOf(page, '700').first()).toBeVisible()
  expect(await chain.tokens(addressOf(key))).toBe(300_000n)
  const transaction = await buy(url)
  await goTo(page, 'Agent settlements')
  await expect(rowOf(page, transaction)).toBeVisible()
})

test('the sample agent of the demo sees at once that its credits are low and how it used them, and nothing moves', {
  tag: '@long',
}, async ({ page }) => {
  await seedAt(service().databaseUrl, new Date())
  const wallet = { network: 'eip155:84532', name: 'Sample agent', key: SEEDED_AGENT.key }
  service().wallets.push(wallet)
  try {
    await sumDays(SEEDED_AGENT.tenantId)
    await signInWithWallet(page, wallet.name, '/agent')
    expect(await movedOn(page, '/agent')).toEqual([])
    await expect(page.getByRole('status').filter({ hasText: 'Under 10% left' })).toContainText(
      /about \d+ days at your current pace/,
    )
    await expect(page.getByText('1,200 bought')).toBeVisible()
    const figures = page.getByText(/^Last 30 days: [\d,]+ settled/)
    await expectNothingAsked(page, { path: '/agent', shows: () => expect(figures).toBeVisible() })
  } finally {
    service().wallets.splice(service().wallets.indexOf(wallet), 1)
    await unseedAt(service().databaseUrl)
  }
})

inLongRuns(() => {
  test('a demo lends the wallets of npm run agent: each opens its credits, on EVM and Solana', async ({ page }) => {
    const [key, solanaKey] = [generatePrivateKey(), newSecretKey()]
    await giveUsdc(privateKeyToAddress(key), 1_000_000n)
    await connectSolana('devnet', service().solanaUrl).mintTo(addressOf(solanaKey), 1_000_000n)
    service().wallets.push(
      { network: 'eip155:84532', name: 'Agent on Base Sepolia', key },
      { network: 'solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1', name: 'Agent on Solana devnet', key: solanaKey },
    )
    try {
      for (const [wallet, count, price] of [
        ['Agent on Base Sepolia', '300', '0.30'],
        ['Agent on Solana devnet', '400', '0.40'],
      ] as const) {
        await signInWithWallet(page, wallet, '/agent')
        await buyCredits(page, wallet, count, price)
        await expect(creditsOf(page, count).first()).toBeVisible()
        await page.getByRole('button', { name: 'Sign out' }).click()
        await page.waitForURL(({ pathname }) => pathname === '/home')
      }
    } finally {
      service().wallets.length = 0
    }
  })
})

/** Buys credits with a wallet of the browser and returns the facilitator URL of the key. */
async function buyCredits(page: Page, wallet: string, count: string, price: string): Promise<string> {
  await page.getByRole('button', { name: 'Buy credits' }).click()
  const purchase = page.getByRole('dialog', { name: 'Buy credits' })
  await purchase.getByLabel('Credits').fill(count)
  await purchase.getByRole('button', { name: wallet }).click()
  await expect(purchase.getByRole('button', { name: wallet })).toHaveAttribute('aria-pressed', 'true')
  await purchase.getByRole('button', { name: `Pay ${price} test USDC` }).click()
  const shown = page.getByRole('dialog', { name: 'Your key' })
  await expect(shown.getByRole('status')).toContainText(`credits bought for ${price} test USDC.`)
  await expect(shown.getByRole('link', { name: /^View on / })).toBeVisible()
  const url = await shown.getByText(/^http/).textContent()
  await keep(shown)
  await withoutParameter(page, 'buy')
  return url ?? ''
}

/** Buys more credits for the key that the wallet has. */
async function topUp(page: Page, wallet: string, count: string, price: string): Promise<void> {
  await page.getByRole('button', { name: 'Buy credits' }).click()
  const purchase = page.getByRole('dialog', { name: 'Buy credits' })
  await purchase.getByLabel('Credits').fill(count)
  await purchase.getByRole('button', { name: wallet }).click()
  await expect(purchase).toContainText('Not needed: your key spends the new credits too.')
  await purchase.getByRole('button', { name: `Pay ${price} test USDC` }).click()
  await expect(page.getByText(`${count} credits bought for ${price} test USDC.`)).toBeVisible()
  await expect(purchase).toBeHidden()
}

const creditsOf = (page: Page, count: string) => page.getByRole('definition').filter({ hasText: new RegExp(`^${count}$`) })
