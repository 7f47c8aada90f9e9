import Link from 'next/link'
import { buttonClass } from '../ui/button'
import { shortened } from '../ui/copyable'
import { closedTo, screensOf, type Who } from './screens'

/** A screen that this account cannot open: what it can open, and how to sign in for this one. */
export function Closed({ who, pathname }: { who: Who; pathname: string }) {
  const closed = closedTo(who, pathname)
  const first = screensOf(who)[0]?.screens[0]
  if (!closed) return null
  const account = who.kind === 'admin' ? 'as the administrator' : `as ${who.kind === 'wallet' ? shortened(who.name) : who.name}`
  return (
    <div className="grid justify-items-center gap-2 px-6 py-12 text-center">
      <h1 className="m-0 text-xl font-semibold tracking-tight">This screen is for {closed.for}</h1>
      <p className="m-0 max-w-prose text-soft">You are signed in {account}. Another sign-in replaces this one.</p>
      <div className="mt-2 flex flex-wrap justify-center gap-2">
        {first ? (
          <Link href={first.href} className={buttonClass({ look: 'primary' })}>
            Open {first.title}
          </Link>
        ) : null}
        <a href={`/sign-in?to=${encodeURIComponent(pathname)}`} className={buttonClass()}>
          Sign in {closed.how}
        </a>
      </div>
    </div>
  )
}
