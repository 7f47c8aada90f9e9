'use client'

import { useSyncExternalStore } from 'react'
import { type Wallets, walletStore } from './wallet-store'

/** The wallets that the page's `WalletHost` found, including late ones, with the accounts they share now. */
export function useWallets(): Wallets {
  return useSyncExternalStore(walletStore.subscribe, walletStore.get, walletStore.getOnServer)
}
