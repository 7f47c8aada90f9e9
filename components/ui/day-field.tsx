'use client'

import { CalendarDays } from 'lucide-react'
import { useState } from 'react'
import type { Day } from '@/server/base/zones'
import type { CalendarProps } from './calendar'
import { dayDate } from './dates'
import { later } from './later'
import { Skeleton } from './panel'
import { readDay } from './typed-dates'
import { TypedField } from './typed-field'

// Loaded when it first opens.
const Calendar = later(() => import('./calendar').then((loaded) => loaded.Calendar), <Skeleton className="size-63" />)
const Popover = later(() => import('./popover').then((loaded) => loaded.Popover))

type Props = Omit<CalendarProps, 'onChoose'> & { label: string; wrong?: boolean; onChange: (day: Day) => void }

/** A day that is typed as 2026-11-23, shown as Nov 23, 2026, or chosen from a calendar. Both look the same in browsers of all languages. */
export function DayField({ label, wrong = false, onChange, ...days }: Props) {
  const [open, setOpen] = useState(false)
  const [button, setButton] = useState<HTMLButtonElement | null>(null)
  return (
    <span className="inline-flex h-full items-center">
      <button
        ref={setButton}
        type="button"
        aria-label={`Calendar: ${label.toLowerCase()}`}
        aria-haspopup="dialog"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
        className="grid size-7 place-items-center rounded-full text-soft hover:bg-code hover:text-ink"
      >
        <CalendarDays aria-hidden className="size-4" />
      </button>
      <TypedField
        label={label}
        value={days.value}
        read={(text) => upTo(days.max, readDay(text))}
        example="2026-11-23"
        wrong={wrong}
        onChange={onChange}
        format={(day) => dayDate(new Date(day), 'UTC')}
        className="field-sizing-content max-w-24 min-w-10"
      />
      {open && button ? (
        <Popover
          button={button}
          title={label}
          role="dialog"
          align="start"
          alignOffset={-8}
          sideOffset={8}
          onClose={() => setOpen(false)}
          className="w-71 p-4"
        >
          <Calendar
            {...days}
            onChoose={(day) => {
              button.focus()
              setOpen(false)
              onChange(day)
            }}
          />
        </Popover>
      ) : null}
    </span>
  )
}

const upTo = (max: Day, day: Day | null): Day | null => (day !== null && day <= max ? day : null)
