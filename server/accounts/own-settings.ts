import { z } from 'zod'
import { noPurchase } from '../agents/keys'
import type { App } from '../app'
import { ServiceError } from '../errors'
import { DEFAULT_BODY_LIMIT, readJson } from '../http/bodies'
import { API_HEADERS } from '../http/errors'
import { limitByAddress } from '../http/rate-limits'
import { checked, expected, isUuid } from '../http/request'
import type { Params } from '../payments/endpoints'
import { requireMerchant, requireWallet } from '../sign-in/credentials'
import { displayAddress } from '../x402/addresses'
import { allowedNetworks } from './admin-bodies'
import { changeLiveTenants, changeOwnTenant, type OwnChanges, type OwnTenant } from './tenant-queries'

/** Switches the history of one of a merchant's tenants on or off, from its next claim on. Throws `not_found` for another's and for none. */
export async function optMerchant(app: App, merchant: string, tenantId: string, historyEnabled: boolean): Promise<OwnTenant> {
  const tenant = await changeOwnTenant(app.db, { kind: 'oidc', id: merchant }, tenantId, { historyEnabled })
  if (!tenant) throw noTenant()
  app.keyring.forget(tenantId)
  app.log.info({ tenantId, fields: ['historyEnabled'] }, 'tenant changed by its owner')
  return tenant
}

/** Changes all live tenants of an agent's wallet, from their next claims on; newest first. Throws `not_found` when it has none. */
export async function configureAgent(app: App, wallet: string, changes: OwnChanges): Promise<[OwnTenant, ...OwnTenant[]]> {
  const [newest, ...others] = await changeLiveTenants(app.db, { kind: 'wallet', id: wallet }, changes)
  if (!newest) throw noPurchase()
  for (const { id } of [newest, ...others]) app.keyring.forget(id)
  app.log.info({ tenantId: newest.id, others: others.length, fields: Object.keys(changes) }, 'tenant changed by its owner')
  return [newest, ...others]
}

/** The refusal for a tenant that is not there, or another's: the same, so that it tells nothing. */
export function noTenant(): ServiceError {
  return new ServiceError('not_found', 'none of your API keys has a tenant with this id')
}

/** `PATCH /api/me/tenants/:id`: history on or off for one of the merchant's tenants. Answers its whole config. */
export async function changeMerchantTenant(app: App, request: Request, { id = '' }: Params): Promise<Response> {
  await limitByAddress(app, request)
  return merchantConfig(app, request, await requireMerchant(app, request), id)
}

/** `PATCH /api/v1/agent/config`: history and networks of all keys that the wallet owns. Answers the newest one's config and each. */
export async function changeAgentConfig(app: App, request: Request): Promise<Response> {
  await limitByAddress(app, request)
  return agentConfig(app, request, await requireWallet(app, request))
}

/** Changes a merchant's tenant as the body says. Throws `bad_request`, and `not_found` for what is not the merchant's. */
export async function merchantConfig(app: App, request: Request, merchant: string, id: string): Promise<Response> {
  const { history_enabled } = checked(merchantChanges, await readJson(request, DEFAULT_BODY_LIMIT, {}))
  if (!isUuid(id)) throw noTenant()
  return Response.json(shown(await optMerchant(app, merchant, id, history_enabled)), { headers: API_HEADERS })
}

/** Changes all tenants of a wallet as the body says. Throws `bad_request`, and `not_found` when it has none. */
export async function agentConfig(app: App, request: Request, wallet: string): Promise<Response> {
  const changes = checked(agentChanges, await readJson(request, DEFAULT_BODY_LIMIT, {}))
  const tenants = await configureAgent(app, wallet, changes)
  const { history_enabled, allowed_networks } = shown(tenants[0])
  const body = { wallet: displayAddress(wallet), history_enabled, allowed_networks, tenants: tenants.map(shown) }
  return Response.json(body, { headers: API_HEADERS })
}

function shown({ id, name, plan, historyEnabled, allowedNetworks }: OwnTenant) {
  const networks = allowedNetworks.length > 0 ? allowedNetworks : null
  return { id, name, plan, history_enabled: historyEnabled, allowed_networks: networks }
}

const historyEnabled = z
  .boolean(expected('true or false'))
  .meta({ description: 'False keeps settlements from now on out of history, catalog, agents and analytics.', examples: [false] })

/** The body of `PATCH /api/me/tenants/:id`. Left out it is true. */
export const merchantChanges = z.strictObject({ history_enabled: historyEnabled.default(true) }, expected('a JSON object'))

/** The body of `PATCH /api/v1/agent/config`. */
export const agentChanges = z
  .strictObject(
    { history_enabled: historyEnabled.optional(), allowed_networks: allowedNetworks.optional() },
    expected('a JSON object'),
  )
  .transform(({ history_enabled, allowed_networks }) => {
    // Who names networks alone does not speak of history; who names nothing leaves it out.
    if (allowed_networks === undefined) return { historyEnabled: history_enabled ?? true }
    return { allowedNetworks: allowed_networks, ...(history_enabled === undefined ? {} : { historyEnabled: history_enabled }) }
  })
