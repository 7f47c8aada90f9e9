'use client'

import { CalendarDays } from 'lucide-react'
import { useId, useRef, useState } from 'react'
import type { Day } from '@/server/base/zones'
import type { CalendarProps } from './calendar'
import { readDay } from './calendar-days'
import { later } from './later'
import { Skeleton } from './panel'
import { TypedField } from './typed-field'

// Loaded when it first opens.
const Calendar = later(() => import('./calendar').then((loaded) => loaded.Calendar), <Skeleton className="size-63" />)

const EDGE = 8

type Props = Omit<CalendarProps, 'onChoose'> & { label: string; wrong?: boolean; onChange: (day: Day) => void }

/** A day that is typed as 2026-11-23 or chosen from a calendar. Both look the same in browsers of all languages. */
export function DayField({ label, wrong = false, onChange, ...days }: Props) {
  const [open, setOpen] = useState(false)
  const id = useId()
  const button = useRef<HTMLButtonElement>(null)
  const panel = useRef<HTMLDivElement>(null)
  // Above all of the page, so that no scrolling row cuts it; it stays at its button when the page scrolls.
  const place = () => {
    if (!button.current || !panel.current) return
    const { left, bottom } = button.current.getBoundingClientRect()
    const right = document.documentElement.clientWidth - WIDTH - EDGE
    panel.current.style.left = `${Math.max(EDGE, Math.min(left - EDGE, right)) + scrollX}px`
    panel.current.style.top = `${bottom + EDGE + scrollY}px`
  }
  return (
    <span className="inline-flex h-full items-center gap-1">
      <TypedField
        label={label}
        value={days.value}
        read={(text) => upTo(days.max, readDay(text))}
        example="2026-11-23"
        wrong={wrong}
        onChange={onChange}
        className="w-[10.5ch]"
      />
      <button
        ref={button}
        type="button"
        popoverTarget={id}
        aria-label={`Calendar: ${label.toLowerCase()}`}
        aria-haspopup="dialog"
        className="grid size-7 place-items-center rounded-full text-soft hover:bg-code hover:text-ink"
      >
        <CalendarDays aria-hidden className="size-4" />
      </button>
      <div
        ref={panel}
        id={id}
        popover="auto"
        onBeforeToggle={place}
        onToggle={({ newState }) => setOpen(newState === 'open')}
        {...(open ? { role: 'dialog', 'aria-label': label } : {})}
        className="absolute inset-auto w-71 panel p-4 text-sm text-ink shadow-xl"
      >
        {open ? (
          <Calendar
            {...days}
            onChoose={(day) => {
              panel.current?.hidePopover()
              onChange(day)
            }}
          />
        ) : null}
      </div>
    </span>
  )
}

// Of the panel, in pixels.
const WIDTH = 284

const upTo = (max: Day, day: Day | null): Day | null => (day !== null && day <= max ? day : null)
