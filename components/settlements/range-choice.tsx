'use client'

import { useEffect, useState } from 'react'
import { useZone } from '../data/zone'
import { Pill } from '../ui/pill'
import { daysOf, type PresetName, presetOf, presets, type Range, rangeOf, rangeOfDays } from './ranges'
import type { ChangeFilter } from './use-filters'

type Choosable = PresetName | '' | 'custom'

const OPTIONS: readonly (readonly [Choosable, string])[] = [['', 'All time'], ...presets, ['custom', 'Custom range']]

type Props = { from: string | undefined; to: string | undefined; change: ChangeFilter }

/** The range of time of a list: a preset, or days. */
export function RangeChoice({ from, to, change }: Props) {
  const zone = useZone()
  const [asked, ask] = useState(false)
  useEffect(() => {
    if (!from && !to) ask(false)
  }, [from, to])
  const now = new Date()
  const range = from && to ? { from, to } : null
  const chosen: Choosable = asked ? 'custom' : range ? (presetOf(range, now, zone) ?? 'custom') : from || to ? 'custom' : ''
  const choose = (name: Choosable) => {
    ask(name === 'custom')
    if (name === '') change({ from: null, to: null })
    else if (name !== 'custom') change(rangeOf(name, now, zone))
  }
  return (
    <>
      <Pill
        label="Range of time"
        value={chosen}
        options={OPTIONS}
        unset="All time"
        onChange={({ target }) => choose(OPTIONS.find(([name]) => name === target.value)?.[0] ?? '')}
      />
      {chosen === 'custom' ? <Days {...{ from, to, zone }} onChange={change} /> : null}
    </>
  )
}

type DaysProps = { from: string | undefined; to: string | undefined; zone: string; onChange: (range: Range) => void }

/** The first and the last day. A range applies when both are known and in order. */
function Days({ from, to, zone, onChange }: DaysProps) {
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
