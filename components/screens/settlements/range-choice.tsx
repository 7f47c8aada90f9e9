'use client'

import { useEffect, useState } from 'react'
import type { ChangeFilter } from '../../client/use-filters'
import { useZone } from '../../client/zone'
import { later } from '../../ui/later'
import { Skeleton } from '../../ui/panel'
import { Pill } from '../../ui/pill'
import { type PresetName, presetOf, presets, rangeOf } from './ranges'

// Loaded for a range without a name.
const Days = later(() => import('./days').then((loaded) => loaded.Days), <Skeleton className="h-8 w-128 shrink-0 rounded-full" />)

type Choosable = PresetName | '' | 'custom'

const OPTIONS: readonly (readonly [Choosable, string])[] = [['', 'All time'], ...presets, ['custom', 'Custom range']]

type Props = { from: string | undefined; to: string | undefined; change: ChangeFilter }

/** The range of time of a list: a preset, or days. */
export function RangeChoice({ from, to, change }: Props) {
  const zone = useZone()
  const [asked, setAsked] = useState(false)
  useEffect(() => {
    if (!from && !to) setAsked(false)
  }, [from, to])
  const now = new Date()
  const range = from && to ? { from, to } : null
  const chosen: Choosable = asked ? 'custom' : range ? (presetOf(range, now, zone) ?? 'custom') : from || to ? 'custom' : ''
  const choose = (name: Choosable) => {
    setAsked(name === 'custom')
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
      {chosen === 'custom' ? <Days from={from} to={to} zone={zone} onChange={change} /> : null}
    </>
  )
}
