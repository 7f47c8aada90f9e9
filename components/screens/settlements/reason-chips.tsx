'use client'

import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { Filter, ReaderName } from '../../client/filter-parsers'
import { useTRPC } from '../../client/trpc'
import type { ChangeFilter } from '../../client/use-filters'
import { cx } from '../../ui/class-names'
import { reasonsQuery } from './queries'

/** As many fit one line of a wide screen; the filter has all. */
const SHOWN = 5

type Option = { name: string; values: string[]; count: number }

/** The others are one chip, so that the counts come to all failures. */
function chipsOf(options: readonly Option[]): Option[] {
  const [shown, others] = [options.slice(0, SHOWN), options.slice(SHOWN)]
  if (others.length < 2) return [...options]
  const count = others.reduce((sum, other) => sum + other.count, 0)
  return [...shown, { name: 'Other', values: others.flatMap(({ values }) => values), count }]
}

type Props = { reader: ReaderName; filter: Filter; change: ChangeFilter; enabled: boolean }

/** The most common reasons of the failures in a list, with their counts. Each narrows the list to it, and another click widens it again. */
export function ReasonChips({ reader, filter, change, enabled }: Props) {
  const trpc = useTRPC()
  const { reason: chosen } = filter
  const { data } = useQuery({ ...reasonsQuery(trpc, reader, filter), enabled, placeholderData: keepPreviousData })
  return (
    <ul
      aria-label="Reasons"
      className="-mx-4 mb-3 flex min-h-8 gap-2 overflow-x-auto pr-16 pl-4 [mask-image:linear-gradient(to_right,black_calc(100%-4rem),transparent_calc(100%-1rem))] [scrollbar-width:none] sm:max-lg:-mx-6 sm:max-lg:pl-6 lg:mx-0 lg:flex-wrap lg:[mask-image:none] lg:px-0"
    >
      {chipsOf(data?.options ?? []).map(({ name, values, count }) => {
        const isOn = chosen?.some((one) => values.includes(one)) ?? false
        return (
          <li key={name} className="shrink-0">
            <button
              type="button"
              aria-pressed={isOn}
              onClick={() => change({ status: 'failed', reason: isOn ? null : values })}
              className={cx(
                'inline-flex h-8 items-center gap-1.5 rounded-full border px-3 text-sm whitespace-nowrap',
                isOn ? 'border-accent bg-wash text-accent' : 'bg-card hover:border-accent',
              )}
            >
              {name} <span className={cx('tabular-nums', !isOn && 'text-soft')}>{count.toLocaleString('en')}</span>
            </button>
          </li>
        )
      })}
    </ul>
  )
}
