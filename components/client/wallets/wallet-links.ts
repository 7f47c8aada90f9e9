import type { SigningWallet } from './signing-wallet'

type Family = SigningWallet['family']

/** A link to a wallet, and the families of accounts that the wallet has. */
export type WalletLink = { name: string; href: string; families: readonly Family[] }

const BOTH = ['evm', 'svm'] as const

/** Where to install wallets on a computer. */
export const installLinks: readonly WalletLink[] = [
  { name: 'MetaMask', href: 'https://metamask.io/download', families: BOTH },
  { name: 'Coinbase Wallet', href: 'https://www.coinbase.com/wallet/downloads', families: BOTH },
  { name: 'Phantom', href: 'https://phantom.com/download', families: BOTH },
  { name: 'Solflare', href: 'https://www.solflare.com/download', families: ['svm'] },
]

/** Links that open a page in the browser inside a wallet app. They lead to the app's store page if it is not installed. */
export function browseLinks(page: string): WalletLink[] {
  const { origin, href } = new URL(page)
  const [url, ref] = [encodeURIComponent(href), encodeURIComponent(origin)]
  return [
    { name: 'MetaMask', href: `https://metamask.app.link/dapp/${href.replace(/^https?:\/\//, '')}`, families: ['evm'] },
    { name: 'Coinbase Wallet', href: `https://go.cb-w.com/dapp?cb_url=${url}`, families: BOTH },
    { name: 'Phantom', href: `https://phantom.app/ul/browse/${url}?ref=${ref}`, families: BOTH },
    { name: 'Solflare', href: `https://solflare.com/ul/v1/browse/${url}?ref=${ref}`, families: ['svm'] },
  ]
}

/** Links that pass a WalletConnect URI to a wallet app of this phone. */
export function pairingLinks(uri: string): Pick<WalletLink, 'name' | 'href'>[] {
  const encoded = encodeURIComponent(uri)
  return [
    { name: 'MetaMask', href: `https://metamask.app.link/wc?uri=${encoded}` },
    { name: 'Coinbase Wallet', href: `https://go.cb-w.com/wc?uri=${encoded}` },
    { name: 'Rainbow', href: `https://rnbwapp.com/wc?uri=${encoded}` },
    { name: 'Trust Wallet', href: `https://link.trustwallet.com/wc?uri=${encoded}` },
  ]
}

/** Whether this is a phone or tablet, whose wallets are apps. An iPad names itself a Mac, but has a touch screen. */
export function isPhone({ userAgent, maxTouchPoints }: Pick<Navigator, 'userAgent' | 'maxTouchPoints'>): boolean {
  return /android|iphone|ipad|ipod/i.test(userAgent) || (/macintosh/i.test(userAgent) && maxTouchPoints > 1)
}
