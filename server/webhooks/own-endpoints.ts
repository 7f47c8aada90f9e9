import { v7 as uuidv7 } from 'uuid'
import { countOwnTenants, type Owner } from '../accounts/tenant-queries'
import { noOwnTenant } from '../accounts/tenants'
import type { App } from '../app'
import { ServiceError } from '../base/errors'
import { type EndpointHealth, readHealth } from './delivery-queries'
import {
  changeEndpoint,
  createEndpoint,
  disableEndpoint,
  type EndpointRow,
  type EndpointSettings,
  enableEndpoint,
  findEndpoint,
  hasLiveTenant,
  listEndpoints,
  removeEndpoint,
  rotateEndpoint,
} from './endpoint-queries'
import { mintSecret, sealSecret } from './messages'
import { receiverFault } from './receiver'

/** The maximum number of endpoints per merchant. */
export const ENDPOINTS_MAX = 10

/** An endpoint with its new secret, which is shown only once. */
type EndpointWithSecret = { endpoint: EndpointRow; secret: string }

/** The settings that a merchant may change; absent ones stay. */
type EndpointChanges = Partial<EndpointSettings> & { enabled?: boolean }

/** A merchant's endpoints, newest first, with how their deliveries went. */
export async function ownEndpoints(app: App, owner: Owner): Promise<(EndpointRow & { health: EndpointHealth | null })[]> {
  const [endpoints, healths] = await Promise.all([listEndpoints(app.db, owner), readHealth(app.db, owner)])
  return endpoints.map((endpoint) => ({ ...endpoint, health: healths.find(({ id }) => id === endpoint.id) ?? null }))
}

/**
 * Creates an endpoint for later outcomes. Throws `bad_request` for a forbidden URL, `not_found` for a foreign key, `conflict` beyond
 * ten, and for a wallet without a live key.
 */
export async function makeEndpoint(app: App, owner: Owner, settings: EndpointSettings): Promise<EndpointWithSecret> {
  await check(app, owner, settings)
  // Wallets cost nothing; the making of keys is limited.
  if (owner.kind === 'wallet' && !(await hasLiveTenant(app.db, owner))) {
    throw new ServiceError(
      'conflict',
      'this wallet has no live key; make one first: POST /api/v1/keys, or POST /api/me/keys to get paid',
    )
  }
  const [id, secret] = [uuidv7(), mintSecret()]
  const sealed = sealSecret(app.config.webhookKey, id, secret)
  if (!(await createEndpoint(app.db, owner, { ...settings, id, secret: sealed }, ENDPOINTS_MAX))) {
    throw new ServiceError('conflict', `you have ${ENDPOINTS_MAX} webhooks; delete one before you add another`)
  }
  app.log.info({ endpointId: id }, 'a merchant created a webhook')
  return { endpoint: await ownEndpoint(app, owner, id), secret }
}

/** Changes, disables or enables an endpoint; disabling ends its pending deliveries. Throws as `makeEndpoint` does, and `not_found`. */
export async function configureEndpoint(
  app: App,
  owner: Owner,
  id: string,
  { enabled, ...settings }: EndpointChanges,
): Promise<EndpointRow> {
  await check(app, owner, settings)
  const changed = await changeEndpoint(app.db, owner, id, settings)
  const now = changed && enabled !== undefined ? await (enabled ? enableEndpoint : disableEndpoint)(app.db, owner, id) : changed
  if (!now) throw noEndpoint()
  app.log.info(
    { endpointId: id, fields: Object.keys({ ...settings, ...(enabled === undefined ? {} : { enabled }) }) },
    'webhook changed',
  )
  return now
}

/** Rotates an endpoint's secret; the earlier one signs too for the grace period. Throws `not_found`. */
export async function rotateEndpointSecret(
  app: App,
  owner: Owner,
  id: string,
  graceSeconds: number,
): Promise<EndpointWithSecret> {
  const secret = mintSecret()
  const sealed = sealSecret(app.config.webhookKey, id, secret)
  const endpoint = await rotateEndpoint(app.db, owner, id, sealed, graceSeconds)
  if (!endpoint) throw noEndpoint()
  app.log.info({ endpointId: id, graceSeconds }, 'the secret of a webhook was rotated')
  return { endpoint, secret }
}

/** Deletes an endpoint for good. Throws `not_found`. */
export async function dropEndpoint(app: App, owner: Owner, id: string): Promise<void> {
  if (!(await removeEndpoint(app.db, owner, id))) throw noEndpoint()
  app.log.info({ endpointId: id }, 'webhook removed')
}

/** One of a merchant's endpoints. Throws `not_found` for a foreign or missing id. */
export async function ownEndpoint(app: App, owner: Owner, id: string): Promise<EndpointRow> {
  const endpoint = await findEndpoint(app.db, owner, id)
  if (!endpoint) throw noEndpoint()
  return endpoint
}

async function check(app: App, owner: Owner, { url, tenantIds = [] }: Partial<EndpointSettings>): Promise<void> {
  const fault = url === undefined ? null : receiverFault(url, app.config)
  if (fault) throw new ServiceError('bad_request', `url ${fault}`, { field: 'url' })
  const chosen = new Set(tenantIds)
  if (chosen.size > 0 && (await countOwnTenants(app.db, owner, [...chosen])) < chosen.size) throw noOwnTenant()
}

function noEndpoint(): ServiceError {
  return new ServiceError('not_found', 'you have no webhook with this id')
}
