import { displayOwner } from '../accounts/present'
import type { App } from '../app'
import { sha256 } from '../base/hash'
import { heightsOf } from '../base/heights'
import { dateAfter, type ZoneDay } from '../base/zones'
import type { Statements } from '../db/statements'
import { countDailyPayers, readLists, readNewest, readTopPayers } from '../sums/list-queries'
import { edgesOf, type Period, periodOf, type Range, type Span, spanOf, utcPeriodOf } from '../sums/periods'
import {
  atOneMoment,
  type Clock,
  readAnalyticsClock,
  type SumQuery,
  type Sums,
  sumCompleted,
  sumNewest,
} from '../sums/sum-queries'
import { type BinCount, percentileOf } from '../sums/time-queries'
import { displayAddress } from '../x402/addresses'
import { bySymbol, tokenNamed, USDC } from '../x402/networks/assets'
import { reasonTitle } from '../x402/reasons/titles'
import { type AnalyticsScope, COMPLETED_MS, type Narrowing, networksWithin } from './analytics'
import { byNetwork, byReason, byWindow, countsOf, OUTCOMES, type Outcome } from './outcomes'

/**
 * What to show: a range of days of a time zone, in an environment or on one network, of a token by its symbol. Without one: of USDC, or of
 * the only token that occurs.
 */
export type AnalyticsSelection = { range: Range; zone: string; within: Narrowing; asset?: string | undefined }

type Parts = Pick<App, 'db' | 'sums' | 'coalesce' | 'counting' | 'recent'>

/** The maximum number of today's rows to count while a page loads. */
const COUNTED_MAX = 50_000

/** An answer of a busy day is kept for up to half a minute; one more settlement changes a quiet day more, so its answer is read again. */
const KEPT_MS_MAX = 30_000
const KEPT_MS_PER_ROW = 10

/** The figures of a token in a period with those of the period before. Today counts; `more`: its sums are a minimum. */
export async function figures(app: Parts, scope: AnalyticsScope, { asset, ...selection }: AnalyticsSelection) {
  const { clock, period, query, key } = selected(scope, selection, await readAnalyticsClock(app.db, scope.epoch))
  const [completed, today] = await Promise.all([
    keptSums(app, scope, key, clock, () => app.coalesce(scope.reader, key, () => completedOf(app.sums, query, clock))),
    isLive(period, clock) ? app.counting(scope.reader, key, () => sumToday(app.sums, query, clock)) : null,
  ])
  return presentFigures(period, completed, today, clock, asset)
}

/** Fewer attempts than this are shown one by one instead of as a chart. */
const FEW = 10

/** Parts of an answer that take longer, and are read only if asked for. */
type Wanted = { tenants: boolean; payersByDay: boolean }

/**
 * The figures of a period, who paid and what led in it, all as they were at one moment. `tenants`: the tenants that led too.
 * `payersByDay`: how many paid on each UTC day too. `newest`: the payments of a period with few of them. `latest`: when the newest payment
 * was, if neither this period nor the one before has any.
 */
export async function overview(app: Parts, scope: AnalyticsScope, { asset, ...selection }: AnalyticsSelection, wanted: Wanted) {
  const { key } = selected(scope, selection, await readAnalyticsClock(app.db, scope.epoch))
  const whole = `overview ${JSON.stringify([key, asset, wanted])}`
  return app.recent(scope.reader, whole, keptMsOf, () =>
    app.coalesce(scope.reader, whole, () =>
      atOneMoment(app.sums, async (db) => {
        // Read again, because an epoch may have ended meanwhile.
        const of = selected(scope, selection, await readAnalyticsClock(db, scope.epoch))
        const { clock, period, query } = of
        const completed = await keptSums(app, scope, of.key, clock, () => completedOf(db, query, clock))
        const today = isLive(period, clock) ? await sumToday(db, query, clock) : null
        const shown = presentFigures(period, completed, today, clock, asset)
        const listed = { ...query, symbol: shown.asset.symbol }
        // The same sums of the same days have the same lists.
        const same = `lists ${JSON.stringify([of.key, listed.symbol, wanted])} ${digestOf(today)}`
        const lists = await app.recent(scope.reader, same, KEPT_MS_MAX, async () => ({
          lists: await listsOf(db, listed, period, shown.more ? clock : null, wanted.tenants),
          topPayers: await topPayersOf(db, listed, period),
          dailyPayers: wanted.payersByDay ? await dailyPayersOf(db, listed, selection, clock) : null,
          newest: shown.few ? await newestOf(db, listed, spanOf(period.days)) : null,
          latest: isEmpty(shown) ? await latestOf(db, { ...query, symbol: asset }, clock) : null,
        }))
        return { figures: shown, ...lists }
      }),
    ),
  )
}

type Counts = { settled: number; failed: number }

const attemptsOf = ({ settled, failed }: Counts) => settled + failed

const isEmpty = ({ total, before }: { total: Counts; before: Counts }) => attemptsOf(total) + attemptsOf(before) === 0

const digestOf = (today: Today) => Buffer.from(sha256(JSON.stringify(today?.sums ?? null))).toString('hex')

type Overview = { figures: { days: readonly { settled: number; failed: number }[] } }

const keptMsOf = ({ figures: { days } }: Overview) => {
  const last = days.at(-1)
  return Math.min(KEPT_MS_MAX, KEPT_MS_PER_ROW * (last ? last.settled + last.failed : 0))
}

/** What a selection means at a moment. The key names its completed days. */
function selected(scope: AnalyticsScope, selection: Omit<AnalyticsSelection, 'asset'>, clock: Clock) {
  const period = periodOf(selection.range, selection.zone, clock.now)
  const windows = [...period.previous, ...period.days]
  const query = { filter: scope.filter, networks: networksWithin(selection.within), windows }
  const key = `figures ${JSON.stringify([scope.filter, selection, windows[0], period.previous.at(-1), clock.today, clock.epoch])}`
  return { clock, period, query, key }
}

// Rows of the last day may still be uncommitted: such sums are not kept.
const keptSums = (app: Parts, scope: AnalyticsScope, key: string, { settled }: Clock, sum: () => Promise<FigureSums>) =>
  app.recent(scope.reader, key, settled ? COMPLETED_MS : 0, sum)

const completedOf = (db: Statements, query: SumQuery, { today }: Clock) => sumCompleted(db, { ...query, until: today }, BY)

/** Sums the rows of the current UTC day, at most `COUNTED_MAX`. */
const sumToday = (db: Statements, query: SumQuery, { today }: Clock) =>
  sumNewest(db, { ...query, since: Date.parse(today) }, BY, COUNTED_MAX)

/** Whether a period has some of the current UTC day. */
const isLive = ({ days }: Period, { today }: Clock) => spanOf(days).until > Date.parse(today)

const BY = { outcomes: OUTCOMES, settled: ['symbol', 'bin'] } as const

type FigureSums = Sums<typeof BY>

type Today = { sums: FigureSums; more: boolean } | null

function presentFigures(
  { zone, days, previous }: Period,
  completed: FigureSums,
  today: Today,
  clock: Clock,
  asset: string | undefined,
) {
  const sums = [completed, ...(today ? [today.sums] : [])]
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
  const [now, then] = [within(previous.length, previous.length + days.length), within(0, previous.length)]
  const [total, before] = [totalsOf(now, token.symbol), totalsOf(then, token.symbol)]
  const failedBefore = new Map(byReason(then.outcomes).map(({ reason, count }) => [reason, count]))
  return {
    zone,
    at: new Date(clock.now).toISOString(),
    more: today?.more ?? false,
    asset: token,
    /** The tokens that occur, USDC first: one figure has one of them. */
    assets: occur,
    days: days.map((day, at) => {
      const { own, ...rest } = shown(day, previous.length + at)
      return { ...rest, networks: byNetwork(own.outcomes, token.symbol) }
    }),
    previous: previous.map((day, at) => {
      const { own: _, ...rest } = shown(day, at)
      return rest
    }),
    total,
    before,
    /** Whether there are so few payments, now and before, that each can be shown. */
    few: attemptsOf(total) > 0 && attemptsOf(total) < FEW && attemptsOf(before) < FEW,
    networks: byNetwork(now.outcomes, token.symbol),
    reasons: byReason(now.outcomes).map((row) => ({
      ...row,
      before: failedBefore.get(row.reason) ?? 0,
      title: reasonTitle(row.reason),
    })),
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

type ListedQuery = SumQuery & { networks: readonly string[]; symbol: string }

/** The most steps of a course: one for each day of a month. */
const STEPS_MAX = 31

/** The payers of a period and what led in it. `without`: today, if it has too many rows; then nothing of today counts. */
async function listsOf(db: Statements, query: ListedQuery, period: Period, without: Clock | null, tenants: boolean) {
  const span = spanOf(period.days)
  const counted = without ? { ...span, until: Math.max(span.from, Date.parse(without.today)) } : span
  const { filter, networks, symbol } = query
  const days = edgesOf([counted]).days.length
  const stepDays = Math.ceil(days / STEPS_MAX) || 1
  const steps = Math.ceil(days / stepDays)
  const of = { filter, networks, symbol, span: counted, earlier: spanOf(period.previous) }
  const found = await readLists(db, of, { tenants, stepDays })
  // A period without its last day is compared with none.
  const comparable = <Row extends { before: object | null }>(row: Row): Row => (without ? { ...row, before: null } : row)
  return {
    ...found,
    resources: found.resources.map(({ course, ...row }) => ({ ...comparable(row), course: heightsOf(volumesOf(course, steps)) })),
    tenants: found.tenants.map((row) => ({ ...comparable(row), owner: displayOwner(row.ownerKind, row.owner) })),
    without: without?.today ?? null,
  }
}

/** The volumes of a course, oldest first. */
const volumesOf = (course: Record<string, string>, steps: number): bigint[] =>
  Array.from({ length: steps }, (_, at) => BigInt(course[steps - 1 - at] ?? 0))

/** Who led among the newest settlements of a period. `more`: the period has older ones, which do not count. */
async function topPayersOf(db: Statements, query: ListedQuery, { days, previous }: Period) {
  const of = { ...query, span: spanOf(days), earlier: spanOf(previous) }
  const { payers, more } = await readTopPayers(db, of, COUNTED_MAX)
  return { payers: payers.map((row) => ({ ...row, payer: displayAddress(row.payer) })), more, counted: COUNTED_MAX }
}

/** The newest payments of a span, which has few. */
async function newestOf(db: Statements, query: ListedQuery, span: Span) {
  const rows = await readNewest(db, { ...query, span }, FEW)
  return rows.map(({ createdAt, payer, errorReason, success, ...row }) => ({
    ...row,
    success,
    at: createdAt.toISOString(),
    decimals: tokenNamed(row.symbol).decimals,
    payer: displayAddress(payer),
    reasonTitle: success ? null : reasonTitle(errorReason ?? 'unknown'),
  }))
}

/** When the newest payment was; null without any. */
async function latestOf(db: Statements, query: Omit<ListedQuery, 'symbol'> & { symbol: string | undefined }, { now }: Clock) {
  const [row] = await readNewest(db, { ...query, span: { from: 0, until: now } }, 1)
  return row?.createdAt.toISOString() ?? null
}

type Selected = Pick<AnalyticsSelection, 'range' | 'zone'>

/** How many payers each UTC day of a period had, and each day of the period before. */
async function dailyPayersOf(db: Statements, query: ListedQuery, { range, zone }: Selected, { now, today }: Clock) {
  const { days, previous } = utcPeriodOf(range, zone, now)
  const [first, last] = [previous[0]?.day ?? today, days.at(-1)?.day ?? today]
  const counted = await countDailyPayers(db, { ...query, first, end: dateAfter(last, 1) })
  const payers = new Map(counted.map((row) => [row.day, row.payers]))
  const shown = ({ day, from, until }: ZoneDay) => ({
    day,
    from: new Date(from).toISOString(),
    until: new Date(until).toISOString(),
    payers: payers.get(day) ?? 0,
  })
  return { days: days.map(shown), previous: previous.map(shown) }
}
