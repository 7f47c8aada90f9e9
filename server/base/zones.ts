import { DAY_MS } from './durations'

/** The most formats that are kept: each takes 35 KB, and people of a service live in fewer zones. */
const KEPT_MAX = 64

/**
 * The formats of time zones by name, in any letter case; the ones used last are kept. Throws a `RangeError` for an unknown zone, and keeps
 * nothing of it.
 */
export function zoneFormats(locale: string, options: Intl.DateTimeFormatOptions): (zone: string) => Intl.DateTimeFormat {
  const kept = new Map<string, Intl.DateTimeFormat>()
  return (zone) => {
    // Names ignore case, so a stranger has millions of spellings of each.
    const name = zone.toLowerCase()
    const format = kept.get(name) ?? new Intl.DateTimeFormat(locale, { ...options, timeZone: zone })
    // A map lists its keys in the order in which they were set.
    kept.delete(name)
    kept.set(name, format)
    const [oldest] = kept.keys()
    if (kept.size > KEPT_MAX && oldest !== undefined) kept.delete(oldest)
    return format
  }
}

/** A time as a clock on a wall of a zone shows it. The offset is in minutes east of UTC. */
type WallClock = { year: number; month: number; day: number; time: string; offset: number }

/** A calendar day, as `2026-11-23`. */
export type Day = string

// The Canadian form of a date is that of ISO 8601.
const dateFormatOf = zoneFormats('en-CA', { year: 'numeric', month: '2-digit', day: '2-digit' })

const clockOf = zoneFormats('en', {
  hourCycle: 'h23',
  year: 'numeric',
  month: 'numeric',
  day: 'numeric',
  hour: 'numeric',
  minute: 'numeric',
  second: 'numeric',
})

// Offsets such as +00:07 are no zones of people, and sums have quarters of an hour.
const NAME = /^[A-Za-z][\w+/-]{1,63}$/

/** Whether this is a time zone that this computer knows, such as `Europe/Berlin`. */
export function isZone(text: string): boolean {
  if (!NAME.test(text)) return false
  try {
    clockOf(text)
    return true
  } catch {
    // The only error is a RangeError for an unknown zone.
    return false
  }
}

/** The wall clock of a zone at a moment. Throws for an unknown zone. */
export function wallClock(at: Date, zone: string): WallClock {
  const parts = new Map(
    clockOf(zone)
      .formatToParts(at)
      .map(({ type, value }) => [type, Number(value)]),
  )
  const [year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0] = UNITS.map((unit) => parts.get(unit))
  const seconds = Math.floor(at.getTime() / 1_000) * 1_000
  const offset = (Date.UTC(year, month - 1, day, hour, minute, second) - seconds) / 60_000
  return { year, month, day, time: [hour, minute, second].map(twoDigits).join(':'), offset }
}

const UNITS = ['year', 'month', 'day', 'hour', 'minute', 'second'] as const

/** The date of an instant in a zone. */
export function dateIn(zone: string, at: Date | number): Day {
  return zone === 'UTC' ? new Date(at).toISOString().slice(0, 10) : dateFormatOf(zone).format(at)
}

/** The first moment of a day in a zone, also where its clocks skip midnight. */
export function startOf(day: Day, zone: string): Date {
  const midnight = Date.parse(`${day}T00:00:00Z`)
  const offsets = [-1, 1].map((side) => wallClock(new Date(midnight + side * DAY_MS), zone).offset)
  const starts = offsets.map((offset) => midnight - offset * 60_000).toSorted((one, other) => one - other)
  const first = starts.find((start) => dateIn(zone, start) === day)
  // Clocks that skip midnight show the day first when they changed.
  return new Date(first ?? changeBetween(midnight - 2 * DAY_MS, midnight + 2 * DAY_MS, day, zone))
}

/** The first moment at which the zone shows this day or a later one. */
function changeBetween(from: number, to: number, day: Day, zone: string): number {
  let [before, after] = [from, to]
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2)
    if (dateIn(zone, middle) < day) before = middle
    else after = middle
  }
  return after
}

/** The date so many days after another. */
export function dateAfter(day: Day, days: number): Day {
  return new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10)
}

/** The days between two dates. */
export function daysBetween(from: Day, to: Day): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS)
}

/** The length of a slot: offsets of time zones are multiples of it. */
export const slotMs = 15 * 60_000

/** A day of a time zone: its date, its first instant, and the first of the next day. A day can have 23 or 25 hours. */
export type ZoneDay = { day: Day; from: number; until: number }

/** Consecutive days of a time zone. Each begins with a slot. */
export function zoneDays(zone: string, first: Day, count: number): ZoneDay[] {
  const days: ZoneDay[] = []
  let from = slotOf(startOf(first, zone))
  for (let at = 0; at < count; at++) {
    const [day, next] = [dateAfter(first, at), dateAfter(first, at + 1)]
    // Most days have 24 hours, and two formats are cheaper than the search.
    const [usual, before] = [from + DAY_MS, from + DAY_MS - slotMs]
    const until = dateIn(zone, usual) === next && dateIn(zone, before) < next ? usual : slotOf(startOf(next, zone))
    days.push({ day, from, until })
    from = until
  }
  return days
}

// Old offsets such as -7:52:58 are no multiples of a slot.
const slotOf = (at: Date) => Math.ceil(at.getTime() / slotMs) * slotMs

/** An offset as `+01:00`. */
export function offsetText(offset: number): string {
  const minutes = Math.abs(offset)
  return `${offset < 0 ? '-' : '+'}${twoDigits(Math.floor(minutes / 60))}:${twoDigits(minutes % 60)}`
}

const twoDigits = (count: number) => String(count).padStart(2, '0')
