import { chargingKeysOf, type Owner, type TenantFilter } from '../accounts/tenant-queries'
import type { App } from '../app'
import { dateAfter, zoneDays } from '../base/zones'
import { type Places, sumWithPlaces } from '../sums/list-queries'
import { spanOf } from '../sums/periods'
import { readAnalyticsClock } from '../sums/sum-queries'
import { displayAddress } from '../x402/addresses'
import { bySymbol, type Token, tokenNamed, USDC } from '../x402/networks/assets'
import { type Environment, isNetworkId, type NetworkId, networksIn } from '../x402/networks/networks'
import { byNetwork, byReason, byWindow, countsOf, OUTCOMES, type Outcome, volumeOf } from './outcomes'

/** The available windows, in days. */
export const analyticsDays = [7, 30, 90] as const

export type AnalyticsDays = (typeof analyticsDays)[number]

/**
 * The tenants to sum: `filter` selects their rows, `epoch` names the counter whose change invalidates the sums. `reader` names whose share
 * of the slots they take (`readerOf`).
 */
export type AnalyticsScope = { filter: TenantFilter; epoch: string; reader: string }

/** A merchant's own keys. */
export function merchantScope(owner: Owner, reader: string): AnalyticsScope {
  return { filter: { owner: chargingKeysOf(owner) }, epoch: `owner:${owner.kind}:${owner.id}`, reader }
}

/** The admin's choice: all tenants, an owner's, or one tenant. */
export function adminScope(filter: TenantFilter, reader: string): AnalyticsScope {
  return { filter, epoch: 'all', reader }
}

/** Figures of one network, or of all networks of an environment. */
export type Narrowing = NetworkId | Environment

/** Analytics as the API shows them. */
type Analytics = ReturnType<typeof presentAnalytics>

type Parts = Pick<App, 'db' | 'sums' | 'coalesce' | 'recent'>

/** Completed days change with the epoch only, which is part of their key. */
export const COMPLETED_MS = 3_600_000

const BY = { outcomes: OUTCOMES } as const

/**
 * The analytics of the last completed UTC days, on all networks, in an environment or on one network. Counts are of all tokens and volumes
 * of USDC, or all of one token by its symbol. Kept until the day ends or its data changes.
 */
export async function analytics(
  { db, sums, coalesce, recent }: Parts,
  scope: AnalyticsScope,
  days: AnalyticsDays,
  { within, asset }: { within?: Narrowing | undefined; asset?: string | undefined } = {},
): Promise<Analytics> {
  const clock = await readAnalyticsClock(db, scope.epoch)
  const key = `analytics ${JSON.stringify([scope.filter, days, within, asset, clock.today, clock.epoch])}`
  const of = { filter: scope.filter, networks: within && networksWithin(within), symbol: asset }
  const windows = zoneDays('UTC', dateAfter(clock.today, -2 * days), 2 * days)
  const [earlier, span] = [spanOf(windows.slice(0, days)), spanOf(windows.slice(days))]
  // Rows of the last day may still be uncommitted: such sums are not kept.
  return recent(scope.reader, key, clock.settled ? COMPLETED_MS : 0, () =>
    coalesce(scope.reader, key, async () => {
      const completed = { ...of, windows, until: clock.today }
      const { sums: summed, lists } = await sumWithPlaces(sums, completed, BY, { ...of, span, earlier })
      return presentAnalytics(summed.outcomes, lists, { days, end: clock.today, token: tokenNamed(asset ?? USDC.symbol) })
    }),
  )
}

/** The networks of an environment, or the one network. */
export function networksWithin(within: Narrowing): NetworkId[] {
  return isNetworkId(within) ? [within] : networksIn(within)
}

/** This many resources are listed. */
const TOP_RESOURCES = 10

/** Our own reason codes, a few dozen. */
const REASONS_MAX = 200

type Shown = { days: AnalyticsDays; end: string; token: Token }

function presentAnalytics(outcomes: readonly Outcome[], lists: Places, { days, end, token }: Shown) {
  const start = dateAfter(end, -days)
  const [current, past] = [outcomes.filter(({ window }) => window >= days), outcomes.filter(({ window }) => window < days)]
  const period = { ...countsOf(current, token.symbol), payers: lists.payers }
  const previous = { ...countsOf(past, token.symbol), payers: lists.before }
  return {
    summary: {
      total_settlements: totalOf(period),
      successful_settlements: period.settled,
      failed_settlements: period.failed,
      success_rate: rateOf(period),
      total_volume_atomic: period.volume,
      unique_payers: period.payers,
      ...earlierOf(previous),
    },
    asset: token.symbol,
    decimals: token.decimals,
    volumes: volumesOf(current),
    timeseries: [...byWindow(current)]
      .toSorted(([one], [other]) => one - other)
      .map(([window, own]) => {
        const { settled, failed, volume } = countsOf(own, token.symbol)
        const date = dateAfter(start, window - days)
        return { date, success_count: settled, failed_count: failed, total_volume_atomic: volume }
      }),
    top_resources: lists.resources.slice(0, TOP_RESOURCES).map(({ resource, payTo, network, count, good, volume }) => ({
      resource,
      pay_to: displayAddress(payTo),
      network,
      settlement_count: count,
      success_count: good,
      total_volume_atomic: volume,
    })),
    errors: byReason(current)
      .slice(0, REASONS_MAX)
      .map(({ reason, count }) => ({ error_reason: reason, count })),
    networks: byNetwork(current, token.symbol)
      .map(({ network, settled, failed, volume }) => ({ network, count: settled + failed, total_volume_atomic: volume }))
      .toSorted((a, b) => b.count - a.count),
    period: { start_date: start, end_date: end, days, timezone: 'UTC' as const },
  }
}

/** The volume of each token that succeeded, USDC first. */
function volumesOf(outcomes: readonly Outcome[]) {
  const good = outcomes.filter(({ reason }) => reason === '')
  return [...new Set(good.map(({ symbol }) => symbol))].toSorted(bySymbol).map((symbol) => ({
    asset: symbol,
    decimals: tokenNamed(symbol).decimals,
    volume_atomic: volumeOf(good.filter((row) => row.symbol === symbol)),
  }))
}

type Counts = { settled: number; failed: number; volume: string }

function earlierOf(previous: Counts & { payers: number }) {
  const known = totalOf(previous) > 0
  return {
    prev_total_settlements: known ? totalOf(previous) : null,
    prev_success_rate: known ? rateOf(previous) : null,
    prev_total_volume_atomic: known ? previous.volume : null,
    prev_unique_payers: known ? previous.payers : null,
  }
}

const totalOf = ({ settled, failed }: Counts) => settled + failed

const rateOf = (counts: Counts) => (totalOf(counts) === 0 ? 0 : counts.settled / totalOf(counts))
