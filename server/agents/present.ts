import { wireOwnTenant } from '../accounts/present'
import type { OwnTenant } from '../accounts/tenant-queries'
import { wireNames } from '../http/schemas'
import { displayAddress } from '../x402/addresses'
import type { Balance, Credits } from './credits'

/** A balance ready for JSON. */
export function presentBalance({ tenant, lastPurchase, ...has }: Balance) {
  const keys = tenant && !tenant.revoked ? tenant.keys : []
  return {
    ...has,
    hasBought: tenant !== null,
    allowedNetworks: tenant?.allowedNetworks ?? [],
    historyEnabled: tenant?.historyEnabled ?? true,
    lastPurchase: lastPurchase && { ...lastPurchase, createdAt: lastPurchase.createdAt.toISOString() },
    keys: keys.map(({ id, prefix, createdAt, lastUsedAt }) => {
      return { id, prefix, createdAt: createdAt.toISOString(), lastUsedAt: lastUsedAt?.toISOString() ?? null }
    }),
  }
}

/** A balance as the API sends it (docs/api.md "Agents"). */
export function wireBalance(wallet: string, balance: Balance) {
  const { environment, credits, accounts, keys, allowedNetworks, historyEnabled, lastPurchase } = presentBalance(balance)
  return {
    wallet: displayAddress(wallet),
    plan: 'agent' as const,
    environment,
    ...wireCredits(credits),
    settlements_used: credits.used,
    keys: keys.map(wireNames),
    allowed_networks: allowedNetworks.length > 0 ? allowedNetworks : null,
    history_enabled: historyEnabled,
    last_purchase: lastPurchase && {
      created_at: lastPurchase.createdAt,
      network: lastPurchase.network,
      amount: lastPurchase.amount,
      credits: lastPurchase.credits,
      transaction: lastPurchase.txHash,
    },
    accounts: accounts.map(({ environment: of, ...row }) => ({ environment: of, ...wireCredits(row) })),
  }
}

function wireCredits({ left, used, purchased, verificationsUsed, verificationsLeft }: Credits) {
  return {
    credits_remaining: left,
    credits_used: used,
    credits_purchased: purchased,
    verifications_used: verificationsUsed,
    verifications_remaining: verificationsLeft,
  }
}

/** The settings of a wallet's keys as the API sends them: those of the newest key, and of each. */
export function wireConfig(wallet: string, tenants: [OwnTenant, ...OwnTenant[]]) {
  const { history_enabled, allowed_networks } = wireOwnTenant(tenants[0])
  return { wallet: displayAddress(wallet), history_enabled, allowed_networks, tenants: tenants.map(wireOwnTenant) }
}
