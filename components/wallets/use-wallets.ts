'use client'

import { useEffect, useState } from 'react'
import type { Add, SigningWallet } from './signing-wallet'
import { watchSolana } from './solana'

/** The wallets of this browser, and those that announce themselves later. `wallets` is null until it was looked. */
export function useWallets(): { wallets: SigningWallet[] | null; problem: Error | null } {
  const [wallets, setWallets] = useState<SigningWallet[] | null>(null)
  const [problem, setProblem] = useState<Error | null>(null)
  useEffect(() => watchWallets(setWallets, setProblem), [])
  return { wallets, problem }
}

function watchWallets(tell: (wallets: SigningWallet[]) => void, fail: (error: Error) => void): () => void {
  const found = new Map<string, SigningWallet>()
  const add: Add = (id, wallet) => {
    found.set(id, wallet)
    tell([...found.values()])
  }
  const stops = [watchSolana(add)]
  let stopped = false
  // Much code, for those who sign only.
  import('./ethereum').then(({ watchEthereum }) => {
    if (stopped) return
    stops.push(watchEthereum(add))
    tell([...found.values()])
  }, fail)
  return () => {
    stopped = true
    for (const stop of stops) stop()
  }
}
