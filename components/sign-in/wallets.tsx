'use client'

import { signIn } from 'next-auth/react'
import { useState } from 'react'
import { refusalOf } from '../wallets/refusal'
import type { SigningWallet } from '../wallets/signing-wallet'
import { useWallets } from '../wallets/use-wallets'
import { WalletButtons } from '../wallets/wallet-buttons'
import { saidOf } from './failures'
import { signInText } from './sign-in-text'

type Ends = { onSignedIn: () => void; onProblem: (problem: string | null) => void }

/** The wallets of this browser, Ethereum's and Solana's, to sign in with. */
export function Wallets({ onSignedIn, onProblem }: Ends) {
  const { wallets, problem } = useWallets()
  const [busy, setBusy] = useState(false)
  async function enter(wallet: SigningWallet) {
    onProblem(null)
    setBusy(true)
    try {
      const { address, chainId } = await wallet.connect()
      const message = signInText({ family: wallet.family, address, chainId, origin: location.origin })
      const signature = await wallet.sign(message, address)
      const answer = await signIn('wallet', { message, signature, redirect: false })
      if (answer?.ok) onSignedIn()
      else onProblem(saidOf(answer?.error))
    } catch (error) {
      onProblem(refusalOf(error))
    } finally {
      setBusy(false)
    }
  }
  return <WalletButtons wallets={wallets} problem={problem} disabled={busy} onChoose={enter} />
}
