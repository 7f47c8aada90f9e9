import { useState } from 'react'
import { daysOf, type Range, rangeOfDays } from './ranges'

type DaysProps = { from: string | undefined; to: string | undefined; zone: string; onChange: (range: Range) => void }

/** The first and the last day. A range applies when both are known and in order. */
export function Days({ from, to, zone, onChange }: DaysProps) {
  const [first, last] = knownDays(from, to, zone)
  const [days, setDays] = useState({ first, last })
  const enter = (changed: Partial<typeof days>) => {
    const next = { ...days, ...changed }
    setDays(next)
    if (next.first && next.last && next.first <= next.last) onChange(rangeOfDays(next.first, next.last, zone))
  }
  const wrong = days.first !== '' && days.last !== '' && days.first > days.last
  return (
    <fieldset className="m-0 flex shrink-0 items-center gap-2 border-0 p-0" aria-label={`Days in ${zone}`}>
      <DayInput label="First day" value={days.first} onChange={(value) => enter({ first: value })} />
      <span aria-hidden className="text-soft">
        –
      </span>
      <DayInput label="Last day" value={days.last} wrong={wrong} onChange={(value) => enter({ last: value })} />
      {wrong ? (
        <span role="alert" className="text-[0.8125rem] text-bad">
          Ends before it starts
        </span>
      ) : null}
    </fieldset>
  )
}

function knownDays(from: string | undefined, to: string | undefined, zone: string): [first: string, last: string] {
  if (from && to) return daysOf({ from, to }, zone)
  return [from ? daysOf({ from, to: from }, zone)[0] : '', to ? daysOf({ from: to, to }, zone)[1] : '']
}

type InputProps = { label: string; value: string; wrong?: boolean; onChange: (value: string) => void }

function DayInput({ label, value, wrong = false, onChange }: InputProps) {
  return (
    <input
      type="date"
      aria-label={label}
      aria-invalid={wrong}
      value={value}
      max="9998-12-31"
      onChange={({ target }) => onChange(target.value)}
      className="h-8 rounded-full border border-solid border-line bg-card px-3 text-[0.8125rem] aria-invalid:border-bad"
    />
  )
}
