import { DAY_MS } from '../base/durations'
import { ServiceError } from '../base/errors'
import { dateAfter, dateIn, daysBetween, slotMs, type ZoneDay, zoneDays } from '../base/zones'

/** The longest period, in days. */
const PERIOD_DAYS_MAX = 366

const SLOTS = DAY_MS / slotMs

/** The last days up to today, the days from one date to another, both included, or those of a month (`2026-11`). */
export type Range = { days: number } | { from: string; to: string } | { month: string }

/** Instants from one to another, which is excluded. */
export type Span = { from: number; until: number }

/**
 * Days of a time zone, and those before them that they are compared with: as many, or the same of the month before. The last of those ends at
 * the time of day that it is now.
 */
export type Period = { zone: string; days: ZoneDay[]; previous: ZoneDay[] }

/** The period of a range at an instant. It ends today at the latest. Throws `bad_request` for a range without days. */
export function periodOf(range: Range, zone: string, now: number): Period {
  const { first, last, earlier } = datesOf(range, dateIn(zone, now))
  const count = daysBetween(first, last) + 1
  if (count < 1) throw new ServiceError('bad_request', 'the period begins after its end, or after today')
  if (count > PERIOD_DAYS_MAX) throw new ServiceError('bad_request', `a period has at most ${PERIOD_DAYS_MAX} days`)
  const { from, days: earlierDays } = earlier ?? { from: dateAfter(first, -count), days: count }
  const [previous, days] = [zoneDays(zone, from, earlierDays), zoneDays(zone, first, count)]
  // A day of a shorter month has passed as a whole.
  return { zone, days, previous: previous.length === count ? cutLike(previous, days.at(-1), now) : previous }
}

/** The UTC days with the dates of a period. Where a zone is a day ahead, its today is among them: it has no payments yet. */
export function utcPeriodOf(range: Range, zone: string, now: number): Period {
  return periodOf(range, 'UTC', Math.max(now, Date.parse(dateIn(zone, now))))
}

type Dates = { first: string; last: string; earlier?: { from: string; days: number } }

function datesOf(range: Range, today: string): Dates {
  if ('days' in range) return { first: dateAfter(today, 1 - range.days), last: today }
  if ('from' in range) return { first: range.from, last: range.to > today ? today : range.to }
  const first = `${range.month}-01`
  const [before, after] = [monthAfter(first, -1), monthAfter(first, 1)]
  const whole = daysBetween(before, first)
  if (after <= today) return { first, last: dateAfter(after, -1), earlier: { from: before, days: whole } }
  return { first, last: today, earlier: { from: before, days: Math.min(whole, daysBetween(first, today) + 1) } }
}

/** The first day of another month. */
function monthAfter(first: string, months: number): string {
  const [year = 0, month = 1] = first.split('-').map(Number)
  return new Date(Date.UTC(year, month - 1 + months, 1)).toISOString().slice(0, 10)
}

// So that a day that has just begun is compared with the begin of a day.
function cutLike(previous: ZoneDay[], today: ZoneDay | undefined, now: number): ZoneDay[] {
  if (!today || now < today.from || now >= today.until) return previous
  const passed = Math.floor((now - today.from) / slotMs) * slotMs
  return previous.map((day, at) => (at === previous.length - 1 ? { ...day, until: Math.min(day.until, day.from + passed) } : day))
}

/** The instants of some days. */
export function spanOf(days: readonly ZoneDay[]): Span {
  return { from: days[0]?.from ?? 0, until: days.at(-1)?.until ?? 0 }
}

/** The part of a window on a UTC day: its slots from `lo` up to `hi`, which is excluded. */
type Cut = { window: number; day: string; lo: number; hi: number }

/** The UTC days of windows, and which slots of them belong to which window. */
export function cutsOf(windows: readonly Span[]): Cut[] {
  return windows.flatMap(({ from, until }, window) => {
    const cuts: Cut[] = []
    for (let begin = Math.floor(from / DAY_MS) * DAY_MS; begin < until; begin += DAY_MS) {
      const lo = Math.max(0, (from - begin) / slotMs)
      const hi = Math.min(SLOTS, (until - begin) / slotMs)
      if (lo < hi) cuts.push({ window, day: new Date(begin).toISOString().slice(0, 10), lo, hi })
    }
    return cuts
  })
}

/**
 * The UTC days that some spans touch without filling them (`edges`), and those between two spans that none touches (`skipped`). `days` are all
 * UTC days from the first to the last.
 */
export function edgesOf(spans: readonly Span[]): { days: string[]; edges: string[]; skipped: string[] } {
  const from = Math.min(...spans.map((span) => span.from))
  const until = Math.max(...spans.map((span) => span.until))
  const days: string[] = []
  const edges: string[] = []
  const skipped: string[] = []
  for (let begin = Math.floor(from / DAY_MS) * DAY_MS; begin < until; begin += DAY_MS) {
    const day = new Date(begin).toISOString().slice(0, 10)
    days.push(day)
    if (!spans.some((span) => span.from < begin + DAY_MS && span.until > begin)) skipped.push(day)
    else if (!spans.some((span) => span.from <= begin && span.until >= begin + DAY_MS)) edges.push(day)
  }
  return { days, edges, skipped }
}
