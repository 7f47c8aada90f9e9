import { parseUnits } from 'viem'
import { VERIFICATIONS_PER_CREDIT } from '../accounts/credit-price'
import { creditsLeft, type Quota } from '../accounts/metering'
import { limitsOf, quotaOf } from '../accounts/own-keys'
import { presentListedTenant, presentTenantSettings } from '../accounts/present'
import { type TenantChoice, type TenantRow, tenantsWithIds } from '../accounts/tenant-queries'
import { tenantOf } from '../accounts/tenants'
import type { App } from '../app'
import { sumCredits } from '../ledger/statements/credits'
import { sumSettled } from '../sums/key-activity-queries'
import { coinUsdOf } from '../x402/networks/coin-prices'
import { type Environment, type NetworkId, networkRow, networksIn } from '../x402/networks/networks'
import { gasUsd } from './money'
import type { TenantOrder } from './tenant-orders'
import { countSharers, rankTenants, readTenantGas } from './tenant-queries'

const PAGE = 50
const FIGURE_DAYS = 30

type Asked = TenantChoice & { within: Environment; order: TenantOrder; cursor: string | null }

/** A page of tenants for operators, each with its quota or credits and its figures of 30 days in an environment. */
export async function listedTenants(app: App, { within, order, cursor, ...choice }: Asked) {
  const networks = networksIn(within)
  const period = { days: FIGURE_DAYS, networks }
  const asked = { ...period, choice, order, weights: networks.map(weightOf), after: placeIn(cursor), limit: PAGE + 1 }
  const ranked = await rankTenants(app.sums, asked)
  const page = ranked.slice(0, PAGE)
  const rows = await tenantsWithIds(
    app.db,
    page.map(({ id }) => id),
  )
  const last = page.at(-1)
  return {
    tenants: rows.map(await rowsOf(app, rows, within)),
    cursor: last && ranked.length > PAGE ? `${last.value}~${last.id}` : null,
    /** Whether plans have prices, so that tenants have margins. */
    priced: pricedIn(app, within),
  }
}

/** So many tenants of a choice are summed at most, the newest ones. */
const SUMMED_MAX = 1_000

/** What the tenants of a choice came to in 30 days in an environment: the newest 1,000 of them. `more`: there are others. */
export async function tenantSums(app: App, { within, ...choice }: TenantChoice & { within: Environment }) {
  const period = { days: FIGURE_DAYS, networks: networksIn(within) }
  const limit = SUMMED_MAX + 1
  const found = await rankTenants(app.sums, { ...period, choice, order: 'newest', weights: [], after: null, limit })
  const ids = found.slice(0, SUMMED_MAX).map(({ id }) => id)
  const [settled, gas] = await Promise.all([sumSettled(app.sums, ids, period), readTenantGas(app.sums, ids, period)])
  const sums = [...settled.values()]
  return {
    tenants: ids.length,
    more: found.length > ids.length,
    settled: sums.reduce((total, { count }) => total + count, 0),
    /** USDC, atomic units. */
    volume: sums.reduce((total, { volume }) => total + BigInt(volume), 0n).toString(),
    /** Millionths of a US dollar; null if unknown or none. */
    gasUsd: gasUsd(gas)?.toString() ?? null,
  }
}

/** The form of a cursor: the value of the last tenant, and its id. */
export const TENANT_CURSOR = /^\d+(\.\d+)?~[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

function placeIn(cursor: string | null): { value: string; id: string } | null {
  const [value, id] = cursor?.split('~') ?? []
  return value && id ? { value, id } : null
}

/** One tenant for operators, as in the list, with its settings and secrets. Throws `not_found`. */
export async function tenantDetails(app: App, id: string, within: Environment) {
  const tenant = await tenantOf(app, id)
  const rowOf = await rowsOf(app, [tenant], within)
  return { ...rowOf(tenant), ...presentTenantSettings(tenant), priced: pricedIn(app, within) }
}

/** Reads the figures of these tenants, and returns what makes a row of each. */
async function rowsOf(app: App, tenants: readonly TenantRow[], within: Environment) {
  const ids = tenants.map(({ id }) => id)
  const period = { days: FIGURE_DAYS, networks: networksIn(within) }
  const wallets = tenants.flatMap(({ ownerKind, ownerId }) => (ownerKind === 'wallet' ? [ownerId] : []))
  const [settled, gas, quotas, credits, priceOf] = await Promise.all([
    sumSettled(app.sums, ids, period),
    readTenantGas(app.sums, ids, period),
    Promise.all(tenants.map(async (tenant) => [tenant.id, tenant.plan === 'agent' ? null : await quotaOf(app, tenant)] as const)),
    sumCredits(app.db, wallets),
    pricesOf(app, tenants, within),
  ])
  const quotaById = new Map(quotas)
  return (tenant: TenantRow) => {
    const quota = quotaById.get(tenant.id) ?? null
    const account = tenant.plan === 'agent' ? credits.get(tenant.ownerId) : undefined
    const { count = 0, volume = '0' } = settled.get(tenant.id) ?? {}
    const spent = gas.flatMap(({ tenantId, ...row }) => (tenantId === tenant.id ? [row] : []))
    const usd = gasUsd(spent)
    const price = priceOf(tenant)
    return {
      ...presentListedTenant(tenant),
      quota: quota && { used: quota.limit - quota.settlementsLeft, limit: quota.limit },
      credits: account ? { left: creditsLeft(account), bought: account.purchased } : null,
      /** Of this month, or those that came with the credits. */
      verifications: quota
        ? verificationsUsed(tenant, quota)
        : account && { used: account.verifications, limit: account.purchased * VERIFICATIONS_PER_CREDIT },
      settled: count,
      /** USDC, atomic units. */
      volume,
      gas: spent,
      /** Millionths of a US dollar: of its gas, and the price of its plan a month less its gas. */
      gasUsd: usd?.toString() ?? null,
      margin: price === null ? null : (price - (usd ?? 0n)).toString(),
    }
  }
}

function verificationsUsed(tenant: TenantRow, { verificationsLeft }: Pick<Quota, 'verificationsLeft'>) {
  const { verifications: limit } = limitsOf(tenant)
  return { used: limit - verificationsLeft, limit }
}

const pricedIn = ({ config }: App, within: Environment) => within === 'mainnet' && config.planPrices.size > 0

/** What each tenant pays a month in millionths of a US dollar; null where that is not known. Keys with one quota share one price. */
async function pricesOf(app: App, tenants: readonly TenantRow[], within: Environment) {
  if (!pricedIn(app, within)) return () => null
  const sharers = await countSharers(
    app.db,
    tenants.map(({ ownerKind, ownerId }) => ({ kind: ownerKind, id: ownerId })),
  )
  return ({ ownerKind, ownerId, plan, ownQuota, revokedAt }: TenantRow): bigint | null => {
    const price = plan === 'free' ? '0' : app.config.planPrices.get(plan)
    if (price === undefined || revokedAt !== null) return null
    const alike = sharers.find((one) => one.ownerKind === ownerKind && one.ownerId === ownerId && one.plan === plan)
    return parseUnits(price, USD_DECIMALS) / BigInt(ownQuota ? 1 : (alike?.count ?? 1))
  }
}

const USD_DECIMALS = 6
const MICRO = 1_000_000
/** More decimals than any coin has. */
const COIN_DECIMALS_MAX = 30

/** What the smallest unit of a network's coin weighs when tenants are ordered by gas. Test coins, which have no price, are alike. */
function weightOf(network: NetworkId): string {
  const row = networkRow(network)
  const coinUsd = coinUsdOf(row) ?? (row.testnet ? 1 : 0)
  return String(BigInt(Math.round(coinUsd * MICRO)) * 10n ** BigInt(COIN_DECIMALS_MAX - row.coin.decimals))
}
