import { type Day, dateAfter } from '@/server/base/zones'
import { form } from './dates'

const long = form({ weekday: 'long', month: 'long', day: 'numeric', year: 'numeric' })
const month = form({ month: 'long', year: 'numeric' })

/** A day in full: `Monday, November 23, 2026`. */
export const longDay = (day: Day): string => long(new Date(`${day}T00:00:00Z`), 'UTC')

/** The month of a day: `November 2026`. */
export const monthTitle = (day: Day): string => month(new Date(`${day}T00:00:00Z`), 'UTC')

/** The weeks that a calendar shows of the month of a day. Always six, from Monday on, so that its size stays. */
export function weeksOf(day: Day): Day[][] {
  const first = `${day.slice(0, 7)}-01`
  const monday = dateAfter(first, -weekdayOf(first))
  return Array.from({ length: WEEKS }, (_, week) => Array.from({ length: 7 }, (_, at) => dateAfter(monday, week * 7 + at)))
}

const WEEKS = 6

/** Days since Monday. */
const weekdayOf = (day: Day): number => (new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7

/** The same day so many months later; the last day of a shorter month. */
export function plusMonths(day: Day, months: number): Day {
  const [year = 1970, month = 1, date = 1] = day.split('-').map(Number)
  const last = new Date(Date.UTC(year, month + months, 0)).getUTCDate()
  return new Date(Date.UTC(year, month - 1 + months, Math.min(date, last))).toISOString().slice(0, 10)
}

const MOVES: Record<string, (day: Day, far: boolean) => Day> = {
  ArrowLeft: (day) => dateAfter(day, -1),
  ArrowRight: (day) => dateAfter(day, 1),
  ArrowUp: (day) => dateAfter(day, -7),
  ArrowDown: (day) => dateAfter(day, 7),
  Home: (day) => dateAfter(day, -weekdayOf(day)),
  End: (day) => dateAfter(day, 6 - weekdayOf(day)),
  PageUp: (day, far) => plusMonths(day, far ? -12 : -1),
  PageDown: (day, far) => plusMonths(day, far ? 12 : 1),
}

/** The day to which a key moves in a calendar; null for other keys. Shift makes a month a year. */
export function movedBy({ key, shiftKey }: { key: string; shiftKey: boolean }, day: Day): Day | null {
  return Object.hasOwn(MOVES, key) ? (MOVES[key]?.(day, shiftKey) ?? null) : null
}

/** A day as people type it: `2026-11-3` is `2026-11-03`. Null if it is no day of the calendar. */
export function readDay(text: string): Day | null {
  const [, year, month = '', date = ''] = /^(\d{4})-(\d\d?)-(\d\d?)$/.exec(text.trim()) ?? []
  if (!year) return null
  const day = `${year}-${month.padStart(2, '0')}-${date.padStart(2, '0')}`
  const time = Date.parse(`${day}T00:00:00Z`)
  // A 31st of a shorter month would be read as a day of the next one.
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(day) ? day : null
}

/** A minute as people type it: `9:30` is `09:30`. Null if no clock shows it. */
export function readMinute(text: string): string | null {
  const [, hour = '', minute = ''] = /^(\d\d?):?(\d\d)$/.exec(text.trim()) ?? []
  return hour && Number(hour) < 24 && Number(minute) < 60 ? `${hour.padStart(2, '0')}:${minute}` : null
}
