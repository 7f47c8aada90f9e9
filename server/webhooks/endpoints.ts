import { v7 as uuidv7 } from 'uuid'
import { noOwnTenant } from '../accounts/tenants'
import type { App } from '../app'
import { ServiceError } from '../errors'
import {
  changeEndpoint,
  countOwnTenants,
  createEndpoint,
  disableEndpoint,
  type EndpointOwner,
  type EndpointRow,
  type EndpointSettings,
  enableEndpoint,
  findEndpoint,
  listEndpoints,
  removeEndpoint,
  rotateEndpoint,
} from './endpoint-queries'
import { mintSecret, sealSecret } from './messages'
import { receiverFault } from './receiver'

/** Endpoints that a merchant may have. */
export const ENDPOINTS_MAX = 10

/** An endpoint with its new secret: the only time that anybody sees it. */
export type EndpointWithSecret = { endpoint: EndpointRow; secret: string }

/** What a merchant may change about an endpoint; what is absent stays. */
export type EndpointChanges = Partial<EndpointSettings> & { enabled?: boolean }

/** The owner whose endpoints a merchant reaches. */
export const ownerOf = (merchant: string): EndpointOwner => ({ kind: 'oidc', id: merchant })

/** A merchant's endpoints, newest first. */
export const ownEndpoints = (app: App, merchant: string): Promise<EndpointRow[]> => listEndpoints(app.db, ownerOf(merchant))

/**
 * Makes an endpoint, which hears of what ends from now on. Throws `bad_request` for a URL where nothing may be sent, `not_found` for a key of
 * another's, `conflict` beyond ten.
 */
export async function makeEndpoint(app: App, merchant: string, settings: EndpointSettings): Promise<EndpointWithSecret> {
  await check(app, merchant, settings)
  const [id, secret] = [uuidv7(), mintSecret()]
  const sealed = sealSecret(app.config.webhookKey, id, secret)
  if (!(await createEndpoint(app.db, ownerOf(merchant), { ...settings, id, secret: sealed }, ENDPOINTS_MAX))) {
    throw new ServiceError('conflict', `you have ${ENDPOINTS_MAX} webhooks; delete one before you add another`)
  }
  app.log.info({ endpointId: id }, 'a merchant made a webhook')
  return { endpoint: await ownEndpoint(app, merchant, id), secret }
}

/** Changes an endpoint, or switches it off or on: off ends what is under way to it. Throws as `makeEndpoint` does, and `not_found`. */
export async function configureEndpoint(
  app: App,
  merchant: string,
  id: string,
  { enabled, ...settings }: EndpointChanges,
): Promise<EndpointRow> {
  await check(app, merchant, settings)
  const owner = ownerOf(merchant)
  const changed = await changeEndpoint(app.db, owner, id, settings)
  const now = changed && enabled !== undefined ? await (enabled ? enableEndpoint : disableEndpoint)(app.db, owner, id) : changed
  if (!now) throw noEndpoint()
  app.log.info(
    { endpointId: id, fields: Object.keys({ ...settings, ...(enabled === undefined ? {} : { enabled }) }) },
    'webhook changed',
  )
  return now
}

/** A new secret for an endpoint; the earlier one signs too for so long more. Throws `not_found`. */
export async function rotateEndpointSecret(
  app: App,
  merchant: string,
  id: string,
  graceSeconds: number,
): Promise<EndpointWithSecret> {
  const secret = mintSecret()
  const sealed = sealSecret(app.config.webhookKey, id, secret)
  const endpoint = await rotateEndpoint(app.db, ownerOf(merchant), id, sealed, graceSeconds)
  if (!endpoint) throw noEndpoint()
  app.log.info({ endpointId: id, graceSeconds }, 'the secret of a webhook was rotated')
  return { endpoint, secret }
}

/** Takes an endpoint away for good. Throws `not_found`. */
export async function dropEndpoint(app: App, merchant: string, id: string): Promise<void> {
  if (!(await removeEndpoint(app.db, ownerOf(merchant), id))) throw noEndpoint()
  app.log.info({ endpointId: id }, 'webhook removed')
}

/** One of a merchant's endpoints. Throws `not_found` for another's and for none. */
export async function ownEndpoint(app: App, merchant: string, id: string): Promise<EndpointRow> {
  const endpoint = await findEndpoint(app.db, ownerOf(merchant), id)
  if (!endpoint) throw noEndpoint()
  return endpoint
}

async function check(app: App, merchant: string, { url, tenantIds = [] }: Partial<EndpointSettings>): Promise<void> {
  const flaw = url === undefined ? null : receiverFault(url, app.config)
  if (flaw) throw new ServiceError('bad_request', `url ${flaw}`)
  const chosen = new Set(tenantIds)
  if (chosen.size > 0 && (await countOwnTenants(app.db, ownerOf(merchant), [...chosen])) < chosen.size) throw noOwnTenant()
}

function noEndpoint(): ServiceError {
  return new ServiceError('not_found', 'you have no webhook with this id')
}
