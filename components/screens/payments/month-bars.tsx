import { useId } from 'react'
import { heightsOf } from '@/server/base/heights'
import { Hatch } from '../../ui/chart/hatch'
import { cx } from '../../ui/class-names'
import { moneyText, sumText } from '../../ui/figures'
import { countedText } from '../../ui/list-summary'
import { formatMonth, nameOf, type Spent, shownMonths } from './month'

/** The amounts of more months do not fit a phone. */
const ON_PHONE = 6

/** A bar for each month from the first with payments, up to the newest, which is not over. Its amount stands on it. */
export function MonthBars({ spent: { months, ...token } }: { spent: Spent }) {
  const hatch = useId()
  const shown = shownMonths(months)
  const heights = heightsOf(shown.map(({ amount }) => BigInt(amount)))
  return (
    <ul aria-label={`Spending per month (${token.symbol})`} className="grid auto-cols-[minmax(0,8.75rem)] grid-flow-col">
      {shown.map(({ month, amount, payments }, at) => {
        const isNewest = at === shown.length - 1
        const text = `${nameOf(month)}: ${moneyText(amount, token)}, ${countedText(payments, 'payment')}`
        const isNone = amount === '0'
        const top = `${100 - (heights[at] ?? 0)}%`
        return (
          <li key={month} title={text} className="relative min-w-0 text-center text-xs text-soft tabular-nums">
            <span className="sr-only">{text}</span>
            <svg aria-hidden className="mt-5 block h-28 w-full overflow-visible">
              {isNewest ? <Hatch id={hatch} color="var(--accent)" /> : null}
              <rect
                x="25%"
                y={top}
                width="50%"
                // A month without payments has a stub.
                {...(isNone ? { height: 2, transform: 'translate(0 -2)' } : { height: `${heights[at]}%` })}
                fill={isNewest ? `url(#${hatch})` : undefined}
                className={cx(isNone ? 'fill-line' : isNewest ? 'stroke-accent' : 'fill-accent')}
              />
              <text
                x="50%"
                y={top}
                dy="-6"
                className={cx(
                  '[text-anchor:middle]',
                  isNone ? 'fill-soft' : 'fill-ink',
                  shown.length > ON_PHONE && 'max-sm:hidden',
                )}
              >
                {sumText(amount, token.decimals)}
              </text>
            </svg>
            <span aria-hidden className="block border-t pt-1.5 leading-4">
              {formatMonth(month, { month: 'short' })}
              {isNewest ? <span className="block whitespace-nowrap">so far</span> : null}
            </span>
          </li>
        )
      })}
    </ul>
  )
}
