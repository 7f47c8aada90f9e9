import { Check as CheckMark, Minus, X } from 'lucide-react'
import type { Check } from '@/server/explain/checks'
import { cx } from '../../ui/class-names'

const MARKS = {
  passed: { Icon: CheckMark, word: 'Passed', color: 'text-accent' },
  failed: { Icon: X, word: 'Failed', color: 'text-bad' },
  not_reached: { Icon: Minus, word: 'Not reached', color: 'text-soft' },
} as const satisfies Record<Check['status'], object>

/** Every check in its order, with its status and what was found. The checks of each offer stand below its name. */
export function CheckList({ checks }: { checks: readonly Check[] }) {
  const offers = [...new Set(checks.map(({ title }) => offerIn(title)))]
  return offers.map((offer) => (
    <div key={offer} className="border-b last:border-b-0">
      {offer === '' ? null : <h3 className="border-b bg-code px-4 py-2 text-sm font-semibold">{offer}</h3>}
      <ol aria-label={offer === '' ? 'Checks' : offer}>
        {checks
          .filter(({ title }) => offerIn(title) === offer)
          .map((check) => (
            <CheckRow
              key={`${check.name} ${check.evidence}`}
              check={check}
              title={offer === '' ? check.title : check.title.slice(offer.length + 2)}
            />
          ))}
      </ol>
    </div>
  ))
}

// "Offer 1 in the header: Amount".
const offerIn = (title: string): string => /^(Offer \d+ in the \w+): /.exec(title)?.[1] ?? ''

function CheckRow({ check: { status, evidence }, title }: { check: Check; title: string }) {
  const { Icon, word, color } = MARKS[status]
  return (
    <li className="grid grid-cols-[1rem_minmax(0,1fr)] gap-x-3 gap-y-0.5 border-b px-4 py-2 last:border-b-0 sm:grid-cols-[1rem_15rem_minmax(0,1fr)]">
      <Icon aria-hidden className={cx('mt-1 size-4', color)} />
      <span className={cx('font-medium', status === 'not_reached' && 'text-soft')}>
        {title} <span className="sr-only">{word}.</span>
      </span>
      <span className={cx('text-md wrap-anywhere max-sm:col-start-2', status !== 'failed' && 'text-soft')}>{evidence}</span>
    </li>
  )
}
