import { Check as CheckMark, Minus, X } from 'lucide-react'
import type { Check } from '@/server/explain/checks'
import { cx } from '../ui/class-names'

const MARKS = {
  passed: { Icon: CheckMark, word: 'Passed', color: 'text-accent' },
  failed: { Icon: X, word: 'Failed', color: 'text-bad' },
  not_reached: { Icon: Minus, word: 'Not reached', color: 'text-soft' },
} as const satisfies Record<Check['status'], object>

/** Every check in its order, with its status and what was found. */
export function CheckList({ checks }: { checks: readonly Check[] }) {
  return (
    <ol>
      {checks.map(({ name, title, status, evidence }) => {
        const { Icon, word, color } = MARKS[status]
        return (
          <li
            key={name}
            className="grid grid-cols-[1rem_minmax(0,1fr)] gap-x-3 gap-y-0.5 border-0 border-b border-solid border-line px-4 py-2 last:border-b-0 sm:grid-cols-[1rem_15rem_minmax(0,1fr)]"
          >
            <Icon aria-hidden className={cx('mt-1 size-4', color)} />
            <span className={cx('font-medium', status === 'not_reached' && 'text-soft')}>
              {title} <span className="sr-only">{word}.</span>
            </span>
            <span className={cx('text-[0.875rem] wrap-anywhere max-sm:col-start-2', status !== 'failed' && 'text-soft')}>
              {evidence}
            </span>
          </li>
        )
      })}
    </ol>
  )
}
