import type { App } from '../app'
import { ServiceError } from '../base/errors'
import type { ChangeMaker } from './change-queries'
import { type KeyOwner, type KeyRate, type NewKey, nextKeyAt, rotateKey, takeKeySlot } from './key-queries'
import { mintKey } from './keyring'
import { isPlan, plans } from './plans'
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

/** A tenant with its new key and the secret, which we show once. */
export type WithSecret = { tenant: TenantRow; key: NewKey; secret: string }

/** Creates a tenant with its own quota and its first key. Throws `bad_request` for a wait that its plan does not have. */
export async function provision(app: App, tenant: Omit<NewTenant, 'ownQuota'>): Promise<WithSecret> {
  requireWait(tenant.plan, tenant.waitUntil)
  const { secret, ...key } = mintKey()
  const id = await createTenant(app.db, { ...tenant, ownQuota: true }, key)
  app.log.info({ tenantId: id, plan: tenant.plan }, 'tenant created')
  return { tenant: await tenantOf(app, id), key, secret }
}

/** A page of tenants, newest first. `cursor` is the last id of the previous page. */
export async function pageOfTenants(
  app: App,
  page: { limit: number; cursor: string | null; owner: OwnerFilter | null },
): Promise<{ tenants: TenantRow[]; hasMore: boolean }> {
  const rows = await listTenants(app.db, { ...page, limit: page.limit + 1 })
  return { tenants: rows.slice(0, page.limit), hasMore: rows.length > page.limit }
}

/** Changes the given settings of a tenant from its next claim on. Throws `not_found`, `bad_request` for a wait that its plan does not have. */
export async function reconfigure(
  app: App,
  id: string,
  changes: Partial<TenantSettings>,
  by: ChangeMaker = 'operator',
): Promise<TenantRow> {
  if (changes.waitUntil === 'preconfirmed') requireWait(changes.plan ?? (await tenantOf(app, id)).plan, changes.waitUntil)
  if (!(await changeTenant(app.db, id, changes, by))) throw noTenant()
  app.keyring.forget(id)
  app.log.info({ tenantId: id, fields: Object.keys(changes) }, 'tenant changed')
  return tenantOf(app, id)
}

/** Switches the history of a merchant's tenant on or off from its next claim on. Throws `not_found` for any other tenant. */
export async function changeHistory(app: App, merchant: string, tenantId: string, historyEnabled: boolean): Promise<OwnTenant> {
  const tenant = await changeOwnTenant(app.db, { kind: 'oidc', id: merchant }, tenantId, { historyEnabled })
  if (!tenant) throw noOwnTenant()
  app.keyring.forget(tenantId)
  app.log.info({ tenantId, fields: ['historyEnabled'] }, 'tenant changed by its owner')
  return tenant
}

/** Gives a tenant a new key; earlier ones stay valid for `graceSeconds`. Throws `not_found`, or `conflict` if revoked or with ten live keys. */
export async function rotate(app: App, id: string, graceSeconds: number, by: ChangeMaker = 'operator'): Promise<WithSecret> {
  const { secret, ...key } = mintKey()
  if (!(await rotateKey(app.db, id, key, { graceSeconds, most: LIVE_SECRETS_MAX, by }))) {
    const { revokedAt } = await tenantOf(app, id)
    if (revokedAt === null) throw tooManySecrets()
    throw new ServiceError('conflict', 'this tenant is revoked; set "revoked" to false before you give it a new key')
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

/** Throws `bad_request` for a wait that a plan does not have. */
export function requireWait(plan: string, waitUntil: TenantSettings['waitUntil']): void {
  if (waitUntil !== 'preconfirmed' || (isPlan(plan) && plans[plan].flash)) return
  throw new ServiceError(
    'bad_request',
    `wait_until "preconfirmed" needs the plan growth or higher; this key has the plan ${plan}`,
  )
}

function tooManySecrets(): ServiceError {
  const advice = 'rotate with a grace of 0 to end the earlier ones, or wait until some have ended'
  return new ServiceError('conflict', `this tenant has ${LIVE_SECRETS_MAX} live keys; ${advice}`)
}

function noTenant(): ServiceError {
  return new ServiceError('not_found', 'there is no tenant with this id')
}

/** The refusal for an unknown tenant and for another owner's: the same for both. */
export function noOwnTenant(): ServiceError {
  return new ServiceError('not_found', 'none of your API keys has a tenant with this id')
}

/** How many keys a merchant or an agent may make or rotate, and wallets of one address make, counted in the database for all instances. */
export const KEY_RATE = { hour: 20, day: 100 } as const satisfies KeyRate

/** Counts a new key of an owner. Throws `too_many` beyond the rate. */
export async function countKey(app: App, owner: KeyOwner): Promise<void> {
  if (await takeKeySlot(app.db, owner, KEY_RATE)) return
  throw tooManyKeys((await nextKeyAt(app.db, owner, KEY_RATE)) ?? new Date())
}

/** Throws `too_many` if an owner made too many keys. */
export async function requireKeyRate(app: App, owner: KeyOwner): Promise<void> {
  const next = await nextKeyAt(app.db, owner, KEY_RATE)
  if (next !== null) throw tooManyKeys(next)
}

function tooManyKeys(next: Date): ServiceError {
  const at = new Date(Math.ceil(next.getTime() / 1_000) * 1_000)
  const most = `you can create ${KEY_RATE.hour} keys an hour and ${KEY_RATE.day} a day`
  return new ServiceError('too_many', `${most}; create the next one at ${at.toISOString().replace('.000Z', 'Z')}`, {
    reason: 'rate_limit_exceeded',
    retryAfterSeconds: Math.max(1, Math.ceil((at.getTime() - Date.now()) / 1_000)),
  })
}
