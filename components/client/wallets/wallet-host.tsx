'use client'

import { type ComponentType, lazy, memo, Suspense, useEffect, useState } from 'react'
import { type WalletSources, walletStore } from './wallet-store'

type Loaded = { default: ComponentType<WalletSources> }

// Large, and only pages that sign need it.
const BrowserWallets = lazy(() =>
  import('./browser-wallets').then(
    ({ BrowserWallets }): Loaded => ({ default: BrowserWallets }),
    (): Loaded => ({ default: NotLoaded }),
  ),
)

/** Finds the wallets of this browser once the page is painted. A page has one; with a `projectId` it offers WalletConnect. */
export const WalletHost = memo(function WalletHost(sources: WalletSources) {
  const [painted, setPainted] = useState(false)
  useEffect(() => {
    const frame = requestAnimationFrame(() => setPainted(true))
    return () => cancelAnimationFrame(frame)
  }, [])
  return painted ? (
    <Suspense>
      <BrowserWallets {...sources} />
    </Suspense>
  ) : null
})

function NotLoaded() {
  useEffect(() => walletStore.set({ wallets: null, failed: true }), [])
  return null
}
