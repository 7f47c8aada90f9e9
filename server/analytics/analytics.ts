import { chargingKeysOf, type Owner, type TenantFilter } from '../accounts/tenant-queries'
import type { App } from '../app'
import { type AnalyticsSums, type Sums, sumUp } from '../sums/sum-queries'
import { displayAddress } from '../x402/addresses'
import { bySymbol, type Token, tokenNamed, USDC } from '../x402/networks/assets'
import { type Environment, isNetworkId, type NetworkId, networksIn } from '../x402/networks/networks'
import { readAnalyticsState, saveMemo } from './queries'

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
export type Analytics = ReturnType<typeof presentAnalytics>

/**
 * The analytics of the last completed UTC days, on all networks, in an environment or on one network. Counts are of all tokens and volumes
 * of USDC, or all of one token by its symbol. Cached in the database for every process until the day ends or its data changes.
 */
export async function analytics(
  { db, sums, coalesce }: Pick<App, 'db' | 'sums' | 'coalesce'>,
  scope: AnalyticsScope,
  days: AnalyticsDays,
  { within, asset }: { within?: Narrowing | undefined; asset?: string | undefined } = {},
): Promise<Analytics> {
  // No network's id and no symbol holds a blank.
  const key = { scope: JSON.stringify(scope.filter), days, network: `${within ?? ''} ${asset ?? ''}` }
  const { memo, ...state } = await readAnalyticsState(db, scope.epoch, key)
  if (memo !== null) return memo as Analytics
  return coalesce(scope.reader, JSON.stringify([key, state]), async () => {
    const summed = await sumUp(sums, scope.filter, {
      end: state.today,
      days,
      ...(within === undefined ? {} : { networks: networksWithin(within) }),
      ...(asset === undefined ? {} : { symbol: asset }),
    })
    const answer = presentAnalytics(summed, state.today, days, tokenNamed(asset ?? USDC.symbol))
    // Rows of the last day may still be uncommitted: its sums are not cached.
    if (state.settled) await saveMemo(db, key, state, answer)
    return answer
  })
}

/** The networks of an environment, or the one network. */
export function networksWithin(within: Narrowing): NetworkId[] {
  return isNetworkId(within) ? [within] : networksIn(within)
}

function presentAnalytics(
  { period, previous, volumes, ...lists }: AnalyticsSums,
  today: string,
  days: AnalyticsDays,
  token: Token,
) {
  return {
    summary: {
      total_settlements: period.count,
      successful_settlements: period.good,
      failed_settlements: period.count - period.good,
      success_rate: rateOf(period),
      total_volume_atomic: period.volume,
      unique_payers: period.payers,
      ...earlier(previous),
    },
    asset: token.symbol,
    decimals: token.decimals,
    volumes: volumesOf(volumes),
    timeseries: lists.days.map(({ day, count, good, volume }) => {
      return { date: day, success_count: good, failed_count: count - good, total_volume_atomic: volume }
    }),
    top_resources: lists.resources.map(({ resource, payTo, network, count, good, volume }) => ({
      resource,
      pay_to: displayAddress(payTo),
      network,
      settlement_count: count,
      success_count: good,
      total_volume_atomic: volume,
    })),
    errors: lists.reasons.map(({ reason, count }) => ({ error_reason: reason, count })),
    networks: lists.networks.map(({ network, count, volume }) => ({ network, count, total_volume_atomic: volume })),
    period: { start_date: daysBefore(today, days), end_date: today, days, timezone: 'UTC' as const },
  }
}

/** The volume of each token, USDC first. */
function volumesOf(volumes: AnalyticsSums['volumes']) {
  return volumes
    .toSorted((one, other) => bySymbol(one.symbol, other.symbol))
    .map(({ symbol, volume }) => ({ asset: symbol, decimals: tokenNamed(symbol).decimals, volume_atomic: volume }))
}

function earlier(previous: AnalyticsSums['previous']) {
  const known = previous.count > 0
  return {
    prev_total_settlements: known ? previous.count : null,
    prev_success_rate: known ? rateOf(previous) : null,
    prev_total_volume_atomic: known ? previous.volume : null,
    prev_unique_payers: known ? previous.payers : null,
  }
}

const rateOf = ({ count, good }: Sums) => (count === 0 ? 0 : good / count)

function daysBefore(day: string, count: number): string {
  return new Date(Date.parse(day) - count * 86_400_000).toISOString().slice(0, 10)
}
