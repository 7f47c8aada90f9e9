import { offsetText, wallClock } from '@/server/history/zones'

const form = (options: Intl.DateTimeFormatOptions) => {
  const known = new Map<string, Intl.DateTimeFormat>()
  return (at: Date, zone: string): string => {
    const format = known.get(zone) ?? new Intl.DateTimeFormat('en', { ...options, timeZone: zone, hourCycle: 'h23' })
    known.set(zone, format)
    return format.format(at)
  }
}

const MINUTE = { hour: '2-digit', minute: '2-digit' } as const
const SECOND = { ...MINUTE, second: '2-digit' } as const
const DAY = { month: 'short', day: 'numeric' } as const

const thisYear = form({ ...DAY, ...MINUTE })
const anyYear = form({ ...DAY, year: 'numeric', ...MINUTE })
const exact = form({ ...DAY, year: 'numeric', ...SECOND, fractionalSecondDigits: 3 })
const whole = form({ weekday: 'short', ...DAY, year: 'numeric', ...SECOND })
const clock = form(SECOND)
const day = form({ ...DAY, year: 'numeric' })
const dayOfYear = form(DAY)

/** A zone at a moment in a few letters: `UTC`, or its offset as `UTC+01:00`. */
export function zoneName(at: Date, zone: string): string {
  return zone === 'UTC' ? 'UTC' : `UTC${offsetText(wallClock(at, zone).offset)}`
}

/** `Nov 23, 14:05 UTC`, with the year unless it is that of `now`. */
export function shortDate(at: Date, zone: string, now: Date = at): string {
  const sameYear = wallClock(at, zone).year === wallClock(now, zone).year
  return `${(sameYear ? thisYear : anyYear)(at, zone)} ${zoneName(at, zone)}`
}

/** `Nov 23, 2026, 14:05:09.123 UTC`. */
export const exactDate = (at: Date, zone: string): string => `${exact(at, zone)} ${zoneName(at, zone)}`

/** `Mon, Nov 23, 2026, 14:05:09 UTC`. */
export const wholeDate = (at: Date, zone: string): string => `${whole(at, zone)} ${zoneName(at, zone)}`

/** `14:05:09 UTC`. */
export const clockTime = (at: Date, zone: string): string => `${clock(at, zone)} ${zoneName(at, zone)}`

/** The days of a half-open range: `Nov 3`, or `Nov 3 – Nov 23, 2026`. */
export function dayRange(from: Date, to: Date, zone: string): string {
  const last = new Date(to.getTime() - 1)
  const [first, end] = [day(from, zone), day(last, zone)]
  if (first === end) return first
  const sameYear = wallClock(from, zone).year === wallClock(last, zone).year
  return `${sameYear ? dayOfYear(from, zone) : first} – ${end}`
}

const UNITS: [Intl.RelativeTimeFormatUnit, number][] = [
  ['minute', 60],
  ['second', 1],
]
const relative = new Intl.RelativeTimeFormat('en', { numeric: 'always', style: 'short' })

/** How long ago, within an hour; then the clock time, with the date unless it is today. A time that is not over yet is now. */
export function ago(at: Date, now: Date, zone: string): string {
  const seconds = Math.floor((now.getTime() - at.getTime()) / 1_000)
  if (seconds >= 3_600) return day(at, zone) === day(now, zone) ? clockTime(at, zone) : shortDate(at, zone, now)
  const [unit, length] = UNITS.find(([, length]) => seconds >= length) ?? ['second', 1]
  return seconds < 1 ? 'now' : relative.format(-Math.floor(seconds / length), unit)
}
