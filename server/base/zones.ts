import { zoneFormats } from './zone-formats'

/** A time as a clock on a wall of a zone shows it. The offset is in minutes east of UTC. */
export type WallClock = { year: number; month: number; day: number; time: string; offset: number }

/** A calendar day, as `2026-11-23`. */
export type Day = string

const clockOf = zoneFormats('en', {
  ...{ hourCycle: 'h23', year: 'numeric', month: 'numeric', day: 'numeric' },
  ...{ hour: 'numeric', minute: 'numeric', second: 'numeric' },
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

/** The calendar day of a moment in a zone. */
export function dayIn(at: Date, zone: string): Day {
  const { year, month, day } = wallClock(at, zone)
  return `${String(year).padStart(4, '0')}-${twoDigits(month)}-${twoDigits(day)}`
}

/** The first moment of a day in a zone, also where its clocks skip midnight. */
export function startOf(day: Day, zone: string): Date {
  const midnight = Date.parse(`${day}T00:00:00Z`)
  const offsets = [-1, 1].map((side) => wallClock(new Date(midnight + side * DAY_MS), zone).offset)
  const starts = offsets.map((offset) => midnight - offset * 60_000).toSorted((one, other) => one - other)
  const first = starts.find((start) => dayIn(new Date(start), zone) === day)
  // Clocks that skip midnight show the day first when they changed.
  return new Date(first ?? changeBetween(midnight - 2 * DAY_MS, midnight + 2 * DAY_MS, day, zone))
}

/** The first moment at which the zone shows this day or a later one. */
function changeBetween(from: number, to: number, day: Day, zone: string): number {
  let [before, after] = [from, to]
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2)
    if (dayIn(new Date(middle), zone) < day) before = middle
    else after = middle
  }
  return after
}

/** A day so many days later. */
export function plusDays(day: Day, days: number): Day {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10)
}

/** An offset as `+01:00`. */
export function offsetText(offset: number): string {
  const minutes = Math.abs(offset)
  return `${offset < 0 ? '-' : '+'}${twoDigits(Math.floor(minutes / 60))}:${twoDigits(minutes % 60)}`
}

const DAY_MS = 86_400_000
const twoDigits = (count: number) => String(count).padStart(2, '0')
