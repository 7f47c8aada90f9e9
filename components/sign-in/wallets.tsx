'use client'

import { signIn } from 'next-auth/react'
import { useEffect, useState } from 'react'
import { Button } from '../ui/button'
import { type SigningWallet, watchWallets } from './browser-wallets'
import { signInText } from './sign-in-text'

type Ends = { onSignedIn: () => void; onProblem: (problem: string | null) => void }

/** The wallets of this browser, Ethereum's and Solana's, to sign in with. */
export function Wallets({ onSignedIn, onProblem }: Ends) {
  const [wallets, setWallets] = useState<SigningWallet[]>([])
  const [busy, setBusy] = useState<string | null>(null)
  useEffect(() => watchWallets(setWallets), [])
  async function enter(wallet: SigningWallet) {
    onProblem(null)
    setBusy(wallet.name)
    try {
      const { address, chainId } = await wallet.connect()
      const message = signInText({ family: wallet.family, address, chainId, origin: location.origin })
      const signature = await wallet.sign(message, address)
      const answer = await signIn('wallet', { message, signature, redirect: false })
      if (answer?.ok) onSignedIn()
      else onProblem(answer?.error ?? 'That did not work.')
    } catch (error) {
      onProblem(error instanceof Error ? error.message : 'The wallet did not sign.')
    } finally {
      setBusy(null)
    }
  }
  if (wallets.length === 0)
    return <p className="m-0 text-[0.875rem]">No wallet was found in this browser. Install one, then load this page again.</p>
  return (
    <ul className="grid w-full gap-2">
      {wallets.map((wallet) => (
        <li key={`${wallet.family} ${wallet.name}`}>
          <Button onClick={() => enter(wallet)} disabled={busy !== null} className="w-full">
            {/* biome-ignore lint/performance/noImgElement: a data URL of the wallet itself */}
            {wallet.icon ? <img src={wallet.icon} alt="" className="size-5 rounded" /> : null}
            {wallet.name}
            <span className="ml-auto text-[0.8125rem] text-soft">{wallet.family === 'evm' ? 'Ethereum' : 'Solana'}</span>
          </Button>
        </li>
      ))}
    </ul>
  )
}
