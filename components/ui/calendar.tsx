'use client'

import { ChevronLeft, ChevronRight } from 'lucide-react'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import type { Day } from '@/server/base/zones'
import { longDay, monthTitle, movedBy, plusMonths, weeksOf } from './calendar-days'
import { cx } from './class-names'

const WEEKDAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']
const SUNDAY = 6

export type CalendarProps = {
  /** Empty without a choice. */
  value: Day | ''
  /** The other end of a range. Empty without one. */
  other: Day | ''
  /** Today, which is the last day to choose. */
  max: Day
  onChoose: (day: Day) => void
}

/** A month of days. Arrow keys move by days and weeks, Page Up and Page Down by months, with Shift by years. */
export function Calendar({ value, other, max, onChoose }: CalendarProps) {
  const [at, setAt] = useState<Day>(value && value < max ? value : max)
  const grid = useRef<HTMLTableElement>(null)
  // Keys in the grid move the focus; the buttons for months keep it.
  const movesFocus = useRef(true)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the focus follows the day
  useEffect(() => {
    if (movesFocus.current) grid.current?.querySelector<HTMLElement>('[tabindex="0"]')?.focus({ preventScroll: true })
    movesFocus.current = false
  }, [at])
  const go = (day: Day) => setAt(day > max ? max : day)
  const move = (event: KeyboardEvent) => {
    const to = movedBy(event, at)
    if (!to) return
    event.preventDefault()
    movesFocus.current = true
    go(to)
  }
  const [first, last] = value < other ? [value, other] : [other, value]
  const isBetween = (day: Day) => first !== '' && first <= day && day <= last
  const isEnd = (day: Day) => day === value || day === other
  const colorOf = (day: Day) => {
    if (day === max) return 'font-semibold text-accent'
    return day.slice(0, 7) === at.slice(0, 7) ? null : 'text-soft'
  }
  return (
    <>
      <div className="flex items-center justify-between">
        <Step title="Previous month" icon={ChevronLeft} onClick={() => go(plusMonths(at, -1))} />
        <p aria-live="polite" className="font-medium">
          {monthTitle(at)}
        </p>
        <Step
          title="Next month"
          icon={ChevronRight}
          disabled={at.slice(0, 7) >= max.slice(0, 7)}
          onClick={() => go(plusMonths(at, 1))}
        />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a screen reader passes the arrow keys on to a grid only */}
      <table ref={grid} role="grid" aria-label={monthTitle(at)} onKeyDown={move} className="mt-1 text-center tabular-nums">
        <thead>
          <tr>
            {WEEKDAYS.map((name) => (
              <th key={name} scope="col" className="size-9 text-center text-xs font-normal text-soft">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weeksOf(at).map((week) => (
            <tr key={week[0]}>
              {week.map((day, place) => (
                // biome-ignore lint/a11y/useAriaPropsSupportedByRole: the cell of a grid may be selected
                <td
                  key={day}
                  aria-selected={day === value}
                  className={cx(
                    isBetween(day) && 'bg-wash',
                    (day === first || place === 0) && 'rounded-l-lg',
                    (day === last || place === SUNDAY) && 'rounded-r-lg',
                  )}
                >
                  <button
                    type="button"
                    tabIndex={day === at ? 0 : -1}
                    disabled={day > max}
                    aria-label={longDay(day)}
                    {...(day === max ? { 'aria-current': 'date' } : {})}
                    onClick={() => onChoose(day)}
                    className={cx(
                      'size-9 rounded-lg hover:bg-code disabled:pointer-events-none disabled:opacity-40',
                      isEnd(day) ? 'bg-accent font-semibold text-paper hover:bg-accent' : colorOf(day),
                    )}
                  >
                    {Number(day.slice(8))}
                  </button>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </>
  )
}

type StepProps = { title: string; icon: typeof ChevronLeft; disabled?: boolean; onClick: () => void }

function Step({ title, icon: Icon, ...button }: StepProps) {
  return (
    <button
      type="button"
      aria-label={title}
      {...button}
      className="grid size-9 place-items-center rounded-lg text-soft hover:bg-code hover:text-ink disabled:pointer-events-none disabled:opacity-40"
    >
      <Icon aria-hidden className="size-4" />
    </button>
  )
}
