import type { AnalyticsDays } from '../../../server/analytics/analytics'
import { DAY_MS } from '../../../server/base/durations'
import type { Db } from '../../../server/db/database'
import { displayAddress } from '../../../server/x402/addresses'

/** A row of history, as it is stored. */
export type Stored = Awaited<ReturnType<Db['history']['findMany']>>[number]

/** The analytics of the rows, computed row by row: of one token, or of all with the volume of USDC. */
export function naiveAnalytics(stored: Stored[], days: AnalyticsDays, end: number, asset?: string) {
  const all = stored.filter(({ symbol }) => asset === undefined || symbol === asset)
  const sumOf = (rows: Stored[], token: string) =>
    rows
      .filter(({ success, symbol }) => success && symbol === token)
      .reduce((sum, { amount }) => sum + BigInt(amount.toFixed(0)), 0n)
  const sum = (rows: Stored[]) => String(sumOf(rows, asset ?? 'USDC'))
  const rate = (rows: Stored[]) => (rows.length === 0 ? 0 : rows.filter(({ success }) => success).length / rows.length)
  const payers = (rows: Stored[]) => new Set(rows.map(({ payer }) => payer).filter(Boolean)).size
  const good = (rows: Stored[]) => rows.filter(({ success }) => success).length
  const within = (from: number, to: number) =>
    all.filter(({ createdAt }) => createdAt.getTime() >= from && createdAt.getTime() < to)
  const groups = (rows: Stored[], key: (row: Stored) => string) => {
    const by = new Map<string, Stored[]>()
    for (const row of rows) by.set(key(row), [...(by.get(key(row)) ?? []), row])
    return [...by]
  }
  const larger = ([one, a]: [string, Stored[]], [other, b]: [string, Stored[]]) => b.length - a.length || (one < other ? -1 : 1)
  const start = end - days * DAY_MS
  const [now, then] = [within(start, end), within(start - days * DAY_MS, start)]
  const iso = (at: number) => new Date(at).toISOString().slice(0, 10)
  return {
    summary: {
      total_settlements: now.length,
      successful_settlements: good(now),
      failed_settlements: now.length - good(now),
      success_rate: rate(now),
      total_volume_atomic: sum(now),
      unique_payers: payers(now),
      prev_total_settlements: then.length ? then.length : null,
      prev_success_rate: then.length ? rate(then) : null,
      prev_total_volume_atomic: then.length ? sum(then) : null,
      prev_unique_payers: then.length ? payers(then) : null,
    },
    asset: asset ?? 'USDC',
    decimals: 6,
    volumes: ['USDC', 'EURC', 'mUSD'].flatMap((token) => {
      const settled = now.some(({ success, symbol }) => success && symbol === token)
      return settled ? [{ asset: token, decimals: 6, volume_atomic: String(sumOf(now, token)) }] : []
    }),
    timeseries: groups(now, ({ createdAt }) => createdAt.toISOString().slice(0, 10))
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([date, rows]) => ({
        date,
        success_count: good(rows),
        failed_count: rows.length - good(rows),
        total_volume_atomic: sum(rows),
      })),
    top_resources: groups(now, ({ resource, payTo, network }) => [resource, payTo, network].join('\u0001'))
      .toSorted(larger)
      .slice(0, 10)
      .map(([key, rows]) => {
        const [resource, payTo = '', network] = key.split('\u0001')
        const counts = { settlement_count: rows.length, success_count: good(rows), total_volume_atomic: sum(rows) }
        return { resource, pay_to: displayAddress(payTo), network, ...counts }
      }),
    errors: groups(
      now.filter(({ success }) => !success),
      ({ errorReason }) => errorReason || 'unknown',
    )
      .toSorted(larger)
      .map(([error_reason, rows]) => ({ error_reason, count: rows.length })),
    networks: groups(now, ({ network }) => network)
      .toSorted(larger)
      .map(([network, rows]) => ({ network, count: rows.length, total_volume_atomic: sum(rows) })),
    period: { start_date: iso(start), end_date: iso(end), days, timezone: 'UTC' },
  }
}
