'use client'

import { X } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../ui/button'
import { shortened } from '../../ui/shortened'
import { changedAccount } from './changed-account'
import { type SigningWallet, walletError } from './signing-wallet'
import { useWallets } from './use-wallets'

type Props = {
  /** The signed-in account. */
  address: string
  /** Signs in with a wallet; returns an error text, or null after success. */
  signIn: (wallet: SigningWallet) => Promise<string | null>
}

/** Tells a signed-in payer that the wallet now uses another account, and offers to sign in with that one. */
export function AccountNotice({ address, signIn }: Props) {
  const changed = changedAccount(useWallets().wallets, address)
  const [dismissed, setDismissed] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  if (!changed || changed.address === dismissed) return null
  const { wallet, address: other } = changed
  async function change() {
    setBusy(true)
    const failed = await signIn(wallet).catch(walletError)
    setProblem(failed)
    setBusy(false)
    // The same screen with the other account.
    if (failed === null) location.reload()
  }
  return (
    <div role="status" className="mb-4 flex flex-wrap items-center gap-x-4 gap-y-3 rounded-xl border bg-wash p-4">
      <div className="min-w-0 grow basis-72">
        <p className="font-medium">
          {wallet.name} now uses {shortened(other)}
        </p>
        <p className="text-md text-soft">You are signed in as {shortened(address)} and see its payments.</p>
        {problem ? <p className="text-md text-bad">{problem}</p> : null}
      </div>
      <Button look="primary" onClick={change} disabled={busy}>
        {busy ? 'Waiting for the wallet…' : 'Sign in with the new account'}
      </Button>
      <Button look="quiet" size="icon" aria-label="Dismiss" onClick={() => setDismissed(other)}>
        <X aria-hidden className="size-4" />
      </Button>
    </div>
  )
}
