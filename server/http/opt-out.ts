import type { App } from '../services/app'
import { configureAgent, noTenant, optMerchant } from '../services/opt-out'
import type { OwnTenant } from '../store/own-tenants'
import { displayAddress } from '../x402/addresses'
import { DEFAULT_BODY_LIMIT, readJson } from './body'
import { checked } from './checked'
import { requireMerchant } from './merchant-credential'
import { agentChanges, merchantChanges } from './opt-out-bodies'
import type { Params } from './prefix'
import { limitByAddress } from './reading'
import { API_HEADERS } from './refusal'
import { isUuid } from './request'
import { requireWallet } from './wallet-credential'

/** `PATCH /api/me/tenants/:id`: history on or off for one of the merchant's tenants. Answers its whole config. */
export async function changeOwnTenant(app: App, request: Request, { id = '' }: Params): Promise<Response> {
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
