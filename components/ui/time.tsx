'use client'

import { useZone } from '../data/zone'
import { useClock } from './clock'
import { ago, exactDate, shortDate } from './dates'

/** How long ago for an hour, then the clock time or the date, with its zone. The exact time shows on hover, and when the link or button around it has the focus. */
export function Time({ at }: { at: string }) {
  const zone = useZone()
  const date = new Date(at)
  const text = useClock((now) => ago(date, new Date(now), zone))
  return (
    <time dateTime={at} className="group/time relative whitespace-nowrap tabular-nums">
      {text ?? shortDate(date, zone)}
      <span
        aria-hidden
        className="pointer-events-none absolute top-1/2 left-0 z-10 -translate-y-1/2 rounded-md bg-ink px-2 py-0.5 text-xs text-paper no-underline hidden md:group-hover/time:block md:in-focus-visible:block"
      >
        {exactDate(date, zone)}
      </span>
    </time>
  )
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
