import type { App } from '../app'
import { ServiceError } from '../errors'
import { type KeyOwner, type KeyRate, type NewKey, nextKeyAt, rotateKey, takeKeySlot } from './key-queries'
import { mintKey } from './keyring'
import {
  changeOwnTenant,
  changeTenant,
  createTenant,
  findTenant,
  LIVE_SECRETS_MAX,
  listTenants,
  type NewTenant,
  type OwnerFilter,
  type OwnTenant,
  type TenantRow,
  type TenantSettings,
} from './tenant-queries'

/** A tenant with the key just made for it and its secret, which is shown once. */
export type WithSecret = { tenant: TenantRow; key: NewKey; secret: string }

/** Makes a tenant that meters on its own, with its first key. */
export async function provision(app: App, tenant: Omit<NewTenant, 'ownQuota'>): Promise<WithSecret> {
  const { secret, ...key } = mintKey()
  const id = await createTenant(app.db, { ...tenant, ownQuota: true }, key)
  app.log.info({ tenantId: id, plan: tenant.plan }, 'tenant made')
  return { tenant: await tenantOf(app, id), key, secret }
}

/** A page of tenants, newest first. `cursor` is the id of the last one seen. */
export async function pageOfTenants(
  app: App,
  page: { limit: number; cursor: string | null; owner: OwnerFilter | null },
): Promise<{ tenants: TenantRow[]; hasMore: boolean }> {
  const rows = await listTenants(app.db, { ...page, limit: page.limit + 1 })
  return { tenants: rows.slice(0, page.limit), hasMore: rows.length > page.limit }
}

/** Changes a tenant's settings; what is not named stays. Takes effect with the next claim. Throws `not_found`. */
export async function reconfigure(app: App, id: string, changes: Partial<TenantSettings>): Promise<TenantRow> {
  if (!(await changeTenant(app.db, id, changes))) throw noTenant()
  app.keyring.forget(id)
  app.log.info({ tenantId: id, fields: Object.keys(changes) }, 'tenant changed')
  return tenantOf(app, id)
}

/** Switches the history of one of a merchant's tenants on or off, from its next claim on. Throws `not_found` for another's and for none. */
export async function changeHistory(app: App, merchant: string, tenantId: string, historyEnabled: boolean): Promise<OwnTenant> {
  const tenant = await changeOwnTenant(app.db, { kind: 'oidc', id: merchant }, tenantId, { historyEnabled })
  if (!tenant) throw noOwnTenant()
  app.keyring.forget(tenantId)
  app.log.info({ tenantId, fields: ['historyEnabled'] }, 'tenant changed by its owner')
  return tenant
}

/**
 * A new key for a tenant; its earlier keys work for so long more. Throws `not_found` for an unknown tenant, `conflict` for a revoked one and
 * for one with ten live keys.
 */
export async function rotate(app: App, id: string, graceSeconds: number): Promise<WithSecret> {
  const { secret, ...key } = mintKey()
  if (!(await rotateKey(app.db, id, key, graceSeconds, LIVE_SECRETS_MAX))) {
    const { revokedAt } = await tenantOf(app, id)
    if (revokedAt === null) throw tooManySecrets()
    throw new ServiceError('conflict', 'this tenant is revoked; change "revoked" to false before you give it a new key')
  }
  app.keyring.forget(id)
  app.log.info({ tenantId: id, graceSeconds }, 'key rotated')
  return { tenant: await tenantOf(app, id), key, secret }
}

/** A tenant by id. Throws `not_found`. */
export async function tenantOf(app: App, id: string): Promise<TenantRow> {
  const tenant = await findTenant(app.db, id)
  if (!tenant) throw noTenant()
  return tenant
}

function tooManySecrets(): ServiceError {
  const advice = 'rotate with a grace of 0 to end the earlier ones, or wait until some of them have ended'
  return new ServiceError('conflict', `this tenant has ${LIVE_SECRETS_MAX} live keys; ${advice}`)
}

function noTenant(): ServiceError {
  return new ServiceError('not_found', 'there is no tenant with this id')
}

/** The refusal for a tenant that does not exist or belongs to another owner: the same for both. */
export function noOwnTenant(): ServiceError {
  return new ServiceError('not_found', 'none of your API keys has a tenant with this id')
}

/** How many keys a merchant or an agent may make or rotate. Counted in the database, over all instances. */
export const KEY_RATE = { hour: 20, day: 100 } as const satisfies KeyRate

/** Counts one more key that an owner makes. Throws `too_many` beyond the rate. */
export async function countKey(app: App, owner: KeyOwner): Promise<void> {
  if (await takeKeySlot(app.db, owner, KEY_RATE)) return
  throw tooManyKeys((await nextKeyAt(app.db, owner, KEY_RATE)) ?? new Date())
}

/** Throws `too_many` for an owner that made too many keys. */
export async function requireKeyRate(app: App, owner: KeyOwner): Promise<void> {
  const next = await nextKeyAt(app.db, owner, KEY_RATE)
  if (next !== null) throw tooManyKeys(next)
}

function tooManyKeys(next: Date): ServiceError {
  const at = new Date(Math.ceil(next.getTime() / 1_000) * 1_000)
  const most = `you can make ${KEY_RATE.hour} keys an hour and ${KEY_RATE.day} a day`
  return new ServiceError('too_many', `${most}; make the next one at ${at.toISOString().replace('.000Z', 'Z')}`, {
    reason: 'rate_limit_exceeded',
    retryAfterSeconds: Math.max(1, Math.ceil((at.getTime() - Date.now()) / 1_000)),
  })
}
