import Link from 'next/link'
import type { ReactNode } from 'react'
import { cx } from '../../ui/class-names'
import { partText } from '../../ui/figures'
import { keysOf } from '../../ui/list'
import { Skeleton } from '../../ui/panel'

/** A name that links to its settlements. */
export function Name({ href, text, children = text }: { href: string; text: string; children?: ReactNode }) {
  return (
    <Link href={href} title={text} className="min-w-0 text-ink no-underline hover:text-accent hover:underline">
      {children}
    </Link>
  )
}

/** A share of a whole as a thin bar. The figure stands near it, so it is hidden from screen readers. */
export function ShareBar({ share, tone, className }: { share: number; tone: 'good' | 'bad'; className?: string }) {
  return (
    <svg aria-hidden className={cx('block h-1.5 w-full overflow-hidden rounded-full bg-line', className)}>
      <rect width={`${share * 100}%`} height="100%" fill={tone === 'bad' ? 'var(--bad)' : 'var(--accent)'} />
    </svg>
  )
}

/** A share as a bar with its percent, in a column. */
export function ShareFigure({ share, className }: { share: number; className?: string }) {
  return (
    <span className={cx('grid grid-cols-[minmax(0,1fr)_3.25rem] items-center gap-2 text-sm tabular-nums', className)}>
      <ShareBar share={share} tone="good" />
      <span className="text-right text-soft">{partText(share)}</span>
    </span>
  )
}

/** The part that an amount is of a total. */
export function shareOf(atomic: string, total: string): number {
  const all = BigInt(total)
  return all === 0n ? 0 : Number((BigInt(atomic) * 10_000n) / all) / 10_000
}

/** A row of a short list. */
export const LINE = 'border-b last:border-b-0'

/** Rows that stand in for those that load, as high as a list of compared lines with its link. */
export function LoadingLines() {
  return (
    <div className="pb-[2.5625rem]">
      {keysOf(5).map((key) => (
        <div key={key} className="px-4 py-[1.46875rem] sm:max-lg:py-[0.65625rem] xl:py-[0.65625rem]">
          <Skeleton className="h-6" />
        </div>
      ))}
    </div>
  )
}

type LinesProps = { empty: string; all: { href: string; text: string } | null; children: ReactNode[] }

/** A short list that says when it is empty, with a link to all of its settlements below it. */
export function Lines({ empty, all, children }: LinesProps) {
  if (children.length === 0) return <p className="px-4 py-3 text-soft">{empty}</p>
  return (
    <>
      <ul className="flex grow flex-col *:grow *:content-center">{children}</ul>
      {all ? (
        <Link href={all.href} className="mt-auto border-t py-2.5 text-center text-sm">
          {all.text}
        </Link>
      ) : null}
    </>
  )
}
