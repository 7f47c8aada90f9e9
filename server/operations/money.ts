import type { TenantFilter } from '../accounts/tenant-queries'
import { networksWithin } from '../analytics/analytics'
import type { AnalyticsSelection } from '../analytics/figures'
import type { App } from '../app'
import { spanOf, utcPeriodOf } from '../sums/periods'
import { coinUsdOf, microUsdOf } from '../x402/networks/coin-prices'
import { environmentOf, isNetworkId, networkRow } from '../x402/networks/networks'
import { readCreditSales, readGas } from './queries'

/**
 * What settling cost on the UTC days of a period, and what we sold: gas by network in its smallest unit, and credits in atomic units of
 * USDC. Credits belong to wallets, so a single tenant has none (null). Plans have no price here.
 */
export async function money(app: Pick<App, 'db' | 'now'>, filter: TenantFilter, { range, zone, within }: AnalyticsSelection) {
  const { days } = utcPeriodOf(range, zone, app.now().getTime())
  const networks = networksWithin(within)
  const environment = isNetworkId(within) ? environmentOf(within) : within
  const [gas, sold] = await Promise.all([
    readGas(app.db, { filter, networks, first: days[0]?.day ?? '', last: days.at(-1)?.day ?? '' }),
    filter.tenantId ? null : readCreditSales(app.db, { wallet: filter.owner?.id ?? null, environment, ...spanOf(days) }),
  ])
  return { gas: gas.map((row) => ({ ...row, usd: gasUsd([row])?.toString() ?? null })), sold }
}

/**
 * What gas costs in millionths of a US dollar at the prices of its coins (`coin-prices.ts`, `coinUsd` of a row); null where no coin has
 * one, as on testnets.
 */
export function gasUsd(gas: readonly { network: string; spent: string }[]): bigint | null {
  const priced = gas.flatMap(({ network, spent }) => {
    const row = isNetworkId(network) ? networkRow(network) : null
    const coinUsd = row && coinUsdOf(row)
    return row && coinUsd ? [microUsdOf(BigInt(spent), coinUsd, row.coin.decimals)] : []
  })
  return priced.length === 0 ? null : priced.reduce((sum, one) => sum + one, 0n)
}
