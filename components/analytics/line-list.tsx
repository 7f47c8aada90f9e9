import Link from 'next/link'
import type { ReactNode } from 'react'
import { Skeleton } from '../ui/panel'

/** A name that links to its settlements. */
export function Name({ href, text, children = text }: { href: string; text: string; children?: ReactNode }) {
  return (
    <Link href={href} title={text} className="text-ink no-underline hover:text-accent hover:underline">
      {children}
    </Link>
  )
}

/** A number of settlements in words. */
export const settlementsIn = (count: number) => `${count.toLocaleString('en')} ${count === 1 ? 'settlement' : 'settlements'}`

/** A name with its note, its figure and its link. */
export type Line = { key: string; name: string; note: string; value: string; href: string }

const LINES = ['a', 'b', 'c']

/** A list of names with a figure each; placeholders while it loads. */
export function List({ lines, empty }: { lines: Line[] | undefined; empty: string }) {
  if (!lines) return LINES.map((line) => <Skeleton key={line} className="m-4 h-9" />)
  if (lines.length === 0) return <p className="m-0 px-4 py-6 text-soft">{empty}</p>
  return (
    <ul>
      {lines.map(({ key, name, note, value, href }) => (
        <li
          key={key}
          className="flex items-baseline justify-between gap-4 border-0 border-b border-solid border-line px-4 py-2.5 last:border-b-0"
        >
          <span className="grid min-w-0">
            <Name href={href} text={name} />
            <span className="text-[0.8125rem] text-soft">{note}</span>
          </span>
          <span className="font-medium whitespace-nowrap tabular-nums">{value}</span>
        </li>
      ))}
    </ul>
  )
}
