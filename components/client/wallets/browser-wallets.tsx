'use client'

import { useCallback, useEffect, useMemo, useState } from 'react'
import { type Config, type Connector, WagmiProvider } from 'wagmi'
import { type Pair, useEvmWallets } from './evm-wallets'
import { PairingDialog } from './pairing-dialog'
import type { SigningWallet, SvmWallet } from './signing-wallet'
import { watchSolana } from './solana'
import { walletConfig } from './wallet-config'
import { type WalletSources, walletStore } from './wallet-store'

/** Finds, reconnects and follows the wallets of this browser, and publishes them to `useWallets`. */
export function BrowserWallets({ projectId, playgroundUrl }: WalletSources) {
  const [config, setConfig] = useState<Config | null>(null)
  useEffect(() => {
    walletConfig(projectId).then(setConfig, () => walletStore.set({ wallets: null, failed: true }))
  }, [projectId])
  return config ? (
    <WagmiProvider config={config}>
      <Publisher playgroundUrl={playgroundUrl} />
    </WagmiProvider>
  ) : null
}

/** A connection that waits for a wallet on another device. The relay sends the URI a moment later. */
type Pairing = { uri: string | null; cancel: () => void }

function Publisher({ playgroundUrl }: Pick<WalletSources, 'playgroundUrl'>) {
  const [pairing, setPairing] = useState<Pairing | null>(null)
  const [solana, setSolana] = useState<SvmWallet[]>([])
  const pair = useCallback<Pair>((connector, connect) => paired(connector, connect, setPairing), [])
  const [demo, setDemo] = useState<SigningWallet[] | null>(playgroundUrl === null ? [] : null)
  const evm = useEvmWallets(pair)
  const wallets = useMemo(() => demo && [...solana, ...evm, ...demo], [solana, evm, demo])
  useEffect(() => watchSolana(setSolana), [])
  useEffect(() => {
    if (playgroundUrl === null) return
    // Loaded here: only a local demo lends wallets.
    void import('./demo-wallets').then(async ({ demoWallets }) => setDemo(await demoWallets(playgroundUrl)))
  }, [playgroundUrl])
  useEffect(() => walletStore.set({ wallets, failed: false }), [wallets])
  return pairing ? <PairingDialog uri={pairing.uri} onClose={pairing.cancel} /> : null
}

/** Shows the dialog until the wallet accepts. Throws if the user closes it or the wallet refuses. */
async function paired<T>({ emitter }: Connector, connect: () => Promise<T>, show: (pairing: Pairing | null) => void): Promise<T> {
  const { wantWalletConnect } = await import('./wallet-connect')
  wantWalletConnect()
  let cancel = () => {}
  const closed = new Promise<never>((_, reject) => {
    cancel = () => reject(new Error('You closed the request before a wallet accepted it.'))
  })
  const onMessage = ({ type, data }: { type: string; data?: unknown }) => {
    if (type === 'display_uri') show({ uri: String(data), cancel })
  }
  show({ uri: null, cancel })
  emitter.on('message', onMessage)
  try {
    return await Promise.race([connect(), closed])
  } finally {
    emitter.off('message', onMessage)
    show(null)
  }
}
