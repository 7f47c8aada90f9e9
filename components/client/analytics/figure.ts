import type { inferRouterOutputs } from '@trpc/server'
import type { Root } from '@/server/trpc/router'
import { type Token, USDC } from '@/server/x402/networks/assets'
import { networkTitle } from '@/server/x402/networks/networks'
import { amounts, counts, drawn, shares, times } from '../../ui/chart/scales'
import type { Point, Scale, Series } from '../../ui/chart/series'
import { dayText } from '../../ui/dates'
import { duration, moneyText, shareText } from '../../ui/figures'

export type Figures = inferRouterOutputs<Root>['merchant']['figures']
type Overview = inferRouterOutputs<Root>['merchant']['overview']
export type DailyPayers = NonNullable<Overview['dailyPayers']>
/** A payment of a period with few of them. */
export type Newest = NonNullable<Overview['newest']>[number]
type Day = Figures['days'][number]
type Totals = Figures['total']

/** What a chart can show. */
export const figureNames = ['volume', 'settlements', 'rate', 'payers', 'time'] as const
export type FigureName = (typeof figureNames)[number]

/** What bars can be stacked by. */
export const stackNames = ['outcome', 'network'] as const
type StackName = (typeof stackNames)[number]

const TITLES: Record<FigureName, string> = {
  volume: 'Volume',
  settlements: 'Settlements',
  rate: 'Success rate',
  payers: 'Payers',
  time: 'Settle time',
}

/** The titles of the cards, which say what they are of. */
export const CARD_TITLES: Record<FigureName, string> = {
  ...TITLES,
  rate: 'Success rate (of valid)',
  time: 'Settle time (median)',
}

/** A chart of a figure; `points` are undefined while they load. */
type Drawn = { what: string; series: Series[]; points: Point[] | undefined; scale: Scale }

const COLORS = ['var(--accent)', 'var(--second)', 'var(--third)', 'var(--fourth)']
/** The previous period behind a figure: behind bars as bars, behind lines as a line. */
export const pastOf = (figure: FigureName): Series => {
  const form = figure === 'rate' || figure === 'time' ? 'past-line' : 'past-bar'
  return { key: 'past', name: PAST_NAMES[figure] ?? 'Previous period', color: 'var(--past)', form }
}

/** How to draw a figure. `past` adds the previous period. */
type Drawing = { figure: FigureName; stack: StackName; past: boolean }

/** The chart of a figure by day. */
export function drawnFigure({ figure, stack, past }: Drawing, data: Figures | undefined, payers: DailyPayers | undefined): Drawn {
  const what = `${TITLES[figure]} by day`
  const behind = past ? [pastOf(figure)] : []
  if (figure === 'payers') {
    const series: Series[] = [{ key: 'payers', name: 'Payers (UTC days)', color: 'var(--accent)', form: 'bar' }, ...behind]
    return { what, series, points: payers?.days.map((day, at) => payersOf(day, payers.previous[at])), scale: counts }
  }
  const { series, read, scale } = READERS[figure](stack, data)
  const points = data?.days.map((day, at) => {
    const { values, shown } = read(day)
    const before = data.previous[at]
    const then = before ? PAST_OF[figure](before, data.asset) : null
    return {
      ...pointOf(day, data.at),
      values: { ...values, past: then?.value ?? null },
      shown: { ...shown, past: then?.shown ?? '–' },
    }
  })
  return { what, series: [...series, ...behind], points, scale }
}

// What the past counts, where the chart has several figures.
const PAST_NAMES: Partial<Record<FigureName, string>> = { settlements: 'Previously settled', time: 'Previous median' }

type Read = (day: Day) => { values: Record<string, number | null>; shown: Record<string, string> }
type Reader = (stack: StackName, data: Figures | undefined) => { series: Series[]; read: Read; scale: Scale }

const READERS: Record<Exclude<FigureName, 'payers'>, Reader> = {
  settlements: (stack, data) => (stack === 'network' ? networksOf(data, settledIn) : OUTCOMES),
  volume: (stack, data) => (stack === 'network' ? networksOf(data, volumeIn(data?.asset ?? USDC)) : volumeOf(data)),
  rate: (_stack, data) => ({
    series: [{ key: 'rate', name: 'Success rate', color: 'var(--accent)', form: 'line' }],
    read: (day) => ({ values: { rate: rateOf(day) }, shown: { rate: rateText(day) } }),
    scale: shares([...(data?.days ?? []), ...(data?.previous ?? [])].map(rateOf)),
  }),
  time: () => ({
    series: [
      { key: 'p50', name: 'Median', color: 'var(--accent)', form: 'line' },
      { key: 'p95', name: '95th percentile', color: 'var(--second)', form: 'line' },
    ],
    read: ({ p50, p95 }) => ({ values: { p50, p95 }, shown: { p50: timeText(p50), p95: timeText(p95) } }),
    scale: times,
  }),
}

const OUTCOMES = {
  series: [
    { key: 'settled', name: 'Settled', color: 'var(--accent)', form: 'bar' },
    { key: 'failed', name: 'Failed', color: 'var(--bad)', form: 'bar' },
  ] satisfies Series[],
  read: ({ settled, failed }: Day) => ({
    values: { settled, failed },
    shown: { settled: count(settled), failed: count(failed) },
  }),
  scale: counts,
}

function volumeOf(data: Figures | undefined) {
  const token = data?.asset ?? USDC
  const series: Series[] = [{ key: 'volume', name: `Volume (${token.symbol})`, color: 'var(--accent)', form: 'bar' }]
  const read = ({ volume }: Day) => ({
    values: { volume: drawn(BigInt(volume), token.decimals) },
    shown: { volume: moneyText(volume, token) },
  })
  return { series, read, scale: amounts }
}

type InNetwork = Pick<Totals, 'settled' | 'failed' | 'volume'>
type Measure = { of: (sums: InNetwork) => { value: number; text: string }; scale: Scale }

const settledIn: Measure = {
  of: ({ settled }) => ({ value: settled, text: count(settled) }),
  scale: counts,
}
const volumeIn = (token: Token): Measure => ({
  of: ({ volume }) => ({ value: drawn(BigInt(volume), token.decimals), text: moneyText(volume, token) }),
  scale: amounts,
})
const NOTHING: InNetwork = { settled: 0, failed: 0, volume: '0' }

const sumOf = (each: readonly InNetwork[]): InNetwork =>
  each.reduce(
    (sum, { settled, failed, volume }) => ({
      settled: sum.settled + settled,
      failed: sum.failed + failed,
      volume: String(BigInt(sum.volume) + BigInt(volume)),
    }),
    NOTHING,
  )

const OTHERS = 'others'

/** A series for each network, as far as the colours reach: the smallest share one. */
function networksOf(data: Figures | undefined, { of, scale }: Measure) {
  const all = data?.networks ?? []
  const largest = all.toSorted((one, other) => of(other).value - of(one).value).slice(0, COLORS.length)
  const used = all.filter((one) => largest.includes(one)).map(({ network }) => network)
  const hasOthers = all.length > used.length
  const read: Read = (day) => {
    const named = used.map((network) => [network, of(day.networks.find((one) => one.network === network) ?? NOTHING)] as const)
    const rest = sumOf(day.networks.filter(({ network }) => !used.includes(network)))
    const each = hasOthers ? [...named, [OTHERS, of(rest)] as const] : named
    return {
      values: Object.fromEntries(each.map(([network, { value }]) => [network, value])),
      shown: Object.fromEntries(each.map(([network, { text }]) => [network, text])),
    }
  }
  const series = used.map((network, at): Series => {
    return { key: network, name: networkTitle(network), color: COLORS[at] ?? 'var(--accent)', form: 'bar' }
  })
  const others: Series = { key: OTHERS, name: `${all.length - used.length} more`, color: 'var(--soft)', form: 'bar' }
  return { series: hasOthers ? [...series, others] : series, read, scale }
}

const PAST_OF: Record<Exclude<FigureName, 'payers'>, (day: Totals, token: Token) => { value: number | null; shown: string }> = {
  settlements: ({ settled }) => ({ value: settled, shown: count(settled) }),
  volume: ({ volume }, token) => ({ value: drawn(BigInt(volume), token.decimals), shown: moneyText(volume, token) }),
  rate: (day) => ({ value: rateOf(day), shown: rateText(day) }),
  time: ({ p50 }) => ({ value: p50, shown: timeText(p50) }),
}

function payersOf(day: DailyPayers['days'][number], before: DailyPayers['days'][number] | undefined): Point {
  return {
    ...pointOf(day, new Date().toISOString()),
    values: { payers: day.payers, past: before?.payers ?? null },
    shown: { payers: count(day.payers), past: before ? count(before.payers) : '–' },
  }
}

function pointOf({ day, until }: { day: string; until: string }, at: string) {
  const partial = Date.parse(until) > Date.parse(at)
  return {
    key: day,
    tick: partial ? 'Today' : dayText(day),
    title: partial ? `Today so far, ${dayText(day)}` : dayText(day, 'long'),
    partial,
  }
}

/** The share of valid payments that settled, as on the status page; null without any. */
export function rateOf({ settled, valid }: Pick<Totals, 'settled' | 'valid'>): number | null {
  return valid === 0 ? null : settled / valid
}

const count = (of: number) => of.toLocaleString('en')
const rateText = (day: Totals) => {
  const rate = rateOf(day)
  return rate === null ? 'No valid payments' : shareText(rate)
}
/** A settle time as text: seconds keep their tenth. */
export const timeText = (ms: number | null) =>
  ms === null ? 'Unknown' : ms >= 1_000 && ms < 59_950 ? `${(ms / 1_000).toFixed(1)} s` : duration(ms)
