import { expect, test } from 'vitest'
import { browseLinks, installLinks, isPhone, pairingLinks } from './wallet-links'

const PAGE = 'https://pay.example.com/sign-in?to=%2Fpayments%3Fdays%3D7&x=1'

test('a phone opens this page, with its query, in the browser of a wallet app', () => {
  const hrefs = Object.fromEntries(browseLinks(PAGE).map(({ name, href }) => [name, new URL(href)]))
  expect(hrefs.MetaMask?.href).toBe(`https://metamask.app.link/dapp/pay.example.com/sign-in?to=%2Fpayments%3Fdays%3D7&x=1`)
  expect(hrefs['Coinbase Wallet']?.host).toBe('go.cb-w.com')
  expect(hrefs['Coinbase Wallet']?.searchParams.get('cb_url')).toBe(PAGE)
  for (const [name, start] of [
    ['Phantom', 'https://phantom.app/ul/browse/'],
    ['Solflare', 'https://solflare.com/ul/v1/browse/'],
  ] as const) {
    const { href, searchParams } = hrefs[name] ?? new URL(PAGE)
    expect(href.startsWith(start)).toBe(true)
    expect(decodeURIComponent(href.slice(start.length).split('?')[0] ?? '')).toBe(PAGE)
    expect(searchParams.get('ref')).toBe('https://pay.example.com')
  }
})

test('a phone passes a WalletConnect URI to a wallet app as it is', () => {
  const uri = 'wc:0a1b@2?relay-protocol=irn&symKey=ff&expiryTimestamp=1'
  const links = pairingLinks(uri)
  expect(links.map(({ name }) => name)).toEqual(['MetaMask', 'Coinbase Wallet', 'Rainbow', 'Trust Wallet'])
  for (const { href } of links) {
    expect(new URL(href).protocol).toBe('https:')
    expect(new URL(href).searchParams.get('uri')).toBe(uri)
  }
})

test('each family has a wallet to install and one to open', () => {
  for (const family of ['evm', 'svm'] as const) {
    for (const links of [installLinks, browseLinks(PAGE)]) {
      expect(links.filter(({ families }) => families.includes(family)).length).toBeGreaterThan(1)
    }
  }
})

test.each([
  ['Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X)', 5, true],
  ['Mozilla/5.0 (Linux; Android 15; Pixel 9) Mobile', 5, true],
  ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Version/18.5', 5, true],
  ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Chrome/140', 0, false],
  ['Mozilla/5.0 (Windows NT 10.0; Win64; x64)', 10, false],
  ['Mozilla/5.0 (X11; Linux x86_64)', 0, false],
])('%s with %i touch points is a phone or tablet: %s', (userAgent, maxTouchPoints, phone) => {
  expect(isPhone({ userAgent, maxTouchPoints })).toBe(phone)
})
