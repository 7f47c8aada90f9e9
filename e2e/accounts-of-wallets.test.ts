import { devices, expect, type Page } from '@playwright/test'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { addressOf, newSecretKey } from '../devnet/solana/keys'
import { casesOf } from '../test/support/long-run'
import { goTo, signInWithWallet } from './accounts'
import { test } from './journey'
import { buy, buyOnSolana, sandboxUrl } from './merchant'
import { rowOf, rowsOf } from './rows'
import { service } from './test-service'
import { connectPrompts, ETHEREUM, giveEthereumWallet, giveSolanaWallet, SOLANA, switchAccount } from './wallets'

const short = (address: string) => `${address.slice(0, 6)}…${address.slice(-4)}`

const ethereum = {
  name: ETHEREUM,
  async accounts() {
    const keys = [generatePrivateKey(), generatePrivateKey()] as const
    const bought = await buy(sandboxUrl(), keys[1])
    return { bought, addresses: keys.map(privateKeyToAddress), give: (page: Page) => giveEthereumWallet(page, ...keys) }
  },
}
const solana = {
  name: SOLANA,
  async accounts() {
    const keys = [newSecretKey(), newSecretKey()] as const
    const bought = await buyOnSolana(sandboxUrl(), keys[1])
    return { bought, addresses: keys.map(addressOf), give: (page: Page) => giveSolanaWallet(page, ...keys) }
  },
}

// Both are wallets to the same screens: each journey is made with one of them.
for (const { name, accounts } of casesOf([ethereum], [solana])) {
  test(`${name} comes back after a reload without a prompt`, async ({ page }) => {
    const { give, addresses } = await accounts()
    await give(page)
    await signInWithWallet(page, name, '/payments')
    expect(await connectPrompts(page)).toBe(1)
    await page.reload()
    await goTo(page, 'Agent')
    await page.getByRole('button', { name: 'Buy credits' }).click()
    const purchase = page.getByRole('dialog', { name: 'Buy credits' })
    await expect(purchase.getByRole('button', { name })).toContainText(short(addresses[0] ?? ''))
    expect(await connectPrompts(page)).toBe(1)
  })
}

for (const { name, accounts } of casesOf([solana], [ethereum])) {
  test(`a payer who changes the account of ${name} sees it and signs in with the new one`, async ({ page }) => {
    const { give, addresses, bought } = await accounts()
    await give(page)
    await signInWithWallet(page, name, '/payments?environment=testnet')
    await expect(rowsOf(page)).toHaveCount(0)
    const notice = page.getByRole('status').filter({ hasText: `${name} now uses` })
    await expect(notice).toHaveCount(0)
    await switchAccount(page, 1)
    await expect(notice).toContainText(short(addresses[1] ?? ''))
    await expect(notice).toContainText(`signed in as ${short(addresses[0] ?? '')}`)
    await notice.getByRole('button', { name: 'Sign in with the new account' }).click()
    await expect(rowOf(page, bought)).toBeVisible()
    await expect(notice).toHaveCount(0)
    // Back to the first one: the session is the second one's now.
    await switchAccount(page, 0)
    await expect(notice).toContainText(short(addresses[0] ?? ''))
    await notice.getByRole('button', { name: 'Dismiss' }).click()
    await expect(notice).toHaveCount(0)
  })
}

test('a phone without a wallet gets links that open this page in a wallet app', { tag: '@long' }, async ({ browser }) => {
  const { defaultBrowserType: _, ...phone } = devices['iPhone 13'] ?? { defaultBrowserType: 'chromium' }
  const context = await browser.newContext(phone)
  const page = await context.newPage()
  await page.goto(`${service().baseUrl}/sign-in?to=/payments`)
  const links = page.getByRole('main').getByRole('listitem').getByRole('link')
  await expect(links.filter({ hasText: 'MetaMask' })).toHaveAttribute(
    'href',
    `https://metamask.app.link/dapp/${new URL(service().baseUrl).host}/sign-in?to=/payments`,
  )
  for (const [name, host] of [
    ['Coinbase Wallet', 'go.cb-w.com'],
    ['Phantom', 'phantom.app'],
    ['Solflare', 'solflare.com'],
  ] as const) {
    const href = await links.filter({ hasText: name }).getAttribute('href')
    expect([new URL(href ?? '').host, decodeURIComponent(href ?? '')]).toEqual([host, expect.stringContaining('to=/payments')])
  }
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true)
  await context.close()
})

test('a computer without a wallet gets links to install one, and no WalletConnect unless it is configured', {
  tag: '@long',
}, async ({ page }) => {
  await page.goto(`${service().baseUrl}/sign-in`)
  await page.getByRole('region', { name: 'I run an agent' }).getByRole('button', { name: 'Open my agent' }).click()
  const links = page.getByRole('main').getByRole('listitem').getByRole('link')
  await expect(links).toHaveText([/MetaMask/, /Coinbase Wallet/, /Phantom/, /Solflare/])
  await expect(page.getByText('WalletConnect')).toHaveCount(0)
})
