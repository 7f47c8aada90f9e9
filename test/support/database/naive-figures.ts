import { DAY_MS } from '../../../server/base/durations'
import type { Range, Span } from '../../../server/sums/periods'
import { displayAddress } from '../../../server/x402/addresses'
import { causeOf, codeOf } from '../../../server/x402/reasons/causes'
import type { Stored } from './naive-analytics'

const QUARTER_MS = 900_000

const after = (date: string, days: number) => new Date(Date.parse(date) + days * DAY_MS).toISOString().slice(0, 10)

/** The date of an instant, by the clock of a place. */
function dateOf(zone: string, at: Date): string {
  return new Intl.DateTimeFormat('en-CA', { timeZone: zone, year: 'numeric', month: '2-digit', day: '2-digit' }).format(at)
}

/** The dates of a range and of those it is compared with, oldest first. */
function datesOf(range: Range, zone: string, now: number): { dates: string[]; earlier: string[] } {
  const today = dateOf(zone, new Date(now))
  if ('month' in range) return datesOfMonth(range.month, today)
  const last = 'days' in range || range.to > today ? today : range.to
  const first = 'days' in range ? after(today, 1 - range.days) : range.from
  const dates = datesUpTo(first, last)
  return { dates, earlier: dates.map((date) => after(date, -dates.length)) }
}

function datesUpTo(first: string, last: string): string[] {
  const dates: string[] = []
  for (let date = first; date <= last; date = after(date, 1)) dates.push(date)
  return dates
}

// A month is compared with the month before, and a part of one with the same days of that month.
function datesOfMonth(month: string, today: string): { dates: string[]; earlier: string[] } {
  const inMonth = (of: string) => datesUpTo(`${of}-01`, after(`${of}-01`, 30)).filter((date) => date.startsWith(of))
  const dates = inMonth(month).filter((date) => date <= today)
  const before = inMonth(after(`${month}-01`, -1).slice(0, 7))
  return { dates, earlier: dates.at(-1) === today ? before.slice(0, dates.length) : before }
}

const good = (rows: Stored[]) => rows.filter(({ success }) => success)
const volumeOf = (rows: Stored[], token: string) =>
  good(rows).reduce((sum, { amount, symbol }) => (symbol === token ? sum + BigInt(amount.toFixed(0)) : sum), 0n)
const countsOf = (rows: Stored[], token: string) => ({
  settled: good(rows).length,
  failed: rows.length - good(rows).length,
  valid: rows.filter(isValid).length,
  volume: String(volumeOf(rows, token)),
})
// A payment that its payer made fail was never valid.
const isValid = ({ success, errorReason, settlementId, settleMs }: Stored) =>
  success || causeOf(codeOf(errorReason || 'unknown'), settlementId !== null || settleMs !== null) !== 'payer'
const payersOf = (rows: Stored[]) => new Set(rows.map(({ payer }) => payer).filter(Boolean)).size

/** A percentile of settle times within the bin of the true one: a quarter of an octave. */
function nearly(rows: Stored[], share: number): Span | null {
  const times = good(rows).flatMap(({ settleMs }) => settleMs ?? [])
  if (times.length === 0) return null
  const true_ = times.toSorted((a, b) => a - b)[Math.ceil(share * times.length) - 1] ?? 0
  return { from: true_ / 2 ** 0.25 - 1, until: true_ * 2 ** 0.25 + 1 }
}

/** The figures and lists of these rows with the volume of a token, computed row by row. `at` is the instant of the answer. */
export function naiveFigures(rows: Stored[], token: string, range: Range, zone: string, at: string) {
  const now = Date.parse(at)
  const { dates, earlier } = datesOf(range, zone, now)
  const dayOf = new Map<string, Stored[]>()
  for (const row of rows) {
    const date = dateOf(zone, row.createdAt)
    dayOf.set(date, [...(dayOf.get(date) ?? []), row])
  }
  const [today, yesterday] = [dateOf(zone, new Date(now)), earlier.at(-1) ?? '']
  // The last day before is compared up to the quarter of an hour that has passed today.
  const passed = Math.floor((now - beginOf(zone, today)) / QUARTER_MS) * QUARTER_MS
  const isCut = dates.at(-1) === today && dates.length === earlier.length
  const on = (date: string) => {
    const all = dayOf.get(date) ?? []
    if (!isCut || date !== yesterday) return all
    return all.filter(({ createdAt }) => createdAt.getTime() < beginOf(zone, date) + passed)
  }
  const [period, before] = [dates.flatMap(on), earlier.flatMap(on)]
  const groups = (key: (row: Stored) => string, of = period) => {
    const by = new Map<string, Stored[]>()
    for (const row of of) by.set(key(row), [...(by.get(key(row)) ?? []), row])
    return [...by]
  }
  const sumsOf = (of: Stored[]) => ({ count: of.length, good: good(of).length, volume: String(volumeOf(of, token)) })
  const sumsBefore = (key: (row: Stored) => string) => {
    const sums = new Map(groups(key, before).map(([name, of]) => [name, sumsOf(of)]))
    return (name: string) => sums.get(name) ?? sumsOf([])
  }
  const resourceOf = ({ resource }: Stored) => resource
  const tenantOf = ({ tenantId }: Stored) => tenantId
  const payerOf = ({ payer }: Stored) => displayAddress(payer)
  const reasonOf = (row: Stored) => (row.success ? '' : row.errorReason || 'unknown')
  const compared = (key: (row: Stored) => string) => {
    const then = sumsBefore(key)
    return groups(key).map(([name, of]) => [name, { ...sumsOf(of), before: then(name) }] as const)
  }
  return {
    days: dates.map((day) => ({ day, ...countsOf(on(day), token) })),
    previous: earlier.map((day) => ({ day, ...countsOf(on(day), token) })),
    total: countsOf(period, token),
    before: countsOf(before, token),
    times: { p50: nearly(period, 0.5), p95: nearly(period, 0.95) },
    networks: groups(({ network }) => network)
      .map(([network, of]) => ({ network, ...countsOf(of, token) }))
      .toSorted((a, b) => (a.network < b.network ? -1 : 1)),
    reasons: compared(reasonOf)
      .filter(([reason]) => reason)
      .map(([reason, { count, before: then }]) => ({ reason, count, before: then.count }))
      .toSorted((a, b) => b.count - a.count || (a.reason < b.reason ? -1 : 1)),
    payers: payersOf(period),
    payersBefore: payersOf(before),
    resources: new Map(
      compared(resourceOf).map(([name, sums]) => {
        const networks = new Set(period.filter(({ resource }) => resource === name).map(({ network }) => network))
        return [name, { ...sums, networks: [...networks].toSorted() }]
      }),
    ),
    tenants: new Map(compared(tenantOf)),
    topPayers: new Map(compared(payerOf)),
    payersByDay: dates.map((day) => ({ day, payers: payersOf(dayOf.get(day) ?? []) })),
  }
}

/** The first quarter of an hour of a date. */
function beginOf(zone: string, date: string): number {
  let at = Date.parse(date) - 15 * 4 * QUARTER_MS
  while (dateOf(zone, new Date(at)) < date) at += QUARTER_MS
  return at
}
