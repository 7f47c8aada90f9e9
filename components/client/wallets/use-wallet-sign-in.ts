import { useState } from 'react'
import { type SigningWallet, walletError } from './signing-wallet'
import { signInWith } from './wallet-sign-in'

type Ends = { onSignedIn: () => void; onProblem: (problem: string | null) => void }

/** Signs in with the wallet that is chosen; `busy` until it answered. */
export function useWalletSignIn({ onSignedIn, onProblem }: Ends) {
  const [busy, setBusy] = useState(false)
  async function enter(wallet: SigningWallet) {
    onProblem(null)
    setBusy(true)
    const problem = await signInWith(wallet).catch(walletError)
    setBusy(false)
    if (problem === null) onSignedIn()
    else onProblem(problem)
  }
  return { busy, enter }
}
