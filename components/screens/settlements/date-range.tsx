import { useState } from 'react'
import { dateIn } from '@/server/base/zones'
import { DayField } from '../../ui/day-field'
import { readMinute } from '../../ui/typed-dates'
import { TypedField } from '../../ui/typed-field'
import { minuteOf, type Range, rangeOfMinutes } from './ranges'

type DateRangeProps = { from: string | undefined; to: string | undefined; zone: string; onChange: (range: Range) => void }

const WHOLE_DAYS = { firstTime: '00:00', lastTime: '23:59' }

/** The first and the last minute, of whole days at first. A range applies when both are known and in order. */
export function DateRange({ from, to, zone, onChange }: DateRangeProps) {
  const [entered, setEntered] = useState(() => knownMinutes(from, to, zone))
  const { first, firstTime, last, lastTime } = entered
  const enter = (changed: Partial<typeof entered>) => {
    const next = { ...entered, ...changed }
    setEntered(next)
    const [begin, end] = [minuteIn(next.first, next.firstTime), minuteIn(next.last, next.lastTime)]
    if (begin && end && begin <= end) onChange(rangeOfMinutes(begin, end, zone))
  }
  const [begin, end] = [minuteIn(first, firstTime), minuteIn(last, lastTime)]
  const wrong = begin !== null && end !== null && begin > end
  const max = dateIn(zone, Date.now())
  return (
    <fieldset className="flex shrink-0 items-center gap-2" aria-label={`Days in ${zone}`}>
      <span className={PILL}>
        <DayField label="First day" value={first} other={last} max={max} onChange={(day) => enter({ first: day })} />
        <MinuteField label="First minute" value={firstTime} onChange={(time) => enter({ firstTime: time })} />
      </span>
      <span aria-hidden className="text-soft">
        –
      </span>
      <span className={PILL}>
        <DayField label="Last day" value={last} other={first} max={max} wrong={wrong} onChange={(day) => enter({ last: day })} />
        <MinuteField label="Last minute" value={lastTime} wrong={wrong} onChange={(time) => enter({ lastTime: time })} />
      </span>
      {wrong ? (
        <span role="alert" className="text-sm text-bad">
          Ends before it starts
        </span>
      ) : null}
    </fieldset>
  )
}

const minuteIn = (day: string, time: string) => (day && time ? `${day}T${time}` : null)

function knownMinutes(from: string | undefined, to: string | undefined, zone: string) {
  const [first = '', firstTime = WHOLE_DAYS.firstTime] = from ? minuteOf(new Date(from), zone).split('T') : []
  const [last = '', lastTime = WHOLE_DAYS.lastTime] = to ? minuteOf(new Date(Date.parse(to) - 1), zone).split('T') : []
  return { first, firstTime, last, lastTime }
}

const PILL = 'flex h-8 items-center gap-1.5 rounded-full border bg-card pr-3.5 pl-1.5 has-aria-invalid:border-bad'

type MinuteProps = { label: string; value: string; wrong?: boolean; onChange: (minute: string) => void }

function MinuteField(props: MinuteProps) {
  return <TypedField {...props} read={readMinute} example="14:05" className="w-[5.5ch]" />
}
