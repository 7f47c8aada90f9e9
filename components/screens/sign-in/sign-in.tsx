'use client'

import { useQuery } from '@tanstack/react-query'
import { Check, ChevronDown, Wallet as WalletIcon } from 'lucide-react'
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
import { type SigningWallet, WALLET_CONNECT, walletError } from '../../client/wallets/signing-wallet'
import { useWallets } from '../../client/wallets/use-wallets'
import { WalletButtons } from '../../client/wallets/wallet-buttons'
import { WalletHost } from '../../client/wallets/wallet-host'
import { signInWith } from '../../client/wallets/wallet-sign-in'
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
  // Wallets that load make their part longer: on a phone, what is below it waits, as it would move under the finger.
  const waits = open !== null && !isFound(found)
  return (
    <>
      <header className="bar [--width:61.5rem]">
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
      <main className="app mx-auto grid w-full max-w-5xl content-start gap-6 px-5 pt-6 pb-16 sm:pt-12">
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
        {session.data ? (
          <>
            {toConsole ? operator : null}
            <WalletHost
              projectId={session.data.walletConnectProjectId ?? null}
              playgroundUrl={session.data.playgroundUrl ?? null}
            />
            <div className="grid grid-cols-1 gap-5 md:grid-cols-2">
              {shown.map((role, place) => (
                <WaysIn
                  key={role}
                  role={role}
                  className={waits && place > shown.indexOf(open) ? (open === 'seller' ? 'invisible' : 'max-md:invisible') : ''}
                >
                  {role === 'seller' && ways?.merchant ? (
                    <Merchant
                      issuerHost={session.data.issuerHost}
                      onStart={() => signIn('oidc', { callbackUrl: destinationOf(role, target()) })}
                    />
                  ) : null}
                  {role === 'seller' && !walletsSell ? null : (
                    <WalletWay
                      title={ROLES[role].wallet}
                      note={role === 'seller' ? 'You get a free key that pays only this wallet.' : null}
                      hint={ROLES[role].hint}
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
          <div className="grid grid-cols-1 gap-5 md:grid-cols-2">
            <Skeleton className="h-76 rounded-xl md:col-span-2 md:h-54" />
            <Skeleton className="h-88 rounded-xl max-md:hidden" />
            <Skeleton className="h-88 rounded-xl max-md:hidden" />
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

const isFound = ({ wallets, failed }: Found): boolean => wallets !== null || failed

/** A role with its ways in. */
function WaysIn({ role, className, children }: { role: Role; className: string; children: ReactNode }) {
  const { title, note, points } = ROLES[role]
  return (
    <section
      aria-labelledby={role}
      className={cx(
        // The second column begins where that of the cards below does.
        'grid grid-cols-1 content-start gap-x-[4.375rem] gap-y-4 panel p-5 sm:p-6',
        role === 'seller' && 'md:col-span-2 md:grid-cols-2 md:grid-rows-[auto_1fr]',
        className,
      )}
    >
      <div className="grid content-start gap-0.5">
        <h2 id={role} className="text-lg font-semibold">
          {title}
        </h2>
        <p className="text-md text-soft">{note}</p>
      </div>
      <ul className={cx('grid content-start gap-2 text-md max-md:hidden', role === 'seller' && 'md:row-start-2')}>
        {points.map((point) => (
          <li key={point} className="grid grid-cols-[1.25rem_minmax(0,1fr)] items-start gap-1.5">
            <Check aria-hidden className="mt-0.5 size-4 text-accent" /> {point}
          </li>
        ))}
      </ul>
      {/* Not at the foot: a neighbour that unfolds its wallets would move it. */}
      <div className={cx('grid grid-cols-1 content-start gap-2.5', role === 'seller' && 'md:row-span-2')}>{children}</div>
    </section>
  )
}

type MerchantProps = { issuerHost: string | null; onStart: () => void }

function Merchant({ issuerHost, onStart }: MerchantProps) {
  return (
    <div className="grid gap-2.5 pb-2">
      <Button look="primary" className="h-12 w-full justify-center" onClick={onStart}>
        Sign in as a merchant
      </Button>
      <Hint>
        With your organization's account{issuerHost ? ` at ${issuerHost}` : ''}. <a href="/home#plans">Compare plans</a>
      </Hint>
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
      className="group mx-auto w-full max-w-sm"
    >
      <summary className="flex min-h-11 cursor-pointer list-none items-center justify-center gap-1.5 py-2 text-sm text-soft hover:text-ink [&::-webkit-details-marker]:hidden">
        Operator? Sign in with the admin key
        <ChevronDown aria-hidden className="size-4 transition-transform group-open:rotate-180" />
      </summary>
      <AdminKey {...ends} className="pt-1 pb-3" />
    </details>
  )
}

type WalletWayProps = Ends & {
  title: string
  note: string | null
  /** What it says while it is folded. */
  hint: string | null
  isOpen: boolean
  onOpen: () => void
  found: Found
}

/** Signs in with an EVM or Solana wallet of this browser, or of a phone: a button that unfolds them. */
function WalletWay({ title, note, hint, isOpen, onOpen, found, onSignedIn, onProblem }: WalletWayProps) {
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
    <div className="grid grid-cols-1 gap-2.5 [&_li>a]:h-12 [&_li>button]:h-12">
      <Button className="h-12 w-full font-semibold" aria-expanded={isOpen} onClick={onOpen}>
        <WalletIcon aria-hidden className="size-5 text-soft" />
        {title}
        <ChevronDown aria-hidden className={cx('ml-auto size-4 text-soft transition-transform', isOpen && 'rotate-180')} />
      </Button>
      {isOpen ? (
        <>
          {isFound(found) ? (
            <WalletButtons {...found} family={null} disabled={busy} onChoose={enter} />
          ) : (
            <Skeleton className="h-12 rounded-lg" />
          )}
          <Hint>
            {note} Your wallet signs a message: it costs nothing and moves no money.
            {found.wallets?.every(({ id }) => id === WALLET_CONNECT) ? null : (
              <>
                {' '}
                Is yours missing? <span className="max-sm:hidden">Enable its extension, then reload this page.</span>
                <span className="sm:hidden">Open this page in the browser of its app.</span>
              </>
            )}
          </Hint>
        </>
      ) : hint ? (
        <Hint>{hint}</Hint>
      ) : null}
    </div>
  )
}
