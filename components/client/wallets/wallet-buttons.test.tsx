import { renderToStaticMarkup } from 'react-dom/server'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { PairingWays } from './pairing-dialog'
import { type SigningWallet, WALLET_CONNECT } from './signing-wallet'
import { WalletButtons } from './wallet-buttons'

const URI = 'wc:0a1b@2?relay-protocol=irn&symKey=ff'
const refused = () => Promise.reject(new Error('not in this test'))
const wallet = (id: string, name: string, account: SigningWallet['account'] = null): SigningWallet => ({
  family: 'evm' as const,
  id,
  name,
  icon: null,
  account,
  connect: refused,
  sign: refused,
  signTransfer: refused,
})

const shown = (wallets: SigningWallet[] | null, failed = false, family: 'evm' | null = null) =>
  renderToStaticMarkup(<WalletButtons wallets={wallets} failed={failed} family={family} disabled={false} onChoose={() => {}} />)
const linksIn = (html: string) => [...html.matchAll(/<a href="https:\/\/([^/"]+)/g)].map(([, host]) => host)

const DESK = 'Mozilla/5.0 (X11; Linux x86_64)'
const PHONE = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X)'
const device = (userAgent: string) => vi.stubGlobal('navigator', { userAgent, maxTouchPoints: 0 })

beforeEach(() => {
  vi.stubGlobal('location', new URL('https://pay.example.com/sign-in?to=/agent'))
  device(DESK)
})
afterEach(() => vi.unstubAllGlobals())

describe('without a wallet in this browser', () => {
  test('a computer gets links to install one', () => {
    expect(linksIn(shown([]))).toEqual(['metamask.io', 'www.coinbase.com', 'phantom.com', 'www.solflare.com'])
    expect(linksIn(shown([], false, 'evm'))).toEqual(['metamask.io', 'www.coinbase.com', 'phantom.com'])
  })

  test('a phone gets links that open this page in a wallet app', () => {
    device(PHONE)
    const html = shown([])
    expect(linksIn(html)).toEqual(['metamask.app.link', 'go.cb-w.com', 'phantom.app', 'solflare.com'])
    expect(html).toContain('metamask.app.link/dapp/pay.example.com/sign-in?to=/agent')
    expect(html).not.toContain('_blank')
  })

  test('WalletConnect is offered next to the links if it is configured, and absent if not', () => {
    const configured = shown([wallet(WALLET_CONNECT, 'WalletConnect')])
    expect(configured).toMatch(/<button[^>]*>.*WalletConnect/)
    expect(linksIn(configured)).toHaveLength(4)
    expect(shown([])).not.toContain('WalletConnect')
  })
})

test('a connected wallet shows its account and chain, another one its family', () => {
  const account = { address: '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045', chain: 'Base Sepolia' }
  const html = shown([wallet('a', 'Ada', account), wallet('b', 'Bert')])
  expect(html).toContain('0xd8dA…6045 · Base Sepolia')
  expect(html).toMatch(/Bert.*EVM/)
  expect(linksIn(html)).toEqual([])
})

test('connected wallets come first, and wallets on other devices last', () => {
  const html = shown([
    wallet(WALLET_CONNECT, 'WalletConnect'),
    wallet('a', 'Ada'),
    wallet('b', 'Bert', { address: '0x1', chain: null }),
  ])
  expect(html).toMatch(/Bert.*Ada.*WalletConnect/)
})

test('wallet support that did not load is an error and no empty list', () => {
  expect(shown(null, true)).toContain('Reload the page')
})

describe('the request to a wallet on another device', () => {
  test('waits for the relay, then shows a QR code and a link to copy', () => {
    expect(renderToStaticMarkup(<PairingWays uri={null} phone={false} />)).toContain('Connecting to WalletConnect')
    const html = renderToStaticMarkup(<PairingWays uri={URI} phone={false} />)
    expect(html).toMatch(/<svg role="img" aria-label="QR code of the connection".*<path d="M\d+ \d+h1v1h-1z/)
    expect(html).toContain('Copy link')
    expect(html).not.toContain('style=')
    expect(linksIn(html)).toEqual([])
  })

  test('has links to wallet apps on a phone', () => {
    const html = renderToStaticMarkup(<PairingWays uri={URI} phone />)
    expect(linksIn(html)).toEqual(['metamask.app.link', 'go.cb-w.com', 'rnbwapp.com', 'link.trustwallet.com'])
    expect(html).toContain(encodeURIComponent(URI))
  })
})
