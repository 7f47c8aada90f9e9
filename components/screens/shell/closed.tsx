import { Lock } from 'lucide-react'
import Link from 'next/link'
import { closedTo, screensOf, type Who } from '../../client/screen-list'
import { buttonClass } from '../../ui/button'
import { Fact } from '../../ui/panel'
import { shortened } from '../../ui/shortened'

const KINDS = { merchant: 'Merchant', wallet: 'Wallet', admin: 'Administrator' } as const

/** A screen that this account cannot open: which one, for whom, and the ways on. */
export function Closed({ who, pathname }: { who: Who; pathname: string }) {
  const closed = closedTo(who, pathname)
  const first = screensOf(who)[0]?.screens[0]
  if (!closed) return null
  const name = who.kind === 'wallet' ? shortened(who.name) : who.name
  return (
    <section className="mx-auto mt-4 max-w-[30rem] panel sm:mt-12">
      <header className="grid justify-items-start gap-3 p-5 sm:p-6">
        <span aria-hidden className="grid size-10 place-items-center rounded-full bg-code text-soft">
          <Lock className="size-5" />
        </span>
        <h1 className="text-xl font-semibold tracking-tight">This screen is for {closed.for}</h1>
        <p className="text-soft">Your account has other screens. To open this one, sign in {closed.how}.</p>
      </header>
      <dl className="grid gap-2.5 border-y p-5 sm:px-6">
        <Fact name="Screen">{closed.screen}</Fact>
        <Fact name="Signed in as">
          <span title={who.name}>{name}</span>
          {name === KINDS[who.kind] ? null : <span className="text-soft"> · {KINDS[who.kind]}</span>}
        </Fact>
      </dl>
      <footer className="grid gap-3 p-5 sm:p-6">
        <div className="flex gap-2 max-sm:flex-col max-sm:*:justify-center">
          {first ? (
            <Link href={first.href} className={buttonClass({ look: 'primary' })}>
              Open {first.title}
            </Link>
          ) : null}
          <a href={`/sign-in?to=${encodeURIComponent(pathname)}`} className={buttonClass()}>
            Sign in {closed.how}
          </a>
        </div>
        <p className="text-sm text-soft">
          Signing in {closed.how} signs you out of {name}.
        </p>
      </footer>
    </section>
  )
}
