import type { Check } from '@/server/explain/checks'
import { cx } from '../../ui/class-names'

const LOOKS = {
  passed: 'bg-accent',
  failed: 'bg-bad',
  not_reached: 'bg-line',
} as const satisfies Record<Check['status'], string>

const ORDER = ['passed', 'failed', 'not_reached'] as const
const WORDS = { failed: 'failed', passed: 'passed', not_reached: 'not reached' } as const

/** The checks as a track, a piece for each: passed, then failed, then not reached. The text below it counts them. */
export function CheckTrack({ checks }: { checks: readonly Check[] }) {
  const counted = (['failed', 'passed', 'not_reached'] as const).flatMap((status) => {
    const { length } = checks.filter((check) => check.status === status)
    return length === 0 ? [] : `${length} ${WORDS[status]}`
  })
  return (
    <div className="grid gap-1.5">
      <div aria-hidden className="flex gap-0.5">
        {ORDER.flatMap((one) => checks.filter(({ status }) => status === one)).map(({ name, title, status, evidence }) => (
          <span
            key={`${name} ${evidence}`}
            title={`${title}: ${WORDS[status]}`}
            className={cx('h-2 min-w-0 flex-1 rounded-[2px] first:rounded-l-full last:rounded-r-full', LOOKS[status])}
          />
        ))}
      </div>
      <p className="text-sm text-soft tabular-nums">{counted.join(' · ')}</p>
    </div>
  )
}
