import { z } from 'zod'
import type { App, AppConfig } from '../app'
import { wireNames } from '../http/schemas'
import { displayAddress } from '../x402/addresses'
import { displayAmount } from '../x402/networks/amounts'
import { USDC } from '../x402/networks/assets'
import { type Finality, finalities } from '../x402/networks/finality'
import type { ChangeRow } from './change-queries'
import { limitsOf, type OwnKey } from './own-keys'
import { isPlan, plans, soldPlans } from './plans'
import type { OwnTenant, TenantRow } from './tenant-queries'
import type { WithSecret } from './tenants'
import type { WalletKey } from './wallet-keys'

/** A tenant ready for JSON: times in ISO 8601, amounts as digits, addresses in their display form. */
function presentTenant(tenant: TenantRow) {
  const { id, ownerKind, ownerId, plan, name, historyEnabled, rps, settlementQuota, verificationQuota } = tenant
  return {
    id,
    ownerKind,
    ownerId,
    plan,
    name,
    historyEnabled,
    rps,
    settlementQuota,
    verificationQuota,
    allowedNetworks: tenant.allowedNetworks,
    payToAllow: tenant.payToAllow.map(displayAddress),
    maxAmount: tenant.maxAmount?.toFixed(0) ?? null,
    shareTransactions: tenant.shareTransactions,
    waitUntil: waitUntilIn(tenant),
    publicReceipts: tenant.publicReceipts,
    secondChargeSeconds: tenant.secondChargeSeconds,
    claimAbove: tenant.claimAbove?.toFixed(0) ?? null,
    claimAfterSeconds: tenant.claimAfterSeconds,
    claimMaxGasPrice: tenant.claimMaxGasPrice?.toFixed(0) ?? null,
    createdAt: tenant.createdAt.toISOString(),
    revokedAt: tenant.revokedAt?.toISOString() ?? null,
    keys: tenant.keys.map((key) => ({
      id: key.id,
      prefix: key.prefix,
      createdAt: key.createdAt.toISOString(),
      lastUsedAt: key.lastUsedAt?.toISOString() ?? null,
      graceUntil: key.graceUntil?.toISOString() ?? null,
    })),
  }
}

const waitUntilIn = ({ waitUntil }: TenantRow): Finality | null => finalities.find((one) => one === waitUntil) ?? null

/** A tenant as the admin API sends it: null where a list allows all. */
export function wireTenant(tenant: TenantRow) {
  const { keys, payToAllow, allowedNetworks, ...fields } = presentTenant(tenant)
  return {
    ...wireNames(fields),
    allowed_networks: orNull(allowedNetworks),
    pay_to_allow: orNull(payToAllow),
    keys: keys.map(wireNames),
  }
}

/** A tenant as the admin API sends it, with its new key. */
export function wireTenantWithKey({ tenant, key, secret }: WithSecret) {
  return { ...wireTenant(tenant), api_key: secret, prefix: key.prefix }
}

/** A key as its owner's API sends it, with its new secret and its facilitator URL. */
export function wireOwnKeyWithSecret(app: Pick<App, 'config'>, made: WithSecret) {
  return { ...wireTenantWithKey(made), endpoint: endpointsOf(app, made.secret).endpoint }
}

/** A tenant as its owner's dashboard shows it. */
export function presentOwnKey(row: TenantRow) {
  const tenant = presentTenant(row)
  const { id, name, plan, historyEnabled, allowedNetworks, payToAllow, maxAmount, createdAt, revokedAt, keys } = tenant
  const { shareTransactions, waitUntil, publicReceipts, secondChargeSeconds } = tenant
  const { claimAbove, claimAfterSeconds, claimMaxGasPrice } = tenant
  const maxUsdc = maxAmount === null ? null : displayAmount(BigInt(maxAmount), USDC.decimals)
  return {
    id,
    name,
    plan,
    historyEnabled,
    allowedNetworks,
    payToAllow,
    maxAmount,
    maxUsdc,
    createdAt,
    revokedAt,
    // Those that work: an earlier one stays stored for a while after its end.
    secrets: keys.filter(({ graceUntil }) => graceUntil === null || Date.parse(graceUntil) > Date.now()),
    shareTransactions,
    waitUntil,
    publicReceipts,
    secondChargeSeconds,
    claimAbove,
    claimAfterSeconds,
    claimMaxGasPrice,
    ownQuota: row.ownQuota,
  }
}

/** A key as its owner sees it, with its monthly quota. */
export function presentOwnKeyWithQuota({ tenant, quota: { settlementsLeft, limit, resetAt } }: OwnKey) {
  return { ...presentOwnKey(tenant), quota: { left: settlementsLeft, limit, resetAt } }
}

/** A key with all that its own page shows. */
export function presentWholeKey(key: OwnKey) {
  const { verifications, requestsPerSecond } = limitsOf(key.tenant)
  return {
    ...presentOwnKeyWithQuota(key),
    verifications: { left: key.quota.verificationsLeft, limit: verifications },
    requestsPerSecond,
  }
}

/** The settings of a tenant for an administrator: its own limits (null: the plan's) and those of its plan. */
export function presentTenantSettings(row: TenantRow) {
  const { rps, settlementQuota, verificationQuota } = row
  const { requestsPerSecond, settlements, verifications } = isPlan(row.plan) ? plans[row.plan] : plans.free
  const ofPlan = { rps: requestsPerSecond, settlementQuota: settlements, verificationQuota: verifications }
  return { ...presentOwnKey(row), limits: { rps, settlementQuota, verificationQuota }, ofPlan }
}

/** A tenant as the admin dashboard lists it. */
export function presentListedTenant(row: TenantRow) {
  const { id, ownerKind, ownerId, plan, name, historyEnabled, createdAt, revokedAt, keys } = presentTenant(row)
  const used = keys.map(({ lastUsedAt }) => lastUsedAt ?? '').sort()
  const owner = displayOwner(ownerKind, ownerId)
  return { id, ownerKind, ownerId: owner, plan, name, historyEnabled, createdAt, revokedAt, lastUsedAt: used.at(-1) || null }
}

/**
 * A change of a tenant for screens: who made it (null: unknown) and each changed field. An amount is digits, a list is a list. `subject` is
 * the administrator's.
 */
export function presentChange({ id, at, by, what }: ChangeRow) {
  const [kind = '', ...subject] = by?.split(' ') ?? []
  return {
    id: id.toString(),
    at: at.toISOString(),
    by: kind === 'owner' || kind === 'operator' ? kind : null,
    subject: subject.join(' ') || null,
    fields: Object.entries(what).map(([field, [from, to]]) => ({ field, from: valueIn(field, from), to: valueIn(field, to) })),
  }
}

/** The same for the owner, who does not see which administrator it was. */
export function presentOwnChange(row: ChangeRow) {
  return { ...presentChange(row), subject: null }
}

// The log holds lists as JSON.
const loggedList = z.array(z.string())

function valueIn(field: string, text: string | null): string | string[] | null {
  if (text === null || (field !== 'allowedNetworks' && field !== 'payToAllow')) return text
  return loggedList.parse(JSON.parse(text)).map(displayAddress)
}

/** An owner for display: wallets as addresses are displayed, others unchanged. */
export function displayOwner(kind: string, id: string): string {
  return kind === 'wallet' ? displayAddress(id) : id
}

/** The settings that owners change themselves, as the API sends them. */
export function wireOwnTenant({ allowedNetworks, id, name, plan, historyEnabled }: OwnTenant) {
  return { ...wireNames({ id, name, plan, historyEnabled }), allowed_networks: orNull(allowedNetworks) }
}

/** The plans that merchants can have; the price in US dollars a month, null without a public price. */
export function presentPlans({ planPrices, planContact }: Pick<AppConfig, 'planPrices' | 'planContact'>) {
  const rows = soldPlans.map((name) => {
    const { settlements, verifications, requestsPerSecond, flash } = plans[name]
    return {
      name,
      settlements,
      verifications,
      requestsPerSecond,
      flash,
      price: name === 'free' ? '0' : (planPrices.get(name) ?? null),
    }
  })
  return { plans: rows, contact: planContact }
}

/** The facilitator URL of a key and its main routes. Anyone with the URL can spend the credits. */
export function endpointsOf({ config }: Pick<App, 'config'>, secret: string) {
  const endpoint = `${config.baseUrl}/v1/${secret}`
  return { endpoint, endpoints: { settle: `${endpoint}/settle`, verify: `${endpoint}/verify` } }
}

/** A wallet's key as the API lists it. */
export function wireWalletKey({ id, prefix, plan, name, payTo, allowedNetworks, createdAt, lastUsedAt, revokedAt }: WalletKey) {
  return {
    id,
    prefix,
    plan,
    name,
    pay_to: payTo && displayAddress(payTo),
    allowed_networks: orNull(allowedNetworks),
    created_at: createdAt.toISOString(),
    last_used_at: lastUsedAt?.toISOString() ?? null,
    revoked_at: revokedAt?.toISOString() ?? null,
  }
}

/** A wallet's new key as the API sends it. */
export function wireNewWalletKey(app: Pick<App, 'config'>, { tenant, key, secret }: WithSecret) {
  const { id, plan, name, ownerId, allowedNetworks } = tenant
  return {
    api_key: secret,
    key_id: id,
    prefix: key.prefix,
    ...endpointsOf(app, secret),
    plan,
    name,
    pay_to: displayAddress(ownerId),
    allowed_networks: orNull(allowedNetworks),
  }
}

const orNull = <T>(list: readonly T[]): T[] | null => (list.length > 0 ? [...list] : null)
