import { DAY_MS } from '../base/durations'
import { ServiceError } from '../base/errors'
import { dateAfter, dateIn, daysBetween, slotMs, type ZoneDay, zoneDays } from '../base/zones'

/** The longest period, in days. */
const PERIOD_DAYS_MAX = 366

const SLOTS = DAY_MS / slotMs

/** The last days up to today, or the days from one date to another, both included. */
export type Range = { days: number } | { from: string; to: string }

/** Instants from one to another, which is excluded. */
export type Span = { from: number; until: number }

/** Days of a time zone, and as many before them; the last of those ends at the time of day that it is now. */
export type Period = { zone: string; days: ZoneDay[]; previous: ZoneDay[] }

/** The period of a range at an instant. It ends today at the latest. Throws `bad_request` for a range without days. */
export function periodOf(range: Range, zone: string, now: number): Period {
  const today = dateIn(zone, now)
  const last = 'days' in range || range.to > today ? today : range.to
  const first = 'days' in range ? dateAfter(today, 1 - range.days) : range.from
  const count = daysBetween(first, last) + 1
  if (count < 1) throw new ServiceError('bad_request', 'the period begins after its end, or after today')
  if (count > PERIOD_DAYS_MAX) throw new ServiceError('bad_request', `a period has at most ${PERIOD_DAYS_MAX} days`)
  const all = zoneDays(zone, dateAfter(first, -count), 2 * count)
  const [previous, days] = [all.slice(0, count), all.slice(count)]
  return { zone, days, previous: cutLike(previous, days.at(-1), now) }
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

/** The UTC days that some spans touch without filling them. `days` are all UTC days from the first to the last. */
export function edgesOf(spans: readonly Span[]): { days: string[]; edges: string[] } {
  const from = Math.min(...spans.map((span) => span.from))
  const until = Math.max(...spans.map((span) => span.until))
  const days: string[] = []
  const edges: string[] = []
  for (let begin = Math.floor(from / DAY_MS) * DAY_MS; begin < until; begin += DAY_MS) {
    const day = new Date(begin).toISOString().slice(0, 10)
    days.push(day)
    if (!spans.some((span) => span.from <= begin && span.until >= begin + DAY_MS)) edges.push(day)
  }
  return { days, edges }
}
