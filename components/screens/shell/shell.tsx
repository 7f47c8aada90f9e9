'use client'

import { useQuery } from '@tanstack/react-query'
import { LogOut, Menu, Server } from 'lucide-react'
import Link from 'next/link'
import { usePathname, useSearchParams } from 'next/navigation'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { environments } from '@/server/x402/networks/networks'
import { environmentTitles } from '../../client/environment'
import { Problem, signInHere } from '../../client/problem'
import { sessionQuery } from '../../client/queries'
import { bothAt } from '../../client/screen-head'
import { closedTo, isLeaving, leave, screenAt, screensOf, type Who } from '../../client/screen-list'
import { onSignedIn } from '../../client/signed-in-again'
import { useTRPC } from '../../client/trpc'
import { useEnvironment } from '../../client/use-environment'
import { Brand } from '../../ui/brand'
import { cx } from '../../ui/class-names'
import { useCommands } from '../../ui/commands'
import { later } from '../../ui/later'
import { Skeleton } from '../../ui/panel'
import { Segments } from '../../ui/segments'
import { shortened } from '../../ui/shortened'
import { ThemeSwitch } from '../../ui/theme'
import { PaletteButton, PaletteHint } from './palette-button'
import { useKeyboard } from './use-keyboard'

// Few accounts open a screen of others.
const Closed = later(() => import('./closed').then((loaded) => loaded.Closed), <Skeleton className="h-64" />)

// Few sessions end on an open page.
const SessionEnded = later(() => import('./session-ended').then((loaded) => loaded.SessionEnded))

// Loaded for wallets only.
const SignedInWallet = later(() => import('./signed-in-wallet').then((loaded) => loaded.SignedInWallet))

/** The layout of signed-in screens: navigation, account and the screen itself. */
export function Shell({ children }: { children: ReactNode }) {
  const trpc = useTRPC()
  // On each return to the tab, because another tab may have signed out or in.
  const session = useQuery({ ...sessionQuery(trpc), refetchOnWindowFocus: 'always' })
  const pathname = usePathname()
  const [open, setOpen] = useState(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: navigation closes the menu
  useEffect(() => setOpen(false), [pathname])
  const { who, hasEnded } = useAccount(session.data)
  const asks = hasEnded && !isLeaving()
  useOneAccount(who)
  const ofBoth = bothAt(pathname)
  const keyboard = useKeyboard(who)
  const isUnknown = session.data !== undefined && who === null
  useEffect(() => {
    if (isUnknown && !isLeaving()) location.assign(signInHere())
  }, [isUnknown])
  useEffect(() => (hasEnded ? onSignedIn(() => void session.refetch()) : undefined), [hasEnded, session.refetch])
  return (
    <div className={cx('app min-h-dvh lg:grid lg:grid-cols-[15rem_minmax(0,1fr)] print:block', asks && 'blur-sm')}>
      <a href="#main" className="sr-only focus:not-sr-only focus:absolute focus:z-50 focus:bg-card focus:p-3">
        Skip to content
      </a>
      <aside className="sticky top-0 z-30 border-b bg-paper lg:flex lg:h-dvh lg:flex-col lg:border-r lg:border-b-0 print:hidden">
        <div className="flex h-14 items-center justify-between gap-2 px-4 lg:h-auto lg:flex-wrap lg:gap-y-4 lg:px-5 lg:pt-5 lg:pb-3">
          <Brand />
          {!who ? (
            <Skeleton className={cx(SWITCH, SWITCH_SIZE)} />
          ) : ofBoth !== null ? (
            // Such a screen has no choice. The list below stays where it is.
            <span className={cx(SWITCH, 'h-[2.125rem]', ofBoth && BOTH)}>{ofBoth}</span>
          ) : (
            <EnvironmentSwitch className={SWITCH} />
          )}
          <span className="flex lg:hidden">
            {who ? <PaletteButton onOpen={keyboard.openPalette} /> : <span className="size-10" />}
            <button
              type="button"
              aria-label="Menu"
              aria-expanded={open}
              aria-controls="screens"
              onClick={() => setOpen(!open)}
              className="grid size-10 place-items-center rounded-lg hover:bg-code"
            >
              <Menu aria-hidden className="size-5" />
            </button>
          </span>
        </div>
        <div
          id="screens"
          className={cx('flex-col justify-between px-3 pb-4 lg:flex lg:min-h-0 lg:grow', open ? 'flex' : 'hidden')}
        >
          {who ? (
            <div className="grid content-start gap-4">
              <PaletteHint onOpen={keyboard.openPalette} />
              <Navigation who={who} pathname={pathname} />
            </div>
          ) : (
            <Skeleton className="m-2 h-40" />
          )}
          {who ? <Account who={who} /> : null}
        </div>
      </aside>
      <main
        id="main"
        className="relative mx-auto w-full max-w-[75rem] px-4 pt-4 pb-6 sm:px-6 lg:px-8 lg:pt-6 lg:pb-8 print:max-w-none print:p-0"
      >
        {who && ofBoth === null ? <TestEdge /> : null}
        {session.error ? (
          <Problem error={session.error} retry={session.refetch} whole />
        ) : who ? (
          <>
            {who.kind === 'wallet' ? (
              <SignedInWallet
                address={who.name}
                projectId={session.data?.walletConnectProjectId ?? null}
                playgroundUrl={session.data?.playgroundUrl ?? null}
              />
            ) : null}
            {closedTo(who, pathname) ? <Closed who={who} pathname={pathname} /> : children}
          </>
        ) : (
          <Skeleton className="h-64" />
        )}
      </main>
      {keyboard.layer}
      {who && asks ? <SessionEnded who={who} onSignedIn={() => void session.refetch()} /> : null}
    </div>
  )
}

/** The account of this page, also after its session ended: the page then waits until it is signed in again. */
function useAccount(session: { who: Who | null } | undefined): { who: Who | null; hasEnded: boolean } {
  const now = session?.who ?? null
  const [last, setLast] = useState(now)
  if (now !== null && now !== last) setLast(now)
  return { who: now ?? last, hasEnded: session !== undefined && now === null && last !== null }
}

/** Loads the page again once another account is signed in, in another tab: what it shows is of the account before. */
function useOneAccount(who: Who | null): void {
  const account = who?.account ?? null
  const shown = useRef(account)
  useEffect(() => {
    if (account === null || isLeaving()) return
    if (shown.current !== null && shown.current !== account) location.reload()
    else shown.current = account
  }, [account])
}

const SWITCH = 'max-lg:ml-auto lg:-mx-2 lg:w-[calc(100%+1rem)]'
const BOTH = 'grid items-center text-sm whitespace-nowrap text-soft max-lg:justify-items-center lg:px-1'
const SWITCH_SIZE = 'h-[2.125rem] w-28'

/** The coloured top edge of screens with test money. */
function TestEdge() {
  const { environment } = useEnvironment()
  return environment === 'testnet' ? (
    <span aria-hidden className="fixed inset-x-0 top-0 z-40 h-[3px] bg-warn print:hidden" />
  ) : null
}

function Navigation({ who, pathname }: { who: Who; pathname: string }) {
  // A link keeps the environment that its page has in the URL.
  const environment = useSearchParams().get('environment')
  const query = environment ? `?${new URLSearchParams({ environment })}` : ''
  return (
    <nav aria-label="Screens" className="grid content-start gap-5">
      {screensOf(who).map(({ title, screens }) => (
        <div key={title} className="grid gap-0.5">
          <p className="px-2.5 pb-1 text-xs font-medium text-soft">{title}</p>
          {screens.map(({ href, title: name, icon: Icon }) => {
            const here = screenAt(pathname) === name
            return (
              <Link
                key={href}
                href={`${href}${query}`}
                // Screens render per request, so Next would fetch them only on click.
                prefetch
                aria-current={here ? 'page' : undefined}
                className={cx(
                  'flex h-9 items-center gap-2.5 rounded-lg px-2.5 no-underline',
                  here ? 'bg-wash font-medium text-accent' : 'text-ink hover:bg-code',
                )}
              >
                <Icon aria-hidden className="size-4" />
                {name}
              </Link>
            )
          })}
        </div>
      ))}
    </nav>
  )
}

function Account({ who }: { who: Who }) {
  return (
    <div className="mt-4 flex items-center justify-between gap-1 border-t pt-3">
      <span className="min-w-0 truncate px-2.5" title={who.name}>
        {who.kind === 'wallet' ? shortened(who.name) : who.name}
      </span>
      <span className="flex">
        <ThemeSwitch />
        <button
          type="button"
          aria-label="Sign out"
          onClick={() => void leave()}
          className="grid size-9 place-items-center rounded-lg text-soft hover:bg-code hover:text-ink"
        >
          <LogOut aria-hidden className="size-4" />
        </button>
      </span>
    </div>
  )
}

const OPTIONS = environments.map((name) => [name, environmentTitles[name]] as const)

/** Switches all screens between real money and test money. Neither is selected while the environment is unknown. */
function EnvironmentSwitch({ className }: { className: string }) {
  const { environment, setEnvironment } = useEnvironment()
  const other = environment === 'mainnet' ? 'testnet' : 'mainnet'
  useCommands([
    { title: `Switch to ${environmentTitles[other]}`, key: 'm', icon: Server, switches: true, run: () => setEnvironment(other) },
  ])
  return (
    <Segments
      label="Live or test"
      value={environment}
      options={OPTIONS}
      onChange={setEnvironment}
      className={cx(className, environment === 'testnet' && '**:aria-pressed:bg-warn-wash **:aria-pressed:text-warn')}
    />
  )
}
