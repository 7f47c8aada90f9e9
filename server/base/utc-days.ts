import { zoneFormats } from './zone-formats'

const SLOT_MS = 15 * 60_000
const DAY_MS = 86_400_000
/** The local date of an instant is that of UTC, or one of its neighbors. */
const FARTHEST_MS = 15 * 3_600_000

// The Canadian form of a date is that of ISO 8601.
const formatOf = zoneFormats('en-CA', { year: 'numeric', month: '2-digit', day: '2-digit' })

/** The length of a slot: offsets of time zones are multiples of it. */
export const slotMs = SLOT_MS

/** The date (`YYYY-MM-DD`) of an instant in a time zone. */
export function dateIn(zone: string, at: number): string {
  return zone === 'UTC' ? new Date(at).toISOString().slice(0, 10) : formatOf(zone).format(at)
}

/** The date so many days after another. */
export function dateAfter(date: string, days: number): string {
  return new Date(Date.parse(date) + days * DAY_MS).toISOString().slice(0, 10)
}

/** The days between two dates. */
export function daysBetween(from: string, to: string): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS)
}

/** A day of a time zone: its date, its first instant, and the first of the next day. A day can have 23 or 25 hours. */
export type ZoneDay = { day: string; from: number; until: number }

/** Consecutive days of a time zone. */
export function zoneDays(zone: string, first: string, count: number): ZoneDay[] {
  const days: ZoneDay[] = []
  let from = startOf(zone, first, null)
  for (let at = 0; at < count; at++) {
    const day = dateAfter(first, at)
    const until = startOf(zone, dateAfter(day, 1), from + DAY_MS)
    days.push({ day, from, until })
    from = until
  }
  return days
}

/** The first instant of a date, to a slot. `likely` is tried first. */
function startOf(zone: string, date: string, likely: number | null): number {
  const midnight = Date.parse(date)
  if (zone === 'UTC') return midnight
  if (likely !== null && dateIn(zone, likely) === date && dateIn(zone, likely - SLOT_MS) < date) return likely
  let [before, after] = [midnight - FARTHEST_MS, midnight + FARTHEST_MS]
  while (after - before > SLOT_MS) {
    const middle = before + Math.floor((after - before) / SLOT_MS / 2) * SLOT_MS
    if (dateIn(zone, middle) < date) before = middle
    else after = middle
  }
  return after
}
