import { z } from 'zod'
import type { App } from '../app'
import { DEFAULT_BODY_LIMIT, readJson } from '../http/bodies'
import { API_HEADERS } from '../http/errors'
import { limitByAddress } from '../http/rate-limits'
import { checked, expected, isUuid } from '../http/request'
import type { Params } from '../payments/endpoints'
import { requireMerchant } from '../sign-in/credentials'
import { changeOwnTenant, type OwnTenant } from './tenant-queries'
import { noOwnTenant } from './tenants'

/** Switches the history of one of a merchant's tenants on or off, from its next claim on. Throws `not_found` for another's and for none. */
export async function optMerchant(app: App, merchant: string, tenantId: string, historyEnabled: boolean): Promise<OwnTenant> {
  const tenant = await changeOwnTenant(app.db, { kind: 'oidc', id: merchant }, tenantId, { historyEnabled })
  if (!tenant) throw noOwnTenant()
  app.keyring.forget(tenantId)
  app.log.info({ tenantId, fields: ['historyEnabled'] }, 'tenant changed by its owner')
  return tenant
}

/** `PATCH /api/me/tenants/:id`: history on or off for one of the merchant's tenants. Answers its whole config. */
export async function changeMerchantTenant(app: App, request: Request, { id = '' }: Params): Promise<Response> {
  await limitByAddress(app, request)
  return merchantConfig(app, request, await requireMerchant(app, request), id)
}

/** Changes a merchant's tenant as the body says. Throws `bad_request`, and `not_found` for what is not the merchant's. */
export async function merchantConfig(app: App, request: Request, merchant: string, id: string): Promise<Response> {
  const { history_enabled } = checked(merchantChanges, await readJson(request, DEFAULT_BODY_LIMIT, {}))
  if (!isUuid(id)) throw noOwnTenant()
  return Response.json(presentOwnTenant(await optMerchant(app, merchant, id, history_enabled)), { headers: API_HEADERS })
}

/** An owner's tenant as its owner sees it. */
export function presentOwnTenant({ id, name, plan, historyEnabled, allowedNetworks }: OwnTenant) {
  const networks = allowedNetworks.length > 0 ? allowedNetworks : null
  return { id, name, plan, history_enabled: historyEnabled, allowed_networks: networks }
}

export const historyEnabled = z
  .boolean(expected('true or false'))
  .meta({ description: 'False keeps settlements from now on out of history, catalog, agents and analytics.', examples: [false] })

/** The body of `PATCH /api/me/tenants/:id`. Left out it is true. */
export const merchantChanges = z.strictObject({ history_enabled: historyEnabled.default(true) }, expected('a JSON object'))
