'use client'

import { ChevronDown } from 'lucide-react'
import Link from 'next/link'
import { useId, useState } from 'react'
import { cx } from '../../ui/class-names'
import { type Change, Changed, partText } from '../../ui/figures'
import { later } from '../../ui/later'
import { LINE, Lines, LoadingLines, ShareBar } from './line-list'

// It holds the causes and remedies of all reasons.
const Causes = later(() => import('./causes').then((loaded) => loaded.Causes))

/** As many reasons show; the list of settlements has all failures. */
const SHOWN = 5

/** `before`: how many there were in the period before. */
type Counted = { count: number; before: number }
type Reason = Counted & { reason: string; title: string }
type Failure = Counted & { title: string; codes: string[] }

type Totals = { settled: number; failed: number; valid: number }

type Props = {
  reasons: readonly Reason[] | undefined
  /** Whether they are compared with a period before. */
  compared: boolean
  /** Whether codes stand for the remedies, some of which ask the reader to tell the operator. */
  codes: boolean
  /** The failed settlements with these codes; all of them without any. */
  hrefOf: (codes: readonly string[]) => string
}

/** The most common failures with their shares. Each links to its settlements, and unfolds its cause and remedy. */
export function Failures({ reasons, compared, codes, hrefOf }: Props) {
  if (!reasons) return <LoadingLines />
  const total = reasons.reduce((sum, { count }) => sum + count, 0)
  return (
    <Lines empty="No failures." all={{ href: hrefOf([]), text: 'All failures' }}>
      {failuresOf(reasons)
        .slice(0, SHOWN)
        .map((failure) => (
          <FailureLine
            key={failure.title}
            failure={failure}
            share={failure.count / total}
            compared={compared}
            codes={codes}
            href={hrefOf(failure.codes)}
          />
        ))}
    </Lines>
  )
}

/** Failures by title, most common first: codes with the same title mean the same on different networks. */
export function failuresOf(reasons: readonly Reason[]): Failure[] {
  const titles = [...new Set(reasons.map(({ title }) => title))]
  return titles
    .map((title) => {
      const same = reasons.filter((reason) => reason.title === title)
      const sum = (of: keyof Counted) => same.reduce((total, one) => total + one[of], 0)
      return { title, codes: same.map(({ reason }) => reason), count: sum('count'), before: sum('before') }
    })
    .toSorted((one, other) => other.count - one.count)
}

/** How a failure became more or less common; null if it is new. Payers cause most of them, so neither is ours. */
const changeOf = ({ count, before }: Counted): Change =>
  before === 0 ? null : { by: count / before - 1, unit: 'percent', good: 'neither' }

/** How many of the failures payers caused: the others are those of a success rate. */
export function ByPayers({ total }: { total: Totals | undefined }) {
  if (!total || total.failed === 0) return null
  const { settled, failed, valid } = total
  const count = settled + failed - valid
  return (
    <span className="text-sm text-soft tabular-nums">
      {count === failed ? 'All' : count === 0 ? 'None' : `${count.toLocaleString('en')} of ${failed.toLocaleString('en')}`} caused
      by payers
    </span>
  )
}

type FailureLineProps = { failure: Failure; share: number; compared: boolean; codes: boolean; href: string }

function FailureLine({ failure, share, compared, codes: withCodes, href }: FailureLineProps) {
  const { title, codes, count } = failure
  const change = changeOf(failure)
  const [open, setOpen] = useState(false)
  const id = useId()
  return (
    <li className={LINE}>
      <div className="flex items-center pr-2">
        <Link
          href={href}
          title={title}
          className={cx(
            'group grid min-w-0 flex-1 grid-cols-[minmax(0,1fr)_5.75rem] items-center gap-x-3 gap-y-1.5 py-2.5 pr-2 pl-4 text-ink no-underline lg:max-xl:grid-cols-[minmax(0,1fr)_5.75rem]',
            compared ? 'sm:grid-cols-[minmax(0,1fr)_3rem_6rem_5rem]' : 'sm:grid-cols-[minmax(0,1fr)_8.75rem_6rem]',
          )}
        >
          <span className="group-hover:text-accent sm:truncate group-hover:underline">{title}</span>
          <ShareBar
            share={share}
            tone="bad"
            className={cx('max-sm:order-1 lg:max-xl:order-1', !compared && 'max-sm:col-span-2 lg:max-xl:col-span-2')}
          />
          <span className="text-right whitespace-nowrap tabular-nums">
            <span className="font-medium">{count.toLocaleString('en')}</span>
            <span className="text-soft"> · {partText(share)}</span>
          </span>
          {compared ? (
            <span className="flex min-h-5 justify-end text-sm whitespace-nowrap tabular-nums max-sm:order-1 lg:max-xl:order-1">
              {change ? <Changed change={change} /> : <span className="text-soft">New</span>}
            </span>
          ) : null}
        </Link>
        <button
          type="button"
          aria-label={`Cause of ${title}`}
          aria-expanded={open}
          aria-controls={id}
          onClick={() => setOpen(!open)}
          className="grid size-8 shrink-0 place-items-center rounded-lg text-soft hover:bg-code hover:text-ink"
        >
          <ChevronDown aria-hidden className={cx('size-4 transition-transform', open && 'rotate-180')} />
        </button>
      </div>
      <div id={id} hidden={!open} className="grid gap-1 px-4 pb-3 text-sm text-soft">
        {open ? <Causes codes={codes} withCodes={withCodes} /> : null}
      </div>
    </li>
  )
}
