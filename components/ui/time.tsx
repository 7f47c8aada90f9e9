'use client'

import { useEffect, useState } from 'react'

const UNITS: [Intl.RelativeTimeFormatUnit, number][] = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
]

/** Relative time for a week, then the date; the exact UTC time shows on hover. */
export function Time({ at }: { at: string }) {
  const [now, setNow] = useState<number | null>(null)
  useEffect(() => {
    const tick = () => setNow(Date.now())
    tick()
    const timer = setInterval(tick, 30_000)
    return () => clearInterval(timer)
  }, [])
  const date = new Date(at)
  return (
    <time dateTime={at} title={date.toISOString()} className="whitespace-nowrap tabular-nums">
      {now === null ? at.slice(0, 10) : ago(date, now)}
    </time>
  )
}

function ago(date: Date, now: number): string {
  const seconds = Math.round((now - date.getTime()) / 1_000)
  if (seconds > 7 * 86_400) return date.toLocaleDateString(undefined, { dateStyle: 'medium' })
  const [unit, length] = UNITS.find(([, length]) => seconds >= length) ?? ['second', 1]
  return new Intl.RelativeTimeFormat('en', { numeric: 'auto', style: 'short' }).format(
    -Math.floor(Math.max(0, seconds) / length),
    unit,
  )
}
