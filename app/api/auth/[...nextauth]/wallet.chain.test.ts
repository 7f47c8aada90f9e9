import { getAddress } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { startChain } from '@/devnet/chain'
import { addLocalNetwork } from '@/devnet/networks'
import type { App } from '@/server/app'
import { silentLog } from '@/server/base/log'
import { configuredWalletChain } from '@/server/boot/chains'
import { readEnv } from '@/server/env/env'
import { nonceOf } from '@/server/sign-in/nonce'
import { networkRow, resetNetworks } from '@/server/x402/networks/networks'
import { evmWallet, type Lines, type SigningWallet, signInText, siweHeaders, solanaWallet } from '@/test/support/payloads/sign-in'
import { type AuthAnswer, type AuthBrowser, authBrowser } from '@/test/support/service/auth-browser'
import { askProcedure, dataOf } from '@/test/support/service/dashboard'
import { asked, startReading } from '@/test/support/service/history'
import { exchangeWith } from '@/test/support/service/session-requests'
import { fixture } from '../../../../test/support/fixture'

// Test files share a process. Registered first, so it runs last.
afterAll(resetNetworks)

const harness = fixture(startReading)

/** The sign-in message of a page in this browser, signed; lines can be overridden. */
async function signedIn(
  browser: AuthBrowser,
  wallet: SigningWallet,
  lines: Lines = {},
  { app }: Pick<typeof harness, 'app'> = harness,
): Promise<[string, string]> {
  const { host, origin } = new URL(app.config.baseUrl)
  const head = `${host} wants you to sign in with your ${wallet.family} account:`
  const text = signInText(wallet, { head, uri: origin, nonce: await nonceOf(await browser.csrf()), ...lines })
  return [text, await wallet.sign(text)]
}

async function whoIs(browser: AuthBrowser): Promise<string | null> {
  const answer = await askProcedure(harness.app, asked('/api/trpc/session.get', { headers: browser.header() }))
  return dataOf<{ who: { name: string } | null }>(answer).who?.name ?? null
}

const textOf = ({ body }: AuthAnswer) => new URL(String(Reflect.get(Object(body), 'url'))).searchParams.get('error')
const newBrowser = () => authBrowser(harness.app)

describe.each([
  ['an Ethereum wallet', evmWallet],
  ['a Solana wallet', solanaWallet],
])('a message of %s for the dashboard', (_name, newWallet) => {
  test('signs in the browser that asked for it', async () => {
    const [browser, wallet] = [newBrowser(), newWallet()]
    expect((await browser.signInAsWallet(...(await signedIn(browser, wallet)))).status).toBe(200)
    expect(await whoIs(browser)).toBe(wallet.address)
  })

  test('does not sign in another browser, before or after its use', async () => {
    const [browser, thief, wallet] = [newBrowser(), newBrowser(), newWallet()]
    const captured = await signedIn(browser, wallet)
    const replay = async () => {
      const answer = await thief.signInAsWallet(...captured)
      expect([answer.status, textOf(answer)]).toEqual([401, expect.stringContaining('signed for another browser')])
      expect(await whoIs(thief)).toBeNull()
    }
    await replay()
    await browser.signInAsWallet(...captured)
    await replay()
  })

  test('does not sign in twice: after the sign-out it is over, and a new one passes', async () => {
    const [browser, wallet] = [newBrowser(), newWallet()]
    const captured = await signedIn(browser, wallet)
    await browser.signInAsWallet(...captured)
    await browser.signOut()
    const again = await browser.signInAsWallet(...captured)
    expect([again.status, textOf(again)]).toEqual([401, expect.stringContaining('its session was signed out')])
    expect(await whoIs(browser)).toBeNull()
    await browser.signInAsWallet(...(await signedIn(browser, wallet, { requestId: 'second' })))
    expect(await whoIs(browser)).toBe(wallet.address)
  })

  test('sent again before that, it opens the same session and not a second one', async () => {
    const [browser, wallet] = [newBrowser(), newWallet()]
    const captured = await signedIn(browser, wallet)
    await browser.signInAsWallet(...captured)
    const copy = authBrowser(harness.app, undefined, browser.header())
    await browser.signInAsWallet(...captured)
    expect([await whoIs(browser), await whoIs(copy)]).toEqual([wallet.address, wallet.address])
    await browser.signOut()
    expect(await whoIs(copy)).toBeNull()
  })

  test('is valid for a quarter of an hour at most', async () => {
    const [browser, wallet] = [newBrowser(), newWallet()]
    const until = (seconds: number) => new Date(Date.now() + seconds * 1_000).toISOString()
    const times = (seconds: number) => ({ issuedAt: until(0), expirationTime: until(seconds) })
    const long = await browser.signInAsWallet(...(await signedIn(browser, wallet, times(960))))
    expect([long.status, textOf(long)]).toEqual([401, expect.stringContaining('at most 15 minutes')])
    expect((await browser.signInAsWallet(...(await signedIn(browser, wallet, times(899))))).status).toBe(200)
  })

  test('needs no nonce of ours in the headers of the API', async () => {
    const { host, origin } = new URL(harness.app.config.baseUrl)
    const wallet = newWallet()
    const head = `${host} wants you to sign in with your ${wallet.family} account:`
    const headers = await siweHeaders(wallet, { head, uri: origin, nonce: 'chosenByTheCaller1' })
    const [text, signature] = [
      Buffer.from(headers['x-siwe-message'] ?? '', 'base64').toString(),
      headers['x-siwe-signature'] ?? '',
    ]
    expect((await harness.app.proveWallet({ text, signature })).toLowerCase()).toBe(wallet.address.toLowerCase())
  })
})

test('a nonce has only letters and digits, differs by browser, and does not reveal the CSRF token', async () => {
  const tokens = await Promise.all([newBrowser().csrf(), newBrowser().csrf()])
  const nonces = await Promise.all(tokens.map(nonceOf))
  expect(nonces.filter((nonce) => !/^[0-9a-f]{32}$/.test(nonce))).toEqual([])
  expect(new Set([...nonces, ...tokens.map((token) => token.slice(0, 32))]).size).toBe(4)
})

describe('a smart wallet signs in by the chain that the service names', () => {
  const accounts = () => privateKeyToAccount(generatePrivateKey())

  test('and code that approves on another mainnet opens neither the API nor the dashboard', async () => {
    // Its variable makes the network known to this process.
    envOf({ POLYGON_RPC_URL: 'x' })
    addLocalNetwork(networkRow('eip155:137'))
    const [base, polygon] = await Promise.all([startChain({ chainId: 8453 }), startChain({ chainId: 137 })])
    onTestFinished(async () => {
      await Promise.all([base.stop(), polygon.stop()])
    })
    const endpoints = { BASE_RPC_URL: base.url, POLYGON_RPC_URL: polygon.url }
    // Removed by the wallet's owners on Base; where it was never deployed, its first owner deploys it and is asked again.
    const address = getAddress(await polygon.deployWallet(accounts().address))
    const removed = accounts()
    const code = await polygon.client.getCode({ address: await polygon.deployWallet(removed.address) })
    await polygon.client.setCode({ address, bytecode: code ?? '0x' })
    const wallet = { ...evmWallet(removed), address }

    const answers = async (env: Record<string, string>, chainId: string) => {
      const service = await startReading({ ...endpoints, ...env })
      onTestFinished(service.close)
      const browser = authBrowser(service.app)
      const api = await exchangeWith(service.app, await siweHeaders(wallet, { chainId, ...originOf(service.app) }))
      const page = await browser.signInAsWallet(...(await signedIn(browser, wallet, { chainId }, service)))
      return [api.status, page.status, String(api.body.error ?? ''), String(textOf(page) ?? '')]
    }
    const refusal = expect.stringContaining('accepts smart wallets of chain 8453, not 137')
    expect(await answers({}, '137')).toEqual([401, 401, refusal, refusal])
    const noCode = expect.stringContaining('contract at its address on chain 8453 does not approve')
    expect(await answers({}, '8453')).toEqual([401, 401, noCode, noCode])
    expect(await answers({ SMART_WALLET_CHAIN: 'polygon' }, '137')).toEqual([200, 200, '', ''])
  })

  test.each([
    ['Base among several mainnets', { BASE_RPC_URL: 'x', POLYGON_RPC_URL: 'x', BASE_SEPOLIA_RPC_URL: 'x' }, 8453],
    ['the only mainnet', { POLYGON_RPC_URL: 'x', BASE_SEPOLIA_RPC_URL: 'x' }, 137],
    ['none of several mainnets without Base', { POLYGON_RPC_URL: 'x', ETHEREUM_RPC_URL: 'x', BASE_SEPOLIA_RPC_URL: 'x' }, null],
    ['Base Sepolia among several testnets', { BASE_SEPOLIA_RPC_URL: 'x', SEPOLIA_RPC_URL: 'x' }, 84532],
    ['the only testnet', { SEPOLIA_RPC_URL: 'x' }, 11155111],
    ['none without a node', {}, null],
    ['the named one', { BASE_RPC_URL: 'x', POLYGON_RPC_URL: 'x', SMART_WALLET_CHAIN: 'eip155:137' }, 137],
  ])('which is %s', (_, named, chainId) => {
    expect(configuredWalletChain(envOf(named), silentLog())?.chainId ?? null).toBe(chainId)
  })

  test('and a named one without an RPC endpoint, or that is none, stops the start', () => {
    expect(() => configuredWalletChain(envOf({ SMART_WALLET_CHAIN: 'polygon' }), silentLog())).toThrow(
      /SMART_WALLET_CHAIN is eip155:137/,
    )
    expect(() => envOf({ SMART_WALLET_CHAIN: 'solana' })).toThrow(/SMART_WALLET_CHAIN/)
  })

  const envOf = (named: Record<string, string>) =>
    readEnv(
      Object.fromEntries([
        ...Object.entries(named).map(([name, value]) => [name, value === 'x' ? 'http://127.0.0.1:9' : value]),
        ['NODE_ENV', 'test'],
      ]),
    )
  const originOf = ({ config }: Pick<App, 'config'>) => ({
    head: `${new URL(config.baseUrl).host} wants you to sign in with your Ethereum account:`,
    uri: new URL(config.baseUrl).origin,
  })
})
