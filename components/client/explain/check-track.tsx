import type { Check } from '@/server/explain/checks'
import { BESIDE } from '@/server/explain/titles'
import { cx } from '../../ui/class-names'

/** The status of a check; `not_applicable` for what a 402 response may do without, unless more should be pasted. */
export function outcomeOf({ name, status, remedy }: Check): Check['status'] | 'not_applicable' {
  const applies = !BESIDE.test(name) || (remedy !== null && !name.endsWith('.listing'))
  return status === 'not_reached' && !applies ? 'not_applicable' : status
}

const LOOKS = {
  passed: 'bg-accent',
  failed: 'bg-bad',
  not_reached: 'bg-line',
} as const satisfies Record<Check['status'], string>

const ORDER = ['passed', 'failed', 'not_reached'] as const
/** The status of a check in words. */
export const WORDS = { failed: 'failed', passed: 'passed', not_reached: 'not reached', not_applicable: 'not applicable' } as const

/** The checks as a track, a piece for each: passed, then failed, then not reached. The text below it counts them, and those that do not apply. */
export function CheckTrack({ checks }: { checks: readonly Check[] }) {
  const counted = (['failed', 'passed', 'not_reached', 'not_applicable'] as const).flatMap((status) => {
    const { length } = checks.filter((check) => outcomeOf(check) === status)
    return length === 0 ? [] : `${length} ${WORDS[status]}`
  })
  return (
    <div className="grid gap-1.5">
      <div aria-hidden className="flex gap-0.5">
        {ORDER.flatMap((one) => checks.filter((check) => outcomeOf(check) === one)).map(({ name, title, status, evidence }) => (
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
