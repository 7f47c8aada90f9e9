'use client'

import { ArrowLeft } from 'lucide-react'
import Link from 'next/link'
import { usePathname } from 'next/navigation'
import type { ReactNode } from 'react'
import { cx } from '../ui/class-names'
import { useEnvironment } from './use-environment'

type Props = {
  title: string
  /** Badges of what it shows. */
  marks?: ReactNode
  /** A line of facts below the title. */
  facts?: ReactNode
  children?: ReactNode
}

/** The title of a screen with its actions, and the sign of test money. */
export function ScreenHead({ title, marks, facts, children }: Props) {
  const ofBoth = bothAt(usePathname())
  return (
    <header className="mb-5 flex min-h-10 flex-wrap items-center justify-between gap-3 has-data-second-row:items-start">
      <div className={cx('flex flex-wrap items-center gap-x-2.5 gap-y-1', facts ? 'max-sm:-order-2' : null)}>
        <h1 className="text-xl font-semibold tracking-tight">{title}</h1>
        {marks}
        {ofBoth === null ? <TestMode /> : null}
      </div>
      {children ? <div className="flex flex-wrap items-center gap-2">{children}</div> : null}
      {/* On a phone it comes before the actions. */}
      {facts ? <div className="w-full max-sm:-order-1 sm:-mt-3">{facts}</div> : null}
    </header>
  )
}

/** A link above a title, to the list that the screen is of. */
export function BackLink({ href, children }: { href: string; children: string }) {
  return (
    <Link href={href} className="mb-1 inline-flex min-h-6 items-center gap-1 text-sm text-soft no-underline hover:text-ink">
      <ArrowLeft aria-hidden className="size-4" /> {children}
    </Link>
  )
}

/** The sign of test money next to a title. It keeps its place in Live, so that nothing moves. */
function TestMode() {
  const { environment } = useEnvironment()
  return (
    <span role="status" className="flex print:hidden">
      <span
        className={cx(
          'rounded-full bg-warn-wash px-2.5 py-0.5 text-xs font-medium whitespace-nowrap text-warn',
          environment !== 'testnet' && 'invisible',
        )}
      >
        Test<span className="max-sm:sr-only"> mode: no real money</span>
      </span>
    </span>
  )
}

const OF_BOTH = ['/console/networks', '/console/incidents', '/dashboard/webhooks']

/** What a screen shows that has no choice of an environment; null for others. A receipt says itself whether it is of test money, so nothing. */
export const bothAt = (pathname: string): string | null =>
  OF_BOTH.includes(pathname) ? 'Live and Test' : pathname.startsWith('/payments/') ? '' : null
