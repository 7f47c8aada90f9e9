import type { TenantFilter } from '../accounts/tenant-queries'
import { networksWithin } from '../analytics/analytics'
import type { AnalyticsSelection } from '../analytics/figures'
import type { App } from '../app'
import { spanOf, utcPeriodOf } from '../sums/periods'
import { environmentOf, isNetworkId } from '../x402/networks/networks'
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
  return { gas, sold }
}
