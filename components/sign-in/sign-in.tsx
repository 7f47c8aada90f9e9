'use client'

import { useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'next/navigation'
import { signIn } from 'next-auth/react'
import { type FormEvent, type ReactNode, useState } from 'react'
import { Brand } from '../brand'
import { useTRPC } from '../data/trpc'
import { firstScreenOf } from '../shell/screens'
import { ThemeSwitch } from '../shell/theme'
import { Button } from '../ui/button'
import { TextField } from '../ui/fields'
import { Problem, Skeleton } from '../ui/panel'
import { type SigningWallet, walletError } from '../wallets/signing-wallet'
import { useWallets } from '../wallets/use-wallets'
import { WalletButtons } from '../wallets/wallet-buttons'
import { WalletHost } from '../wallets/wallet-host'
import type { Wallets as Found, WalletSources } from '../wallets/wallet-store'
import { failureOf, messageOf } from './failures'
import { ownPage } from './own-page'
import { signInWith } from './wallet-sign-in'

/** Sign-in for merchants (identity provider), payers and agents (wallet), and administrators (key). */
export function SignIn() {
  const trpc = useTRPC()
  const session = useQuery(trpc.session.get.queryOptions())
  const query = useSearchParams()
  const [problem, setProblem] = useState<string | null>(failureOf(query.get('error')))
  const found = useWallets()
  const target = () => ownPage(query.get('to') ?? query.get('callbackUrl'), location.origin)
  async function enter() {
    const { data } = await session.refetch()
    location.assign(target() ?? (data?.who ? firstScreenOf(data.who) : '/home'))
  }
  const ways = session.data?.canSignIn
  return (
    <div className="app mx-auto grid min-h-dvh w-full max-w-md content-start gap-6 px-5 py-8">
      <header className="flex items-center justify-between">
        <Brand />
        <ThemeSwitch />
      </header>
      <main className="grid content-start gap-6">
        <div>
          <h1 className="m-0 mt-6 text-2xl font-semibold tracking-tight">Sign in</h1>
          <p className="m-0 text-soft">
            New here? Signing in creates your account. <a href="/docs/quickstart">Read the quick start</a>
          </p>
        </div>
        {problem ? <Problem error={{ message: problem }} /> : null}
        {session.error ? <Problem error={session.error} retry={session.refetch} /> : null}
        {ways ? (
          <>
            {ways.merchant ? (
              <Way title="You get paid" note="API keys, settlements and figures of your APIs.">
                <Button
                  look="primary"
                  className="w-full justify-center"
                  onClick={() => signIn('oidc', { callbackUrl: target() ?? '/dashboard' })}
                >
                  Sign in as a merchant
                </Button>
              </Way>
            ) : null}
            <Way title="You pay, or run an agent" note="Your wallet signs a message. No payment is made.">
              <Wallets
                found={found}
                projectId={session.data?.walletConnectProjectId ?? null}
                playgroundUrl={session.data?.playgroundUrl ?? null}
                onSignedIn={enter}
                onProblem={setProblem}
              />
            </Way>
            {/* What is below the wallets waits for them: it would move under the pointer. */}
            {ways.admin && (found.wallets || found.failed) ? (
              <Way title="You run this facilitator" note="Use the admin key of the service.">
                <AdminKey onSignedIn={enter} onProblem={setProblem} />
              </Way>
            ) : null}
          </>
        ) : (
          <Skeleton className="h-80" />
        )}
      </main>
    </div>
  )
}

function Way({ title, note, children }: { title: string; note: string; children: ReactNode }) {
  return (
    <section className="grid justify-items-start gap-3 rounded-xl border border-solid border-line bg-card p-5">
      <div>
        <h2 className="m-0 font-semibold">{title}</h2>
        <p className="m-0 text-[0.875rem] text-soft">{note}</p>
      </div>
      {children}
    </section>
  )
}

type Ends = { onSignedIn: () => void; onProblem: (problem: string | null) => void }

function AdminKey({ onSignedIn, onProblem }: Ends) {
  const [key, setKey] = useState('')
  async function submit(event: FormEvent) {
    event.preventDefault()
    const answer = await signIn('admin', { key, redirect: false })
    if (answer?.ok) onSignedIn()
    else onProblem(answer?.error === 'CredentialsSignin' ? 'Wrong admin key.' : messageOf(answer?.error))
  }
  return (
    <form onSubmit={submit} className="flex w-full items-end gap-2">
      <TextField
        label="Admin key"
        type="password"
        autoComplete="current-password"
        value={key}
        onChange={({ target }) => setKey(target.value)}
        className="grow"
        required
      />
      <Button type="submit" className="mb-1.5">
        Enter
      </Button>
    </form>
  )
}

/** Signs in with an Ethereum or Solana wallet of this browser, or of a phone. */
function Wallets({ found, onSignedIn, onProblem, ...sources }: Ends & WalletSources & { found: Found }) {
  const [busy, setBusy] = useState(false)
  async function enter(wallet: SigningWallet) {
    onProblem(null)
    setBusy(true)
    const problem = await signInWith(wallet).catch(walletError)
    setBusy(false)
    if (problem === null) onSignedIn()
    else onProblem(problem)
  }
  return (
    <>
      <WalletHost {...sources} />
      <WalletButtons {...found} family={null} disabled={busy} onChoose={enter} />
    </>
  )
}
