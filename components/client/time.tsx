'use client'

import { useState } from 'react'
import { age, ago, columnZone, dayDate, exactDate, minuteDate, rowDate, shortDate } from '../ui/dates'
import { useClock } from './clock'
import { TimeHint } from './time-hint'
import { useZone } from './zone'

/** A time in a sentence: how long ago for a day, then its date with the zone; `dated`: always its date; `brief`: only the day. The exact time shows on hover. */
export function Time({ at, dated = false, brief = false }: { at: string; dated?: boolean; brief?: boolean }) {
  const zone = useZone()
  const date = new Date(at)
  const written = brief ? dayDate : shortDate
  const text = useClock((now) => ago(date, new Date(now), zone, written))
  return <Hinted at={at} text={(dated ? null : text) ?? written(date, zone)} hint={exactDate(date, zone)} />
}

/** A time in a table or a list: always its date, and seconds unless `brief`. How long ago, and the exact time with its zone, show on hover. */
export function ColumnTime({ at, brief = false }: { at: string; brief?: boolean }) {
  const zone = useZone()
  const date = new Date(at)
  const since = useClock((now) => age(date, new Date(now)))
  const exact = exactDate(date, zone)
  return (
    <Hinted at={at} text={(brief ? minuteDate : rowDate)(date, zone, new Date())} hint={since ? `${since} · ${exact}` : exact} />
  )
}

/** When a key was last used, in words. */
export function LastUse({ at = null }: { at: string | null | undefined }) {
  if (at === null) return 'Not used yet'
  return (
    <>
      Last used <Time at={at} />
    </>
  )
}

/** The day of a time, with its year unless it is this one. The exact time with its zone shows on hover. */
export function Day({ at }: { at: string }) {
  const zone = useZone()
  const date = new Date(at)
  return (
    <time dateTime={at} title={exactDate(date, zone)} className="whitespace-nowrap tabular-nums">
      {dayDate(date, zone, new Date())}
    </time>
  )
}

/** The zone that the head of a column of these times names. */
export function useColumnZone(times: readonly string[]): string {
  const zone = useZone()
  const dates = times.length > 0 ? times.map((at) => new Date(at)) : [new Date()]
  return columnZone(dates, zone)
}

/** A date with its exact time and zone. */
export function ExactTime({ at }: { at: string }) {
  const zone = useZone()
  return (
    <time dateTime={at} className="tabular-nums">
      {exactDate(new Date(at), zone)}
    </time>
  )
}

function Hinted({ at, text, hint }: { at: string; text: string; hint: string }) {
  const [over, setOver] = useState<HTMLElement | null>(null)
  return (
    <time
      dateTime={at}
      onPointerEnter={({ pointerType, currentTarget }) => (pointerType === 'mouse' ? setOver(currentTarget) : undefined)}
      onPointerLeave={() => setOver(null)}
      className="whitespace-nowrap tabular-nums"
    >
      {text}
      {over ? <TimeHint text={hint} over={over} onClose={() => setOver(null)} /> : null}
    </time>
  )
}
