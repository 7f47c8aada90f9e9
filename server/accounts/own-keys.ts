import type { App } from '../app'
import { ServiceError } from '../errors'
import { mintKey } from './keyring'
import type { Quota } from './metering'
import { readMonth } from './metering'
import { isPlan, type PlanName, plans } from './plans'
import { createOwnTenant, findTenant, listOwnTenants, type TenantRow, type TenantSettings } from './tenant-queries'
import { countKey, KEY_RATE, noOwnTenant, reconfigure, requireKeyRate, rotate, type WithSecret } from './tenants'

/** The maximum live keys of a merchant. */
export const OWN_KEYS_MAX = 10

/** A merchant's key with its monthly quota. */
export type OwnKey = { tenant: TenantRow; quota: Quota }

/** The settings that a merchant may change. */
export type OwnSettings = Pick<
  TenantSettings,
  'name' | 'historyEnabled' | 'allowedNetworks' | 'payToAllow' | 'maxAmount' | 'shareTransactions' | 'waitUntil'
>

/** What a merchant may limit when it creates a key. */
export type OwnLimits = Pick<OwnSettings, 'allowedNetworks' | 'payToAllow' | 'maxAmount'>

/** How many revoked keys a merchant sees. */
export const REVOKED_SHOWN = 50

// Admins can make more keys for one owner than the owner itself; /admin/tenants lists all of them.
const LIVE_SHOWN = 100

/** A merchant's keys: live ones first, then revoked ones, each newest first. */
export async function listOwnKeys(app: App, merchant: string): Promise<OwnKey[]> {
  const own = await listOwnTenants(app.db, ownerOf(merchant), { live: LIVE_SHOWN, revoked: REVOKED_SHOWN })
  return Promise.all(own.map(async (tenant) => ({ tenant, quota: await quotaOf(app, tenant) })))
}

/** Creates a key of the free plan, which shares its quota with the owner's other keys. Throws `conflict` beyond ten live keys, `too_many` beyond the rate. */
export async function makeOwnKey(app: App, merchant: string, name: string, limits: Partial<OwnLimits> = {}): Promise<WithSecret> {
  const { secret, ...key } = mintKey()
  const owner = ownerOf(merchant)
  const id = await createOwnTenant(app.db, { ...NEW, ...limits, owner, name }, key, { most: OWN_KEYS_MAX, rate: KEY_RATE })
  if (id === null) await requireKeyRate(app, owner)
  if (id === null) throw new ServiceError('conflict', `you have ${OWN_KEYS_MAX} live keys; revoke one before you create another`)
  app.log.info({ tenantId: id }, 'a merchant created a key')
  return { tenant: await ownKey(app, merchant, id), key, secret }
}

/** Changes a key's settings from its next payment on. Throws `not_found` for a key of another owner. */
export async function changeOwnKey(app: App, merchant: string, id: string, changes: Partial<OwnSettings>): Promise<TenantRow> {
  await ownKey(app, merchant, id)
  return reconfigure(app, id, changes)
}

/**
 * Gives a key a new secret; the earlier one stays valid for `graceSeconds`. Throws `not_found` for a key of another owner, `conflict` for a
 * revoked one, `too_many` beyond the rate.
 */
export async function rotateOwnKey(app: App, merchant: string, id: string, graceSeconds: number): Promise<WithSecret> {
  const { revokedAt } = await ownKey(app, merchant, id)
  if (revokedAt === null) await countKey(app, ownerOf(merchant))
  return rotate(app, id, graceSeconds)
}

/** Revokes a key permanently. Throws `not_found` for a key of another owner. */
export async function revokeOwnKey(app: App, merchant: string, id: string): Promise<TenantRow> {
  await ownKey(app, merchant, id)
  return reconfigure(app, id, { revoked: true })
}

/** One of a merchant's keys. Throws `not_found` for any other. The check holds: a tenant never changes its owner. */
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
  shareTransactions: true,
  waitUntil: null,
}

/** What is left of a tenant's settlements this month. */
export async function quotaOf(app: App, tenant: TenantRow): Promise<Quota> {
  const plan = isPlan(tenant.plan) ? plans[tenant.plan] : plans.free
  const subject = tenant.ownQuota ? `tenant:${tenant.id}` : `owner:${tenant.ownerKind}:${tenant.ownerId}:${tenant.plan}`
  const limits = {
    settlements: tenant.settlementQuota ?? plan.settlements,
    verifications: tenant.verificationQuota ?? plan.verifications,
  }
  return readMonth(app, limits, subject, 'settlement')
}
