import { DAY_MS } from '@/server/base/durations'
import { offsetText, wallClock, zoneFormats } from '@/server/base/zones'

/** A function that writes dates in one form, in English and in any zone. */
export const form = (options: Intl.DateTimeFormatOptions) => {
  const formatOf = zoneFormats('en', { ...options, hourCycle: 'h23' })
  return (at: Date, zone: string): string => formatOf(zone).format(at)
}

const MINUTE = { hour: '2-digit', minute: '2-digit' } as const
const SECOND = { ...MINUTE, second: '2-digit' } as const
const DAY = { month: 'short', day: 'numeric' } as const

const thisYear = form({ ...DAY, ...MINUTE })
const ranges = zoneFormats('en', { ...DAY, ...MINUTE, hourCycle: 'h23' })
const anyYear = form({ ...DAY, year: 'numeric', ...MINUTE })
const exact = form({ ...DAY, year: 'numeric', ...SECOND, fractionalSecondDigits: 3 })
const whole = form({ weekday: 'short', ...DAY, year: 'numeric', ...SECOND })
const second = form({ ...DAY, ...SECOND })
const secondOfYear = form({ ...DAY, year: 'numeric', ...SECOND })
const clock = form({ ...SECOND, fractionalSecondDigits: 3 })
const day = form({ ...DAY, year: 'numeric' })
const dayOfYear = form(DAY)
const dayOfWeek = form({ weekday: 'short', ...DAY, year: 'numeric' })

const inOneYear = (one: Date, other: Date, zone: string) => wallClock(one, zone).year === wallClock(other, zone).year

/** A zone at a moment in a few letters: `UTC`, or its offset as `UTC+01:00`. */
function zoneName(at: Date, zone: string): string {
  return zone === 'UTC' ? 'UTC' : `UTC${offsetText(wallClock(at, zone).offset)}`
}

/** `Nov 23, 14:05 UTC`, with the year unless it is that of `now`. */
export const shortDate = (at: Date, zone: string, now: Date = at): string => `${minuteDate(at, zone, now)} ${zoneName(at, zone)}`

/** The time of a row without seconds: `Nov 23, 14:05`, with the year unless it is that of `now`. */
export const minuteDate = (at: Date, zone: string, now: Date): string => (inOneYear(at, now, zone) ? thisYear : anyYear)(at, zone)

/** `Nov 23, 14:05 – 15:10 UTC`, with both days unless they are one. */
export const timeRange = (from: Date, to: Date, zone: string): string =>
  `${ranges(zone).formatRange(from, to)} ${zoneName(to, zone)}`

/** `Nov 23, 2026, 14:05:09.123 UTC`. */
export const exactDate = (at: Date, zone: string): string => `${exact(at, zone)} ${zoneName(at, zone)}`

/** `Mon, Nov 23, 2026, 14:05:09 UTC`. */
export const wholeDate = (at: Date, zone: string): string => `${whole(at, zone)} ${zoneName(at, zone)}`

/** `14:05:09.123`, below a date that names the day and the zone. */
export const clockTime = (at: Date, zone: string): string => clock(at, zone)

/** The time of a row: `Nov 23, 14:05:09`, with the year unless it is that of `now`. The head of its column names the zone. */
export const rowDate = (at: Date, zone: string, now: Date): string => (inOneYear(at, now, zone) ? second : secondOfYear)(at, zone)

/** The zone of a column of times: its offset, or its name if the times have several offsets. */
export function columnZone(times: readonly Date[], zone: string): string {
  const [name = zone, ...others] = new Set(times.map((at) => zoneName(at, zone)))
  return others.length > 0 ? zone : name
}

/** The day of a moment: `Nov 23, 2026`, without the year if it is that of `now`. */
export const dayDate = (at: Date, zone: string, now?: Date): string =>
  (now && inOneYear(at, now, zone) ? dayOfYear : day)(at, zone)

/** A date (`2026-11-03`): `Nov 3`, or `Tue, Nov 3, 2026`. */
export const dayText = (date: string, length: 'short' | 'long' = 'short'): string =>
  (length === 'short' ? dayOfYear : dayOfWeek)(new Date(date), 'UTC')

/** The UTC days of a half-open range: `Nov 3`, or `Nov 3 – Nov 23, 2026`. */
export function dayRange(from: Date, to: Date): string {
  const last = new Date(to.getTime() - 1)
  const [first, end] = [day(from, 'UTC'), day(last, 'UTC')]
  if (first === end) return first
  return `${inOneYear(from, last, 'UTC') ? dayOfYear(from, 'UTC') : first} – ${end}`
}

const UNITS = [
  ['day', 86_400],
  ['h', 3_600],
  ['min', 60],
  ['s', 1],
] as const

/** A length of time in whole seconds: `90 s` is `1 min 30 s`, `3600 s` is `1 h`. */
export function spanText(seconds: number): string {
  const parts = UNITS.flatMap(([unit, length], at) => {
    const above = UNITS[at - 1]
    const count = Math.floor((above ? seconds % above[1] : seconds) / length)
    return count === 0 ? [] : [`${count} ${unit === 'day' && count > 1 ? 'days' : unit}`]
  })
  return parts.join(' ') || '0 s'
}

/** A length of time in full hours, or in minutes within one, as `age` counts: 13 h 54 min is `13 h`. */
export function roundSpan(ms: number): string {
  const unit = ms < 3_600_000 ? 60 : 3_600
  return spanText(Math.floor(ms / 1_000 / unit) * unit)
}

/** How long ago: `now`, `12 s ago`, `3 min ago`, `5 h ago`, `2 days ago`. A time that is not over yet is now. */
export function age(at: Date, now: Date): string {
  const seconds = Math.floor((now.getTime() - at.getTime()) / 1_000)
  const found = UNITS.find(([, length]) => seconds >= length)
  if (!found) return 'now'
  const [unit, length] = found
  const count = Math.floor(seconds / length)
  return `${count} ${unit === 'day' && count > 1 ? 'days' : unit} ago`
}

/** How long ago, within a day; otherwise the date, which always has its zone. A time to come is a date too. */
export function ago(at: Date, now: Date, zone: string, written = shortDate): string {
  const passed = now.getTime() - at.getTime()
  return passed > -60_000 && passed < DAY_MS ? age(at, now) : written(at, zone, now)
}
