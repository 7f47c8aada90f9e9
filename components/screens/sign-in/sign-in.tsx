'use client'

import { useQuery } from '@tanstack/react-query'
import { ChevronDown } from 'lucide-react'
import { useSearchParams } from 'next/navigation'
import { signIn } from 'next-auth/react'
import { type FormEvent, type ReactNode, useState } from 'react'
import { Problem } from '../../client/problem'
import { sessionQuery } from '../../client/queries'
import { FRESH_MS } from '../../client/refresh'
import { firstScreenOf, screenAt } from '../../client/screen-list'
import { useTRPC } from '../../client/trpc'
import { failureOf, messageOf } from '../../client/wallets/sign-in-failures'
import { type SigningWallet, WALLET_CONNECT, walletError } from '../../client/wallets/signing-wallet'
import { useWallets } from '../../client/wallets/use-wallets'
import { WalletButtons } from '../../client/wallets/wallet-buttons'
import { WalletHost } from '../../client/wallets/wallet-host'
import { signInWith } from '../../client/wallets/wallet-sign-in'
import type { Wallets as Found, WalletSources } from '../../client/wallets/wallet-store'
import { BAR_BRAND, BAR_LINK, BAR_NAV } from '../../ui/bar'
import { Brand } from '../../ui/brand'
import { Button } from '../../ui/button'
import { cx } from '../../ui/class-names'
import { TextField } from '../../ui/fields'
import { Skeleton } from '../../ui/panel'
import { ThemeSwitch } from '../../ui/theme'
import { ownPage } from './own-page'

/** Sign-in for merchants (identity provider), payers and agents (wallet), and administrators (key). */
export function SignIn() {
  const trpc = useTRPC()
  const session = useQuery({ ...sessionQuery(trpc), staleTime: FRESH_MS.usual })
  const query = useSearchParams()
  const [problem, setProblem] = useState<string | null>(failureOf(query.get('error')))
  const found = useWallets()
  const target = () => ownPage(query.get('to') ?? query.get('callbackUrl'), location.origin)
  const [isCharging, setIsCharging] = useState(isForMerchants(query))
  async function enter() {
    const { data } = await session.refetch()
    location.assign(target() ?? (data?.who ? firstScreenOf(data.who) : '/home'))
  }
  function enterWithWallet() {
    if (isCharging && !isForMerchants(query)) location.assign('/dashboard')
    else void enter()
  }
  const ways = session.data?.canSignIn
  const toConsole = isForOperators(query)
  const operator = ways?.admin ? (
    <Operator isOpen={toConsole} onSignedIn={enter} onProblem={setProblem} className={ways.merchant ? 'md:col-span-2' : ''} />
  ) : null
  const wanted = screenAt(query.get('to')?.split('?', 1)[0] ?? '')
  return (
    <>
      <header className="bar">
        <Brand className={BAR_BRAND} />
        <nav aria-label="Pages" className={BAR_NAV}>
          {LINKS.map(([href, title]) => (
            <a key={href} className={BAR_LINK} href={href}>
              {title}
            </a>
          ))}
          <ThemeSwitch />
        </nav>
      </header>
      <main className="app mx-auto grid w-full max-w-4xl content-start gap-6 px-5 pt-6 pb-16 sm:pt-12">
        <header className="grid gap-1">
          <h1 className="text-[1.75rem] leading-tight font-semibold tracking-tight">Sign in</h1>
          <p className="text-soft">
            {wanted ? `Sign in to open ${wanted}. ` : null}
            {toConsole ? (
              'It needs the admin key.'
            ) : (
              <>
                New here? Signing in creates your account. <a href="/docs/quickstart">Read the quick start</a>
              </>
            )}
          </p>
        </header>
        {problem ? <Problem error={{ message: problem }} /> : null}
        {session.error ? <Problem error={session.error} retry={session.refetch} /> : null}
        {ways ? (
          <div className={COLUMNS}>
            {toConsole ? operator : null}
            {ways.merchant ? (
              <WayToSignIn title="Get paid" note="API keys, settlements, webhooks and the figures of your APIs.">
                <Button
                  look="primary"
                  className="h-12 w-full justify-center"
                  onClick={() => signIn('oidc', { callbackUrl: target() ?? '/dashboard' })}
                >
                  Sign in as a merchant
                </Button>
                <Hint>
                  With your organization's account{session.data?.issuerHost ? ` at ${session.data.issuerHost}` : ''}.{' '}
                  <a href="/home#plans">Compare plans</a>
                </Hint>
              </WayToSignIn>
            ) : null}
            <WayToSignIn title="Use your wallet" note="Your wallet signs a message. It costs nothing and moves no money.">
              {session.data?.walletsCharge ? <Charging charging={isCharging} onChange={setIsCharging} /> : null}
              <Wallets
                found={found}
                projectId={session.data?.walletConnectProjectId ?? null}
                playgroundUrl={session.data?.playgroundUrl ?? null}
                onSignedIn={enterWithWallet}
                onProblem={setProblem}
              />
            </WayToSignIn>
            {/* What is below the wallets waits for them: it would move under the finger. */}
            {toConsole || !isFound(found) ? null : operator}
          </div>
        ) : session.error ? null : (
          <div className={COLUMNS}>
            <Skeleton className="h-58 rounded-xl" />
            <Skeleton className="h-58 rounded-xl max-md:hidden" />
          </div>
        )}
      </main>
    </>
  )
}

const LINKS = [
  ['/home', 'Home'],
  ['/docs', 'Docs'],
] as const

/** The wallets have a column of their own, the last on a phone, so that nothing moves when they load. */
const COLUMNS = 'grid grid-cols-1 items-start gap-5 md:grid-cols-2'

const isFound = ({ wallets, failed }: Found): boolean => wallets !== null || failed

// Who was sent here from the console needs the key.
const isForOperators = (query: Pick<URLSearchParams, 'get'>): boolean => query.get('to')?.startsWith('/console') ?? false

const isForMerchants = (query: Pick<URLSearchParams, 'get'>): boolean => query.get('to')?.startsWith('/dashboard') ?? false

/** Whether the wallet comes to get paid: it then sees the merchant's screens first. Both ways, it has all of them. */
function Charging({ charging, onChange }: { charging: boolean; onChange: (charging: boolean) => void }) {
  return (
    <label className="grid grid-cols-[auto_minmax(0,1fr)] items-center gap-x-2.5 rounded-lg border px-3.5 py-2.5">
      <input type="checkbox" checked={charging} onChange={({ target }) => onChange(target.checked)} />
      <span className="font-medium">Charge with this wallet</span>
      <span className="col-start-2 text-sm text-soft">Get a free key that pays only your wallet.</span>
    </label>
  )
}

function WayToSignIn({ title, note, children }: { title: string; note: string; children: ReactNode }) {
  return (
    <section className="grid grid-cols-1 content-start gap-4 panel p-5 sm:p-7">
      <div className="grid gap-0.5">
        <h2 className="text-lg font-semibold">{title}</h2>
        <p className="text-md text-soft">{note}</p>
      </div>
      {children}
    </section>
  )
}

function Hint({ children }: { children: ReactNode }) {
  return <p className="text-sm wrap-anywhere text-soft">{children}</p>
}

type Ends = { onSignedIn: () => void; onProblem: (problem: string | null) => void }

/** The sign-in of the operator, folded because few visitors have the key. */
function Operator({ isOpen, className, ...ends }: Ends & { isOpen: boolean; className: string }) {
  return (
    <details
      open={isOpen}
      onToggle={({ currentTarget }) => {
        if (currentTarget.open) currentTarget.querySelector('input')?.focus()
      }}
      className={cx('group w-full max-w-sm justify-self-center', className)}
    >
      <summary className="flex min-h-11 cursor-pointer list-none items-center justify-center gap-1.5 py-2 text-sm text-soft hover:text-ink [&::-webkit-details-marker]:hidden">
        Operator? Sign in with the admin key
        <ChevronDown aria-hidden className="size-4 transition-transform group-open:rotate-180" />
      </summary>
      <AdminKey {...ends} />
    </details>
  )
}

function AdminKey({ onSignedIn, onProblem }: Ends) {
  const [key, setKey] = useState('')
  async function submit(event: FormEvent) {
    event.preventDefault()
    const answer = await signIn('admin', { key, redirect: false })
    if (answer?.ok) onSignedIn()
    else onProblem(answer?.error === 'CredentialsSignin' ? 'Wrong admin key.' : messageOf(answer?.error))
  }
  return (
    <form onSubmit={submit} className="flex w-full items-end gap-2 pt-1 pb-3">
      <TextField
        label="Admin key"
        type="password"
        autoComplete="current-password"
        value={key}
        onChange={({ target }) => {
          setKey(target.value)
          onProblem(null)
        }}
        className="grow"
        required
      />
      <Button type="submit" className="mb-1.5">
        Enter
      </Button>
    </form>
  )
}

/** Signs in with an EVM or Solana wallet of this browser, or of a phone. */
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
    <div className="grid gap-4 [&_li>a]:h-12 [&_li>button]:h-12">
      <WalletHost {...sources} />
      {isFound(found) ? (
        <WalletButtons {...found} family={null} disabled={busy} onChoose={enter} />
      ) : (
        <Skeleton className="h-12 rounded-lg" />
      )}
      {found.wallets?.every(({ id }) => id === WALLET_CONNECT) ? null : (
        <Hint>
          Ethereum and Solana wallets. Is yours missing?{' '}
          <span className="max-sm:hidden">Enable its extension, then reload this page.</span>
          <span className="sm:hidden">Open this page in the browser of its app.</span>
        </Hint>
      )}
    </div>
  )
}
