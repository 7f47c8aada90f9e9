'use client'

import { useQuery } from '@tanstack/react-query'
import { ChevronDown, ChevronRight, Wallet as WalletIcon } from 'lucide-react'
import { useSearchParams } from 'next/navigation'
import { signIn } from 'next-auth/react'
import { type ReactNode, useState } from 'react'
import { AdminKey } from '../../client/admin-key'
import { Problem } from '../../client/problem'
import { sessionQuery } from '../../client/queries'
import { FRESH_MS } from '../../client/refresh'
import { firstScreenOf, screenAt } from '../../client/screen-list'
import { useTRPC } from '../../client/trpc'
import { failureOf } from '../../client/wallets/sign-in-failures'
import { WALLET_CONNECT } from '../../client/wallets/signing-wallet'
import { useWalletSignIn } from '../../client/wallets/use-wallet-sign-in'
import { useWallets } from '../../client/wallets/use-wallets'
import { WalletButtons } from '../../client/wallets/wallet-buttons'
import { WalletHost } from '../../client/wallets/wallet-host'
import type { Wallets as Found } from '../../client/wallets/wallet-store'
import { BAR_BRAND, BAR_LINK, BAR_NAV } from '../../ui/bar'
import { Brand } from '../../ui/brand'
import { Button } from '../../ui/button'
import { cx } from '../../ui/class-names'
import { Skeleton } from '../../ui/panel'
import { ThemeSwitch } from '../../ui/theme'
import { ownPage } from './own-page'
import { destinationOf, ROLES, type Role, roleAt, roles } from './roles'

/** Sign-in by what one comes for, each with its ways in: identity provider or wallet. Administrators have a key. */
export function SignIn() {
  const trpc = useTRPC()
  const session = useQuery({ ...sessionQuery(trpc), staleTime: FRESH_MS.usual })
  const query = useSearchParams()
  const [problem, setProblem] = useState<string | null>(failureOf(query.get('error')))
  const found = useWallets()
  const from = query.get('to') ?? query.get('callbackUrl')
  const target = () => ownPage(from, location.origin)
  const path = query.get('to')?.split('?', 1)[0] ?? ''
  // A visitor whom a screen sent here sees that screen's ways to sign in. Nothing else is preselected.
  const [open, setOpen] = useState<Role | null>(roleAt(path))
  async function enterAsOperator() {
    const { data } = await session.refetch()
    location.assign(target() ?? (data?.who ? firstScreenOf(data.who) : '/home'))
  }
  const ways = session.data?.canSignIn
  const walletsSell = session.data?.walletsCharge ?? false
  const shown = roles.filter((role) => role !== 'seller' || ways?.merchant || walletsSell)
  const toConsole = path.startsWith('/console')
  const wanted = screenAt(path)
  const operator = ways?.admin ? <Operator isOpen={toConsole} onSignedIn={enterAsOperator} onProblem={setProblem} /> : null
  // Wallets that load make their part longer: what is below it waits, as it would move under the finger.
  const waits = open !== null && !isFound(found)
  return (
    <>
      <header className="bar [--width:68rem]">
        <Brand className={BAR_BRAND} />
        <nav aria-label="Pages" className={BAR_NAV}>
          {LINKS.map(([href, title]) => (
            <a key={href} className={cx(BAR_LINK, 'phone:mr-[0.55rem]')} href={href}>
              {title}
            </a>
          ))}
          <ThemeSwitch />
        </nav>
      </header>
      <main className="app mx-auto grid w-[min(100%-2.5rem,48rem)] content-start gap-6 pt-6 pb-16 sm:pt-12">
        <header className="grid gap-1">
          <h1 className="text-title leading-tight font-bold tracking-tight">Sign in</h1>
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
        {session.data ? (
          <>
            <WalletHost
              projectId={session.data.walletConnectProjectId ?? null}
              playgroundUrl={session.data.playgroundUrl ?? null}
            />
            {toConsole ? operator : null}
            <div className="panel">
              {shown.map((role, place) => (
                <WaysIn key={role} role={role} className={waits && place > shown.indexOf(open) ? 'invisible' : ''}>
                  {role === 'seller' && ways?.merchant ? (
                    <Merchant
                      issuerHost={session.data.issuerHost}
                      onStart={() => signIn('oidc', { callbackUrl: destinationOf(role, target()) })}
                    />
                  ) : null}
                  {role === 'seller' && !walletsSell ? null : (
                    <WalletWay
                      role={role}
                      isOpen={open === role}
                      onOpen={() => setOpen(open === role ? null : role)}
                      found={found}
                      onSignedIn={() => location.assign(destinationOf(role, target()))}
                      onProblem={setProblem}
                    />
                  )}
                </WaysIn>
              ))}
            </div>
            {toConsole ? null : <div className={waits ? 'invisible' : ''}>{operator}</div>}
          </>
        ) : session.error ? null : (
          <Skeleton className="h-194 rounded-xl md:h-120" />
        )}
      </main>
    </>
  )
}

const LINKS = [
  ['/home', 'Home'],
  ['/docs', 'Docs'],
] as const

const isFound = ({ wallets, failed }: Found): boolean => wallets !== null || failed

/** A role with its ways in. */
function WaysIn({ role, className, children }: { role: Role; className: string; children: ReactNode }) {
  const { title, note } = ROLES[role]
  return (
    <section
      aria-labelledby={role}
      className={cx(
        'grid grid-cols-1 content-start gap-x-8 gap-y-4 border-b p-5 last:border-b-0 sm:p-6 md:grid-cols-[minmax(0,2fr)_minmax(0,3fr)]',
        className,
      )}
    >
      <div className="grid content-start gap-0.5">
        <h2 id={role} className="text-lg font-semibold">
          {title}
        </h2>
        <p className="text-md text-pretty text-soft">
          {note} {role === 'seller' ? <a href="/home#plans">Compare plans</a> : null}
        </p>
      </div>
      <div className="grid grid-cols-1 content-start gap-5">{children}</div>
    </section>
  )
}

type MerchantProps = { issuerHost: string | null; onStart: () => void }

function Merchant({ issuerHost, onStart }: MerchantProps) {
  return (
    <div className="grid gap-2.5">
      <Button look="primary" className="h-12 w-full" onClick={onStart}>
        Continue with single sign-on
      </Button>
      {issuerHost ? <Hint>Opens the sign-in page of your organization at {issuerHost}.</Hint> : null}
    </div>
  )
}

function Hint({ children }: { children: ReactNode }) {
  return <p className="text-sm wrap-anywhere text-soft">{children}</p>
}

type Ends = { onSignedIn: () => void; onProblem: (problem: string | null) => void }

/** The sign-in of the operator, folded because few visitors have the key. */
function Operator({ isOpen, ...ends }: Ends & { isOpen: boolean }) {
  return (
    <details
      open={isOpen}
      onToggle={({ currentTarget }) => {
        if (currentTarget.open) currentTarget.querySelector('input')?.focus()
      }}
      className="group w-full max-w-sm"
    >
      <summary className="flex min-h-11 cursor-pointer list-none items-center gap-1.5 py-2 text-sm text-soft hover:text-ink [&::-webkit-details-marker]:hidden">
        Operator? Sign in with the admin key
        <ChevronDown aria-hidden className="size-4 transition-transform group-open:rotate-180" />
      </summary>
      <AdminKey {...ends} className="pt-1 pb-3" />
    </details>
  )
}

type WalletWayProps = Ends & {
  role: Role
  isOpen: boolean
  onOpen: () => void
  found: Found
}

/** Signs in with an EVM or Solana wallet of this browser, or of a phone: a button that unfolds them. */
function WalletWay({ role, isOpen, onOpen, found, ...ends }: WalletWayProps) {
  const { way, hint } = ROLES[role]
  const { busy, enter } = useWalletSignIn(ends)
  return (
    <div className="grid grid-cols-1 gap-2.5 [&_li>a]:h-12 [&_li>button]:h-12">
      <button
        type="button"
        aria-expanded={isOpen}
        onClick={onOpen}
        className="flex h-12 items-center gap-2.5 rounded-lg border px-4 font-semibold hover:border-accent"
      >
        <WalletIcon aria-hidden className="size-5 text-accent" />
        {way}
        <ChevronRight aria-hidden className={cx('ml-auto size-4 text-soft transition-transform', isOpen && 'rotate-90')} />
      </button>
      {!isOpen ? null : isFound(found) ? (
        <WalletButtons {...found} family={null} disabled={busy} onChoose={enter} />
      ) : (
        <Skeleton className="h-12 rounded-lg" />
      )}
      <Hint>
        {hint}
        {isOpen ? ' Your wallet signs a message: it costs nothing and moves no money.' : null}
        {!isOpen || found.wallets?.every(({ id }) => id === WALLET_CONNECT) ? null : (
          <>
            {' '}
            Is yours missing? <span className="max-sm:hidden">Enable its extension, then reload this page.</span>
            <span className="sm:hidden">Open this page in the browser of its app.</span>
          </>
        )}
      </Hint>
    </div>
  )
}
