import { expect } from '@playwright/test'
import { parseEther } from 'viem'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { type Chain, startChain } from '../devnet/chain'
import { startMerchant } from '../devnet/merchant'
import { addLocalNetwork } from '../devnet/networks'
import { createPayer } from '../devnet/payer'
import { type EvmRow, USUAL } from '../server/x402/networks/rows'
import { makeKey, newUser, signInAsAdmin, signInAsMerchant, signInWithKey, signInWithWallet } from './accounts'
import { addSettlements } from './database'
import { htmlOf } from './first-load'
import { test as journey } from './journey'
import { movedOn } from './moved'
import { rowOf } from './rows'
import { service } from './test-service'
import { ETHEREUM, giveEthereumWallet } from './wallets'

const EXPLORER = 'https://explorer.coast.example'
const NETWORK = 'eip155:31341'

// On one service, with what its operator set: a network, WalletConnect, and pages that do not wait for their figures. Each further worker would start another one.
journey.describe.configure({ mode: 'default' })

/** A network as an operator adds it, with a coin of its own and a token that has as many decimals as ether. */
const LISTED = {
  chainId: 31_341,
  slug: 'coast',
  title: 'Coast',
  testnet: true,
  explorer: { name: 'Coastscan', url: EXPLORER },
  coin: { symbol: 'SHELL', decimals: 18 },
  blockSeconds: 1,
  finalizedSeconds: 2,
  fees: 'eip1559' as const,
  depth: 2,
}
const DOMAIN = { name: 'Coast Dollar', version: '1' }
const token = (address: `0x${string}`) =>
  ({ address, symbol: 'CUSD', decimals: 18, domain: DOMAIN, method: 'eip3009' }) as const satisfies EvmRow['assets'][number]

let coast: Chain
let asset: `0x${string}`
const signer = generatePrivateKey()

const test = journey.extend<object, { serviceEnv: Record<string, string> }>({
  serviceEnv: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures that a fixture needs.
    async ({}, use) => {
      const { slug: name, ...fields } = LISTED
      const row: EvmRow = { ...USUAL, ...fields, name, assets: [token(`0x${'c0'.repeat(20)}`)] }
      coast = await startChain({ chainId: addLocalNetwork(row), blockTimeSeconds: 0.5 })
      asset = `0x${(await coast.deployToken('key', { name: DOMAIN.name, decimals: 18 })).slice(2).toLowerCase()}`
      await coast.fund(privateKeyToAddress(signer), parseEther('10'))
      const listed = { ...LISTED, assets: [token(asset)], rpc: coast.url, signerKeys: [signer] }
      // Without sandbox signers: theirs would need the coin too.
      const walletConnect = { WALLETCONNECT_PROJECT_ID: '0123456789abcdef0123456789abcdef' }
      const late = { PREFETCH_WAIT_MS: '0' }
      await use({ EVM_NETWORKS: JSON.stringify([listed]), EVM_SANDBOX_SIGNER_KEYS: '', ...walletConnect, ...late })
      await coast.stop()
    },
    { scope: 'worker' },
  ],
})

/** Buys for 0.0015 CUSD on the added network. Returns the transaction. */
async function buyThere(facilitatorUrl: string, key: `0x${string}`): Promise<string> {
  await coast.mint(privateKeyToAddress(key), parseEther('1'), asset)
  const price = { amount: '1500000000000000', asset, extra: DOMAIN }
  const payTo = privateKeyToAddress(generatePrivateKey())
  const merchant = await startMerchant({ facilitatorUrl, payTo, network: NETWORK, price })
  try {
    const { receipt, problem } = await createPayer(key, undefined, [{ network: NETWORK, asset }]).pay(`${merchant.url}/weather`)
    if (!receipt?.success) throw new Error(`the payment failed: ${problem}`)
    return receipt.transaction
  } finally {
    await merchant.stop()
  }
}

test('an added network is filtered by its name, with its own token, explorer and coin on every screen', async ({
  page,
  browser,
}) => {
  const user = newUser()
  const key = generatePrivateKey()
  const transaction = await buyThere(await signInWithKey(page, 'the shop', user), key)

  await page.goto(`${service().baseUrl}/dashboard/settlements?environment=testnet&network=${NETWORK}`)
  await expect(page.getByRole('search')).toContainText('Coast')
  const row = rowOf(page, transaction)
  await expect(row).toContainText('Coast')
  await expect(row).toContainText('0.0015')
  await expect(row.getByRole('link', { name: 'View transaction on Coastscan' })).toHaveAttribute(
    'href',
    `${EXPLORER}/tx/${transaction}`,
  )
  await expect(page.getByRole('columnheader', { name: 'CUSD' })).toBeVisible()
  await page.goto(`${service().baseUrl}/dashboard/start?environment=testnet&step=server`)
  await page.getByLabel('Network').selectOption('Coast')
  await expect(page.getByText("amount: '1000000000000000', // 0.001 CUSD")).toBeVisible()

  const payer = await (await browser.newContext()).newPage()
  await giveEthereumWallet(payer, key)
  await signInWithWallet(payer, ETHEREUM, '/payments?environment=testnet')
  await rowOf(payer, transaction).getByRole('link').first().click()
  await payer.getByRole('dialog', { name: 'Payment' }).getByRole('link', { name: 'View receipt' }).click()
  const receipt = payer.getByRole('article', { name: 'Payment receipt' })
  await expect(receipt).toContainText('0.0015 CUSD')
  await expect(receipt.getByRole('link', { name: 'View transaction on Coastscan' })).toHaveAttribute(
    'href',
    `${EXPLORER}/tx/${transaction}`,
  )
  await payer.context().close()
})

test('the console shows the signer of an added network and its balance in the coin of the network', async ({ page }) => {
  await signInAsAdmin(page)
  await page.goto(`${service().baseUrl}/console/networks#${NETWORK}`)
  const card = page.getByRole('region', { name: 'Coast' })
  await expect(card).toContainText('Healthy')
  const address = privateKeyToAddress(signer)
  await expect(card.getByRole('link', { name: 'View signer on Coastscan' })).toHaveAttribute(
    'href',
    `${EXPLORER}/address/${address}`,
  )
  await expect(card).toContainText(/(10|9\.\d+) SHELL/)
  await expect(card).toContainText('1 of 1')
})

test('WalletConnect, where it is configured, shows a QR code and a link, and loads nothing before', async ({ page }) => {
  // A relay that accepts every request; no wallet answers.
  const relayed: string[] = []
  await page.routeWebSocket(/^wss:\/\/relay\.walletconnect\.org\//, (socket) => {
    socket.onMessage((message) => {
      const { id, method } = JSON.parse(String(message))
      relayed.push(method)
      socket.send(JSON.stringify({ id, jsonrpc: '2.0', result: method.endsWith('ubscribe') ? `subscription ${id}` : true }))
    })
  })
  await page.route('https://verify.walletconnect.org/**', (route) => route.fulfill({ contentType: 'text/html', body: '' }))
  await page.goto(`${service().baseUrl}/sign-in?to=/payments`)
  const button = page.getByRole('button', { name: 'WalletConnect' })
  await expect(button).toBeVisible()
  await expect(page.getByRole('main').getByRole('listitem').getByRole('link')).toHaveCount(4)
  expect(relayed).toEqual([])

  await button.click()
  const request = page.getByRole('dialog', { name: 'Connect a wallet' })
  await expect(request.getByRole('img', { name: 'QR code of the connection' })).toBeVisible()
  await expect(request.getByRole('button', { name: 'Copy link' })).toBeVisible()
  await request.getByRole('button', { name: 'Close' }).click()
  await expect(page.getByRole('alert').filter({ hasText: 'You closed the request' })).toBeVisible()
  await expect(button).toBeEnabled()
})

test('a page that does not wait for its figures asks for them from the browser', { tag: '@long' }, async ({ page }) => {
  await signInAsMerchant(page)
  const name = `late ${Date.now()}`
  await makeKey(page, name)
  expect(await htmlOf(page, '/dashboard/keys')).not.toContain(name)
  const asked = page.waitForRequest(/\/api\/trpc\/[^?]*keys\.list/)
  await page.goto(`${service().baseUrl}/dashboard/keys`)
  await asked
  await expect(page.getByRole('heading', { name })).toBeVisible()
})

test('nothing moves when the rows of a list come after its page', { tag: '@long' }, async ({ page }) => {
  const user = newUser()
  await signInWithKey(page, 'the shop', user)
  await addSettlements(user, 60)
  expect(await movedOn(page, '/dashboard/settlements')).toEqual([])
})

test('nothing moves on a phone when the figures come after their page', { tag: '@long' }, async ({ page }) => {
  const user = newUser()
  await signInWithKey(page, 'the shop', user)
  await addSettlements(user, 60)
  await page.setViewportSize({ width: 390, height: 900 })
  expect(await movedOn(page, '/dashboard')).toEqual([])
})
