'use client'

import { useState } from 'react'
import { AdminKey } from '../../client/admin-key'
import { merchantSignInUrl } from '../../client/merchant-sign-in'
import { Problem, signInHere } from '../../client/problem'
import type { Who } from '../../client/screen-list'
import { useWalletSignIn } from '../../client/wallets/use-wallet-sign-in'
import { useWallets } from '../../client/wallets/use-wallets'
import { WalletButtons } from '../../client/wallets/wallet-buttons'
import { Mark } from '../../ui/brand'
import { Button } from '../../ui/button'
import { Dialog } from '../../ui/dialog'

type Props = {
  /** Who was signed in. */
  who: Who
  /** Reads the session again. */
  onSignedIn: () => void
}

/** Signs the account of before in again, above the page: what was typed on it stays, and goes on afterwards. */
export function SessionEnded({ who, onSignedIn }: Props) {
  const [problem, setProblem] = useState<string | null>(null)
  const Way = WAYS[who.kind]
  return (
    <Dialog title="You were signed out" open firm covers lead={LOGO} onClose={() => {}}>
      <div className="grid gap-4">
        <p>A session ends after 12 hours, or when you sign out in another tab.</p>
        <p>
          Sign in again as <strong className="inline-block max-w-full truncate align-bottom font-semibold">{who.name}</strong>.
          What you typed is kept.
        </p>
        {problem === null ? null : <Problem error={{ message: problem }} />}
        <Way who={who} onSignedIn={onSignedIn} onProblem={setProblem} />
        <p className="text-sm text-soft">
          <a href={signInHere()}>Sign in with another account</a>
        </p>
      </div>
    </Dialog>
  )
}

const LOGO = (
  <span className="flex items-center gap-2 font-semibold tracking-tight">
    <Mark className="size-6" /> Quittance
  </span>
)

type WayProps = Props & { onProblem: (problem: string | null) => void }

/** Opens the identity provider in a window of its own, which tells this page when it is done. */
function Merchant({ who, onProblem }: WayProps) {
  async function start() {
    onProblem(null)
    // Opened by the click itself: later the browser would block it.
    const opened = open('about:blank', 'sign-in', 'popup,width=480,height=640')
    const url = await merchantSignInUrl('/sign-in/done').catch(() => null)
    if (url === null) {
      opened?.close()
      onProblem('The sign-in did not start. Check your connection, then try again.')
    } else if (opened) opened.location.href = url
    else onProblem('Your browser blocked the window to sign in. Allow it for this site, then try again.')
  }
  return (
    <Button look="primary" onClick={() => void start()}>
      <span className="truncate">Sign in as {who.name}</span>
    </Button>
  )
}

function Wallet(ends: WayProps) {
  const found = useWallets()
  const { busy, enter } = useWalletSignIn(ends)
  return <WalletButtons {...found} family={null} disabled={busy} onChoose={enter} />
}

const WAYS = { merchant: Merchant, wallet: Wallet, admin: AdminKey } as const
