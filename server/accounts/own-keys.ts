import type { App } from '../app'
import { ServiceError } from '../errors'
import { mintKey } from './keyring'
import type { Quota } from './metering'
import { readMonth } from './metering'
import { isPlan, type PlanName, plans } from './plans'
import { createOwnTenant, findTenant, listOwnTenants, type TenantRow, type TenantSettings } from './tenant-queries'
import { countKey, KEY_RATE, noOwnTenant, reconfigure, requireKeyRate, rotate, type WithSecret } from './tenants'

/** Live keys that a merchant may have made. */
export const OWN_KEYS_MAX = 10

/** A merchant's key with what is left of its month. */
export type OwnKey = { tenant: TenantRow; quota: Quota }

/** What a merchant may change about a key of its own. */
export type OwnSettings = Pick<TenantSettings, 'name' | 'historyEnabled' | 'allowedNetworks' | 'payToAllow' | 'maxAmount'>

/** Revoked keys that a merchant sees. */
export const REVOKED_SHOWN = 50

// Far above what a merchant may make; what an admin made for one owner beyond that is found at /admin/tenants.
const LIVE_SHOWN = 100

/** A merchant's keys: live ones first, then those revoked; newest first. */
export async function listOwnKeys(app: App, merchant: string): Promise<OwnKey[]> {
  const own = await listOwnTenants(app.db, ownerOf(merchant), { live: LIVE_SHOWN, revoked: REVOKED_SHOWN })
  return Promise.all(own.map(async (tenant) => ({ tenant, quota: await quotaOf(app, tenant) })))
}

/**
 * Makes a key of the plan free, which shares its quota with the owner's other ones. Throws `conflict` beyond ten live keys, `too_many` beyond
 * the rate.
 */
export async function makeOwnKey(app: App, merchant: string, name: string): Promise<WithSecret> {
  const { secret, ...key } = mintKey()
  const owner = ownerOf(merchant)
  const id = await createOwnTenant(app.db, { ...NEW, owner, name }, key, { most: OWN_KEYS_MAX, rate: KEY_RATE })
  if (id === null) await requireKeyRate(app, owner)
  if (id === null) throw new ServiceError('conflict', `you have ${OWN_KEYS_MAX} live keys; revoke one before you make another`)
  app.log.info({ tenantId: id }, 'a merchant made a key')
  return { tenant: await ownKey(app, merchant, id), key, secret }
}

/** Changes a key's settings, from its next payment on. Throws `not_found` for another's. */
export async function changeOwnKey(app: App, merchant: string, id: string, changes: Partial<OwnSettings>): Promise<TenantRow> {
  await ownKey(app, merchant, id)
  return reconfigure(app, id, changes)
}

/**
 * A new secret for a key; the earlier one works for so long more. Throws `not_found` for another's, `conflict` for a revoked one, `too_many`
 * beyond the rate.
 */
export async function rotateOwnKey(app: App, merchant: string, id: string, graceSeconds: number): Promise<WithSecret> {
  const { revokedAt } = await ownKey(app, merchant, id)
  if (revokedAt === null) await countKey(app, ownerOf(merchant))
  return rotate(app, id, graceSeconds)
}

/** Ends a key for good. Throws `not_found` for another's. */
export async function revokeOwnKey(app: App, merchant: string, id: string): Promise<TenantRow> {
  await ownKey(app, merchant, id)
  return reconfigure(app, id, { revoked: true })
}

/** One of a merchant's keys. Throws `not_found` for another's and for none: a tenant never changes its owner. */
async function ownKey(app: App, merchant: string, id: string): Promise<TenantRow> {
  const tenant = await findTenant(app.db, id)
  if (tenant && isOwn(tenant, merchant)) return tenant
  throw noOwnTenant()
}

const ownerOf = (merchant: string) => ({ kind: 'oidc', id: merchant })

const isOwn = ({ ownerKind, ownerId }: TenantRow, merchant: string) => ownerKind === 'oidc' && ownerId === merchant

const NEW = {
  plan: 'free' satisfies PlanName,
  ownQuota: false,
  historyEnabled: true,
  rps: null,
  settlementQuota: null,
  verificationQuota: null,
  allowedNetworks: [],
  payToAllow: [],
  maxAmount: null,
}

async function quotaOf(app: App, tenant: TenantRow): Promise<Quota> {
  const plan = isPlan(tenant.plan) ? plans[tenant.plan] : plans.free
  const subject = tenant.ownQuota ? `tenant:${tenant.id}` : `owner:${tenant.ownerKind}:${tenant.ownerId}:${tenant.plan}`
  const limits = {
    settlements: tenant.settlementQuota ?? plan.settlements,
    verifications: tenant.verificationQuota ?? plan.verifications,
  }
  return readMonth(app, limits, subject, 'settlement')
}
