'use client'

import { useEffect, useState } from 'react'
import type { Add, SigningWallet } from './signing-wallet'
import { watchSolana } from './solana'

/** The wallets of this browser, including late ones. `wallets` is null until the first search ends. */
export function useWallets(): { wallets: SigningWallet[] | null; problem: Error | null } {
  const [wallets, setWallets] = useState<SigningWallet[] | null>(null)
  const [problem, setProblem] = useState<Error | null>(null)
  useEffect(() => watchWallets(setWallets, setProblem), [])
  return { wallets, problem }
}

function watchWallets(report: (wallets: SigningWallet[]) => void, fail: (error: Error) => void): () => void {
  const found = new Map<string, SigningWallet>()
  const add: Add = (id, wallet) => {
    found.set(id, wallet)
    report([...found.values()])
  }
  const stops = [watchSolana(add)]
  let stopped = false
  // Large, and only signing needs it.
  import('./ethereum').then(({ watchEthereum }) => {
    if (stopped) return
    stops.push(watchEthereum(add))
    report([...found.values()])
  }, fail)
  return () => {
    stopped = true
    for (const stop of stops) stop()
  }
}
