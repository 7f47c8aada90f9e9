import type { App } from '../app'
import { ServiceError } from '../base/errors'
import type { Statements } from '../db/statements'
import { CHANGES_SHOWN, type ChangeRow, listChanges } from './change-queries'
import { endSecret } from './key-queries'
import { mintKey } from './keyring'
import type { Quota } from './metering'
import { readMonth } from './metering'
import { isPlan, type PlanName, plans } from './plans'
import {
  type ClaimPolicy,
  createOwnTenant,
  findOwnTenant,
  listOwnTenants,
  type Owner,
  type TenantRow,
  type TenantSettings,
} from './tenant-queries'
import { countKey, KEY_RATE, noOwnTenant, reconfigure, requireKeyRate, requireWait, rotate, type WithSecret } from './tenants'
import { countWalletKey, heldTo, ipNetwork } from './wallet-rules'

/** The maximum live keys of a merchant. */
export const OWN_KEYS_MAX = 10

/** A merchant's key with its monthly quota. */
export type OwnKey = { tenant: TenantRow; quota: Quota }

/** The settings that a merchant may change. */
type OwnSettings = Pick<
  TenantSettings,
  | 'name'
  | 'historyEnabled'
  | 'allowedNetworks'
  | 'payToAllow'
  | 'maxAmount'
  | 'shareTransactions'
  | 'waitUntil'
  | 'publicReceipts'
  | 'secondChargeSeconds'
  | keyof ClaimPolicy
>

/** What a merchant may set when it creates a key. */
type NewKeySettings = Partial<OwnSettings> & Pick<OwnSettings, 'name'>

/** How many revoked keys a merchant sees. */
export const REVOKED_SHOWN = 50

// Admins can make more keys for one owner than the owner itself; /admin/tenants lists all of them.
const LIVE_SHOWN = 100

/** The tenants of a merchant's keys: live ones first, then revoked ones, each newest first. */
export function listOwn({ db }: Pick<App, 'db'>, owner: Owner): Promise<TenantRow[]> {
  return listOwnTenants(db, owner, { live: LIVE_SHOWN, revoked: REVOKED_SHOWN })
}

/** A merchant's keys: live ones first, then revoked ones, each newest first. */
export async function listOwnKeys(app: App, owner: Owner): Promise<OwnKey[]> {
  const own = await listOwn(app, owner)
  return Promise.all(own.map(async (tenant) => ({ tenant, quota: await quotaOf(app, tenant) })))
}

/** One of a merchant's keys, also a revoked one. Throws `not_found` for any other. */
export async function readOwnKey(app: App, owner: Owner, id: string): Promise<OwnKey> {
  const tenant = await ownKey(app, owner, id)
  return { tenant, quota: await quotaOf(app, tenant) }
}

/** Who makes a key, and from which IP address. */
export type KeyMaker = { owner: Owner; ip: string }

/**
 * Creates a key of the free plan, which shares its quota with the owner's other keys. A wallet's key pays only that wallet. Throws
 * `bad_request` for a wait that the plan does not have, `conflict` beyond ten live keys, `too_many` beyond the rates, `forbidden` for what a
 * wallet's key cannot have.
 */
export async function makeOwnKey(app: App, { owner, ip }: KeyMaker, settings: NewKeySettings): Promise<WithSecret> {
  const tenant = { ...NEW, ...heldTo(owner, { ...NEW_LIMITS, ...settings }), owner, madeFrom: ipNetwork(ip) }
  requireWait(tenant.plan, tenant.waitUntil)
  const { secret, ...key } = mintKey()
  const count = async (within: Statements) => (owner.kind === 'wallet' ? countWalletKey(app, within, ip) : undefined)
  const id = await createOwnTenant(app.db, tenant, key, { most: OWN_KEYS_MAX, rate: KEY_RATE, count })
  if (id === null) await requireKeyRate(app, owner)
  if (id === null) throw new ServiceError('conflict', `you have ${OWN_KEYS_MAX} live keys; revoke one before you create another`)
  app.log.info({ tenantId: id, by: owner.kind }, 'a merchant created a key')
  return { tenant: await ownKey(app, owner, id), key, secret }
}

/** Changes a key's settings from its next payment on. Throws `not_found` for a key of another owner, `forbidden` for what a wallet's key cannot have. */
export async function changeOwnKey(app: App, owner: Owner, id: string, changes: Partial<OwnSettings>): Promise<TenantRow> {
  await ownKey(app, owner, id)
  return reconfigure(app, id, heldTo(owner, changes), 'owner')
}

/**
 * Gives a key a new secret; the earlier one stays valid for `graceSeconds`. Throws `not_found` for a key of another owner, `conflict` for a
 * revoked one, `too_many` beyond the rate.
 */
export async function rotateOwnKey(app: App, owner: Owner, id: string, graceSeconds: number): Promise<WithSecret> {
  const { revokedAt } = await ownKey(app, owner, id)
  if (revokedAt === null) await countKey(app, owner)
  return rotate(app, id, graceSeconds, 'owner')
}

/**
 * Ends an earlier secret of a key before its time. Throws `not_found` for a key of another owner, and for a secret that ended or is the
 * newest: the key is revoked or rotated instead.
 */
export async function endOwnSecret(app: App, owner: Owner, id: string, secretId: string): Promise<OwnKey> {
  await ownKey(app, owner, id)
  if (!(await endSecret(app.db, id, secretId, 'owner'))) {
    throw new ServiceError('not_found', 'this key has no earlier secret with this id that still works')
  }
  app.keyring.forget(id)
  app.log.info({ tenantId: id, keyId: secretId }, 'a merchant ended an earlier secret')
  return readOwnKey(app, owner, id)
}

/** Revokes a key permanently. Throws `not_found` for a key of another owner. */
export async function revokeOwnKey(app: App, owner: Owner, id: string): Promise<TenantRow> {
  await ownKey(app, owner, id)
  return reconfigure(app, id, { revoked: true }, 'owner')
}

/** What changed in a key and its secrets, newest first. Throws `not_found` for a key of another owner. */
export async function changesOfOwnKey(app: App, owner: Owner, id: string): Promise<ChangeRow[]> {
  await ownKey(app, owner, id)
  return listChanges(app.db, id, CHANGES_SHOWN)
}

/** One of a merchant's keys. Throws `not_found` for any other. The check holds: a tenant never changes its owner. */
async function ownKey(app: App, owner: Owner, id: string): Promise<TenantRow> {
  const tenant = await findOwnTenant(app.db, owner, id)
  if (tenant) return tenant
  throw noOwnTenant()
}

const NEW_LIMITS = { allowedNetworks: [], payToAllow: [], maxAmount: null }

const NEW = {
  ...NEW_LIMITS,
  plan: 'free' satisfies PlanName,
  ownQuota: false,
  historyEnabled: true,
  rps: null,
  settlementQuota: null,
  verificationQuota: null,
  shareTransactions: true,
  waitUntil: null,
  publicReceipts: false,
  secondChargeSeconds: null,
  claimAbove: null,
  claimAfterSeconds: null,
  claimMaxGasPrice: null,
}

/** What is left of a tenant's settlements this month. */
export async function quotaOf(app: App, tenant: TenantRow): Promise<Quota> {
  const subject = tenant.ownQuota ? `tenant:${tenant.id}` : `owner:${tenant.ownerKind}:${tenant.ownerId}:${tenant.plan}`
  return readMonth(app, limitsOf(tenant), subject, 'settlement')
}

/** What a tenant may do in a month and in a second: its own limits, or else those of its plan. */
export function limitsOf({ plan: name, settlementQuota, verificationQuota, rps }: TenantRow) {
  const plan = isPlan(name) ? plans[name] : plans.free
  return {
    settlements: settlementQuota ?? plan.settlements,
    verifications: verificationQuota ?? plan.verifications,
    requestsPerSecond: rps ?? plan.requestsPerSecond,
  }
}
