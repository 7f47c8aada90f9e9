import { useState } from 'react'
import { minuteOf, type Range, rangeOfMinutes } from './ranges'

type DaysProps = { from: string | undefined; to: string | undefined; zone: string; onChange: (range: Range) => void }

const WHOLE_DAYS = { firstTime: '00:00', lastTime: '23:59' }

/** The first and the last minute, of whole days at first. A range applies when both are known and in order. */
export function Days({ from, to, zone, onChange }: DaysProps) {
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
  return (
    <fieldset className="m-0 flex shrink-0 items-center gap-2 border-0 p-0" aria-label={`Days in ${zone}`}>
      <MinuteInput
        name="First"
        day={first}
        time={firstTime}
        onDay={(day) => enter({ first: day })}
        onTime={(time) => enter({ firstTime: time })}
      />
      <span aria-hidden className="text-soft">
        –
      </span>
      <MinuteInput
        name="Last"
        day={last}
        time={lastTime}
        wrong={wrong}
        onDay={(day) => enter({ last: day })}
        onTime={(time) => enter({ lastTime: time })}
      />
      {wrong ? (
        <span role="alert" className="text-[0.8125rem] text-bad">
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

type InputProps = {
  name: 'First' | 'Last'
  day: string
  time: string
  wrong?: boolean
  onDay: (day: string) => void
  onTime: (time: string) => void
}

function MinuteInput({ name, day, time, wrong = false, onDay, onTime }: InputProps) {
  const shared = { 'aria-invalid': wrong, className: 'h-full border-0 bg-transparent text-[0.8125rem] outline-offset-0' }
  return (
    <span className="flex h-8 items-center gap-1 rounded-full border border-solid border-line bg-card px-3 has-aria-invalid:border-bad">
      <input
        type="date"
        aria-label={`${name} day`}
        value={day}
        max="9998-12-31"
        onChange={({ target }) => onDay(target.value)}
        {...shared}
      />
      <input type="time" aria-label={`${name} minute`} value={time} onChange={({ target }) => onTime(target.value)} {...shared} />
    </span>
  )
}
