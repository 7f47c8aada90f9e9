import { displayOwner } from '../accounts/present'
import type { App } from '../app'
import { DAY_MS } from '../base/durations'
import { dateAfter, type ZoneDay } from '../base/zones'
import { countDailyPayers, readLists, readTopPayers } from '../sums/list-queries'
import { type Period, periodOf, type Range, spanOf } from '../sums/periods'
import { type Clock, readAnalyticsClock, type SumQuery, type Sums, sumCompleted, sumNewest } from '../sums/sum-queries'
import { type BinCount, percentileOf } from '../sums/time-queries'
import { displayAddress } from '../x402/addresses'
import { bySymbol, tokenNamed, USDC } from '../x402/networks/assets'
import { reasonTitle } from '../x402/reasons/titles'
import { type AnalyticsScope, COMPLETED_MS, type Narrowing, networksWithin } from './analytics'
import { byNetwork, byReason, byWindow, countsOf, OUTCOMES, type Outcome } from './outcomes'

/**
 * What to show: a range of days of a time zone, in an environment or on one network, of a token by its symbol. Without one, `figures` choose
 * USDC, or the only token that occurs; the others count all tokens, with the volume of USDC.
 */
export type AnalyticsSelection = { range: Range; zone: string; within: Narrowing; asset?: string | undefined }

type Parts = Pick<App, 'db' | 'sums' | 'coalesce' | 'counting' | 'recent'>

/** The maximum number of today's rows to count while a page loads. */
const COUNTED_MAX = 50_000
const LISTS_MS = 30_000

/** The figures of a token in a period with those of the period before. Today counts; `more`: its sums are a minimum. */
export async function figures(app: Parts, scope: AnalyticsScope, { asset, ...selection }: AnalyticsSelection) {
  const clock = await readAnalyticsClock(app.db, scope.epoch)
  const period = periodOf(selection.range, selection.zone, clock.now)
  const windows = [...period.previous, ...period.days]
  const query = { filter: scope.filter, networks: networksWithin(selection.within), windows }
  const key = `figures ${JSON.stringify([scope.filter, selection, windows[0], period.previous.at(-1), clock.today, clock.epoch])}`
  const [completed, today] = await Promise.all([
    // Rows of the last day may still be uncommitted: such sums are not kept.
    app.recent(scope.reader, key, clock.settled ? COMPLETED_MS : 0, () =>
      app.coalesce(scope.reader, key, () => sumCompleted(app.sums, { ...query, until: clock.today }, BY)),
    ),
    isLive(period, clock) ? app.counting(scope.reader, key, () => sumToday(app, query, clock)) : null,
  ])
  return presentFigures(period, [completed, ...(today ? [today.sums] : [])], clock, { asset, more: today?.more ?? false })
}

/** Sums the rows of the current UTC day, at most `COUNTED_MAX`. */
const sumToday = ({ sums }: Pick<Parts, 'sums'>, query: SumQuery, { today }: Clock) =>
  sumNewest(sums, { ...query, since: Date.parse(today) }, BY, COUNTED_MAX)

/** Whether a period has some of the current UTC day. */
const isLive = ({ days }: Period, { today }: Clock) => spanOf(days).until > Date.parse(today)

/** The figures of a period as a screen shows them. */
export type Figures = Awaited<ReturnType<typeof figures>>

const BY = { outcomes: OUTCOMES, settled: ['symbol', 'bin'] } as const

type FigureSums = Sums<typeof BY>

type Shown = { asset: string | undefined; more: boolean }

function presentFigures({ zone, days, previous }: Period, sums: FigureSums[], clock: Clock, { asset, more }: Shown) {
  const occur = [...new Set(sums.flatMap((one) => one.outcomes.map(({ symbol }) => symbol)))].toSorted(bySymbol)
  // One euro is no dollar: a figure is of one token.
  const token = tokenNamed(asset ?? occur[0] ?? USDC.symbol)
  const isShown = ({ symbol }: { symbol: string }) => symbol === token.symbol
  const all = {
    outcomes: sums.flatMap((one) => one.outcomes.filter(isShown)),
    settled: sums.flatMap((one) => one.settled.filter((row) => isShown(row) && row.bin >= 0)),
  }
  const grouped = { outcomes: byWindow(all.outcomes), settled: byWindow(all.settled) }
  const shown = ({ day, from, until }: ZoneDay, window: number) => {
    const own = { outcomes: grouped.outcomes.get(window) ?? [], settled: grouped.settled.get(window) ?? [] }
    return { day, from: new Date(from).toISOString(), until: new Date(until).toISOString(), ...totalsOf(own, token.symbol), own }
  }
  const within = (of: number, until: number) => ({
    outcomes: all.outcomes.filter(({ window }) => window >= of && window < until),
    settled: all.settled.filter(({ window }) => window >= of && window < until),
  })
  const now = within(days.length, 2 * days.length)
  return {
    zone,
    at: new Date(clock.now).toISOString(),
    more,
    asset: token,
    /** The tokens that occur, USDC first: one figure has one of them. */
    assets: occur,
    days: days.map((day, at) => {
      const { own, ...rest } = shown(day, days.length + at)
      return { ...rest, networks: byNetwork(own.outcomes, token.symbol) }
    }),
    previous: previous.map((day, at) => {
      const { own: _, ...rest } = shown(day, at)
      return rest
    }),
    total: totalsOf(now, token.symbol),
    before: totalsOf(within(0, days.length), token.symbol),
    networks: byNetwork(now.outcomes, token.symbol),
    reasons: byReason(now.outcomes).map((row) => ({ ...row, title: reasonTitle(row.reason) })),
  }
}

type Own = { outcomes: readonly Outcome[]; settled: readonly BinCount[] }

function totalsOf({ outcomes, settled }: Own, symbol: string) {
  return { ...countsOf(outcomes, symbol), p50: percentileOf(merged(settled), 0.5), p95: percentileOf(merged(settled), 0.95) }
}

function merged(settled: readonly BinCount[]): BinCount[] {
  const counts = new Map<number, number>()
  for (const { bin, count } of settled) counts.set(bin, (counts.get(bin) ?? 0) + count)
  return [...counts].map(([bin, count]) => ({ bin, count }))
}

/** The payers of a period and what led in it. `without`: today, if it has too many rows; then nothing of today counts. */
export async function lists(
  app: Parts,
  scope: AnalyticsScope,
  { tenants, ...selection }: AnalyticsSelection & { tenants: boolean },
) {
  const clock = await readAnalyticsClock(app.db, scope.epoch)
  const period = periodOf(selection.range, selection.zone, clock.now)
  const networks = networksWithin(selection.within)
  const key = `lists ${JSON.stringify([scope.filter, selection, period.days[0], clock.today, clock.epoch, tenants])}`
  return app.recent(scope.reader, key, LISTS_MS, () => app.coalesce(scope.reader, key, read))

  async function read() {
    const today = Date.parse(clock.today)
    const span = spanOf(period.days)
    const windows = [{ from: today, until: today + DAY_MS }]
    const without = isLive(period, clock) && (await sumToday(app, { filter: scope.filter, networks, windows }, clock)).more
    const counted = without ? { ...span, until: Math.max(span.from, today) } : span
    const {
      resources,
      tenants: led,
      ...found
    } = await readLists(app.sums, {
      filter: scope.filter,
      networks,
      symbol: selection.asset,
      span: counted,
      earlier: spanOf(period.previous),
      tenants,
    })
    return {
      ...found,
      resources: resources.map(({ payTo, ...row }) => ({ ...row, payTo: displayAddress(payTo) })),
      tenants: led.map((row) => ({ ...row, owner: displayOwner(row.ownerKind, row.owner) })),
      without: without ? clock.today : null,
    }
  }
}

/** Who led among the newest settlements of a period. `more`: the period has older ones, which do not count. */
export async function topPayers(app: Parts, scope: AnalyticsScope, selection: AnalyticsSelection) {
  const clock = await readAnalyticsClock(app.db, scope.epoch)
  const span = spanOf(periodOf(selection.range, selection.zone, clock.now).days)
  const query = { filter: scope.filter, networks: networksWithin(selection.within), symbol: selection.asset, span }
  const key = `payers ${JSON.stringify([query, clock.epoch])}`
  const { payers, more } = await app.recent(scope.reader, key, LISTS_MS, () =>
    app.coalesce(scope.reader, key, () => readTopPayers(app.sums, query, COUNTED_MAX)),
  )
  return { payers: payers.map((row) => ({ ...row, payer: displayAddress(row.payer) })), more, counted: COUNTED_MAX }
}

/** How many payers each UTC day of a period had, and each day of the period before. */
export async function dailyPayers(app: Parts, scope: AnalyticsScope, selection: AnalyticsSelection) {
  const clock = await readAnalyticsClock(app.db, scope.epoch)
  const { days, previous } = periodOf(selection.range, 'UTC', clock.now)
  const [first, last] = [previous[0]?.day ?? clock.today, days.at(-1)?.day ?? clock.today]
  const query = {
    filter: scope.filter,
    networks: networksWithin(selection.within),
    symbol: selection.asset,
    first,
    end: dateAfter(last, 1),
  }
  const key = `daily payers ${JSON.stringify([query, clock.epoch])}`
  const counted = await app.recent(scope.reader, key, LISTS_MS, () =>
    app.coalesce(scope.reader, key, () => countDailyPayers(app.sums, query)),
  )
  const payers = new Map(counted.map((row) => [row.day, row.payers]))
  const shown = ({ day, from, until }: ZoneDay) => ({
    day,
    from: new Date(from).toISOString(),
    until: new Date(until).toISOString(),
    payers: payers.get(day) ?? 0,
  })
  return { days: days.map(shown), previous: previous.map(shown) }
}
