import { MINUTE_MS } from '@/server/base/durations'
import { type Day, dateAfter, dateIn, startOf, wallClock } from '@/server/base/zones'
import { daysOf, type PresetName, presets } from '../../client/presets'

/** A half-open range of time: from its first moment up to the first moment after it. */
export type Range = { from: string; to: string }

/** The range of a preset at this moment in a zone. */
export function rangeOf(name: PresetName, now: Date, zone: string): Range {
  const [first, last] = daysOf(name, dateIn(zone, now))
  return rangeOfDays(first, last, zone)
}

/** The range of whole days, the last one included. */
export function rangeOfDays(first: Day, last: Day, zone: string): Range {
  return { from: startOf(first, zone).toISOString(), to: startOf(dateAfter(last, 1), zone).toISOString() }
}

/** A minute as the clock of a zone shows it: `2026-11-23T02:00`. */
type Minute = string

/** The range of whole minutes, the last one included. */
export function rangeOfMinutes(first: Minute, last: Minute, zone: string): Range {
  return {
    from: new Date(momentOf(first, zone)).toISOString(),
    to: new Date(momentOf(last, zone) + MINUTE_MS).toISOString(),
  }
}

/** The minute that the clock of a zone shows at a moment. */
export function minuteOf(at: Date, zone: string): Minute {
  return `${dateIn(zone, at)}T${wallClock(at, zone).time.slice(0, 5)}`
}

// The offset at the moment itself counts, which the clock of UTC finds within a day.
function momentOf(minute: Minute, zone: string): number {
  const asUtc = Date.parse(`${minute}Z`)
  const near = asUtc - wallClock(new Date(asUtc), zone).offset * MINUTE_MS
  return asUtc - wallClock(new Date(near), zone).offset * MINUTE_MS
}

/** The preset that has this range at this moment; null for any other range. */
export function presetOf({ from, to }: Range, now: Date, zone: string): PresetName | null {
  const found = presets.find(([name]) => {
    const range = rangeOf(name, now, zone)
    return range.from === from && range.to === to
  })
  return found?.[0] ?? null
}
