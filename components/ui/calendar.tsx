'use client'

import { ChevronLeft, ChevronRight } from 'lucide-react'
import type { ComponentProps } from 'react'
import { DayButton, type DayButtonProps, DayPicker, useDayPicker } from 'react-day-picker'
import type { Day } from '@/server/base/zones'
import { cx } from './class-names'
import { form } from './dates'

const longDay = form({ weekday: 'long', month: 'long', day: 'numeric', year: 'numeric' })
const monthTitle = form({ month: 'long', year: 'numeric' })
const weekday = form({ weekday: 'short' })

export type CalendarProps = {
  /** Empty without a choice. */
  value: Day | ''
  /** The other end of a range. Empty without one. */
  other: Day | ''
  /** Today, which is the last day to choose. */
  max: Day
  onChoose: (day: Day) => void
}

/** A month of days. The chosen one, or today, gets the focus. */
export function Calendar({ value, other, max, onChoose }: CalendarProps) {
  const last = dateOf(max)
  const ends = [value, other].filter((day) => day !== '').toSorted()
  const [from, to] = ends.map(dateOf)
  return (
    <DayPicker
      mode="single"
      required
      autoFocus
      // Its dates are days without a time.
      timeZone="UTC"
      selected={value ? dateOf(value) : undefined}
      onSelect={(date) => onChoose(dayOf(date))}
      defaultMonth={dateOf(value && value < max ? value : max)}
      today={last}
      disabled={{ after: last }}
      modifiers={{ end: ends.map(dateOf), ...(from && to ? { from, to, between: { from, to } } : {}) }}
      weekStartsOn={1}
      showOutsideDays
      fixedWeeks
      className="text-sm"
      navLayout="around"
      labels={{
        labelDayButton: (date) => longDay(date, 'UTC'),
        labelGrid: (date) => monthTitle(date, 'UTC'),
        labelPrevious: () => 'Previous month',
        labelNext: () => 'Next month',
      }}
      formatters={{
        formatCaption: (date) => monthTitle(date, 'UTC'),
        formatWeekdayName: (date) => weekday(date, 'UTC'),
      }}
      components={{ Chevron, NextMonthButton, DayButton: DateButton }}
      classNames={{
        month: 'grid grid-cols-[auto_1fr_auto] items-center',
        month_caption: 'text-center font-medium',
        button_previous: STEP,
        button_next: STEP,
        month_grid: 'col-span-3 mt-1 text-center tabular-nums',
        weekday: 'size-9 text-center text-xs font-normal text-soft',
        day: 'first:rounded-l-lg last:rounded-r-lg',
      }}
      modifiersClassNames={{ between: 'bg-wash', from: 'rounded-l-lg', to: 'rounded-r-lg' }}
    />
  )
}

const STEP =
  'grid size-9 place-items-center rounded-lg text-soft hover:bg-code hover:text-ink disabled:pointer-events-none disabled:opacity-60'

function Chevron({ orientation }: { orientation?: 'up' | 'down' | 'left' | 'right' }) {
  const Icon = orientation === 'left' ? ChevronLeft : ChevronRight
  return <Icon aria-hidden className="size-4" />
}

// Ends with the month of today. The picker's own end would leave out the days that follow in its last week.
function NextMonthButton(props: ComponentProps<'button'>) {
  const { months, dayPickerProps } = useDayPicker()
  const [shown] = months
  const { today } = dayPickerProps
  return <button {...props} disabled={shown !== undefined && today !== undefined && monthOf(shown.date) >= monthOf(today)} />
}

function DateButton(props: DayButtonProps) {
  const { end, today, outside } = props.modifiers
  const look = end
    ? 'bg-accent font-semibold text-paper hover:bg-accent'
    : today
      ? 'font-semibold text-accent'
      : outside && 'text-soft'
  return (
    <DayButton
      {...props}
      aria-current={today ? 'date' : undefined}
      className={cx('size-9 rounded-lg hover:bg-code disabled:pointer-events-none disabled:opacity-60', look)}
    />
  )
}

const dateOf = (day: Day): Date => new Date(`${day}T00:00:00Z`)
const dayOf = (date: Date): Day => date.toISOString().slice(0, 10)
const monthOf = (date: Date): string => dayOf(date).slice(0, 7)
