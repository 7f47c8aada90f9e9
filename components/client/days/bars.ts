import { DAY_MS } from '@/server/base/durations'
import { dateAfter } from '@/server/base/zones'
import type { Status } from '@/server/operations/status/status'
import { dayText } from '../../ui/dates'

/** The days of the bars. */
export const BARS = 90

type Days = NonNullable<Status['networks'][number]['last_90_days']>['days']
type Incident = NonNullable<Status['incidents']>[number]

/** An incident as a bar needs it: its UTC days, of which the last may be to come. */
export type MarkedIncident = { title: string; impact: Incident['impact']; first: string; last: string | null }

/** A day: how its valid payments ended, and that in words. */
export type Bar = { date: string; tone: 'none' | 'good' | 'warn' | 'bad'; day: string; outcome: string; text: string }

/** With fewer payments a share says nothing, and any failure counts. */
const FEW = 20
const GOOD = 0.99
const POOR = 0.95

/** The bars of the days up to `today`, oldest first. */
export function barsOf({ days, incidents, today }: { days: Days; incidents: readonly MarkedIncident[]; today: string }): Bar[] {
  const known = new Map(days.map((day) => [day.date, day]))
  return Array.from({ length: BARS }, (_, at) => {
    const date = dateAfter(today, at - BARS + 1)
    const own = incidents.filter(({ first, last }) => first <= date && (last === null || date <= last))
    const { settled = 0, failed = 0 } = known.get(date) ?? {}
    const outcome = [outcomeText(settled, failed), ...own.map(({ title }) => title)].join(' · ')
    const day = date === today ? 'Today' : dayText(date)
    return { date, tone: toneOf(settled, failed, own), day, outcome, text: `${day}: ${outcome}` }
  })
}

function toneOf(settled: number, failed: number, incidents: readonly MarkedIncident[]): Bar['tone'] {
  const of = settled + failed
  const share = of === 0 ? 1 : settled / of
  if (incidents.some(({ impact }) => impact === 'outage') || (of >= FEW && share < POOR)) return 'bad'
  if (incidents.length > 0 || (failed > 0 && (of < FEW || share < GOOD))) return 'warn'
  return of === 0 ? 'none' : 'good'
}

function outcomeText(settled: number, failed: number): string {
  const of = settled + failed
  if (of === 0) return 'no payments'
  const count = of.toLocaleString('en')
  if (failed === 0) return of === 1 ? 'the valid payment settled' : `all ${count} valid payments settled`
  return `${failed.toLocaleString('en')} of ${count} valid payments failed`
}

/** The incidents of a network, as its bars mark them. */
export function markedOn(incidents: readonly Incident[], network: string): MarkedIncident[] {
  return incidents
    .filter(({ networks }) => networks.length === 0 || networks.includes(network))
    .map(({ title, impact, started_at, resolved_at }) => {
      return { title, impact, first: started_at.slice(0, 10), last: resolved_at?.slice(0, 10) ?? null }
    })
}

const LINE_MIN = 7

type MedianLine = { path: string; from: number; low: number; high: number }

/**
 * A line through the medians of the days, from the bar `from` to the last, with the fastest and the slowest day in milliseconds; null with
 * fewer than a week of them.
 * It runs on to today, so that the lines of all networks end together.
 */
export function medianLine(days: Days, today: string, height: number): MedianLine | null {
  const first = Date.parse(dateAfter(today, 1 - BARS))
  const points = days.flatMap(({ date, median_ms: ms }) => {
    return ms === null ? [] : [{ x: Math.round((Date.parse(date) - first) / DAY_MS), ms }]
  })
  // Fewer points look like a trend that is none.
  if (points.length < LINE_MIN) return null
  const all = points.map(({ ms }) => ms)
  const [low, high] = [Math.min(...all), Math.max(...all)]
  // A steady time is a line in the middle, not the noise of a few percent.
  const span = Math.max(high - low, high * 0.6)
  const y = (ms: number) => ((height - 2) * (0.5 - (ms - (low + high) / 2) / span) + 1).toFixed(1)
  const path = `${points.map(({ x, ms }, at) => `${at === 0 ? 'M' : 'L'}${x} ${y(ms)}`).join('')}H${BARS - 1}`
  return { path, from: points[0]?.x ?? 0, low, high }
}
