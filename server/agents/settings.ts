import { z } from 'zod'
import { allowedNetworks } from '../accounts/admin-bodies'
import { historyEnabled, presentOwnTenant } from '../accounts/own-settings'
import { changeLiveTenants, type OwnChanges, type OwnTenant } from '../accounts/tenant-queries'
import type { App } from '../app'
import { DEFAULT_BODY_LIMIT, readJson } from '../http/bodies'
import { API_HEADERS } from '../http/errors'
import { limitByAddress } from '../http/rate-limits'
import { checked, expected } from '../http/request'
import { requireWallet } from '../sign-in/credentials'
import { displayAddress } from '../x402/addresses'
import { noPurchase } from './keys'

/** Changes all live tenants of an agent's wallet, from their next claims on; newest first. Throws `not_found` when it has none. */
export async function configureAgent(app: App, wallet: string, changes: OwnChanges): Promise<[OwnTenant, ...OwnTenant[]]> {
  const [newest, ...others] = await changeLiveTenants(app.db, { kind: 'wallet', id: wallet }, changes)
  if (!newest) throw noPurchase()
  for (const { id } of [newest, ...others]) app.keyring.forget(id)
  app.log.info({ tenantId: newest.id, others: others.length, fields: Object.keys(changes) }, 'tenant changed by its owner')
  return [newest, ...others]
}

/** `PATCH /api/v1/agent/config`: history and networks of all keys that the wallet owns. Answers the newest one's config and each. */
export async function changeAgentConfig(app: App, request: Request): Promise<Response> {
  await limitByAddress(app, request)
  return agentConfig(app, request, await requireWallet(app, request))
}

/** Changes all tenants of a wallet as the body says. Throws `bad_request`, and `not_found` when it has none. */
export async function agentConfig(app: App, request: Request, wallet: string): Promise<Response> {
  const changes = checked(agentChanges, await readJson(request, DEFAULT_BODY_LIMIT, {}))
  const tenants = await configureAgent(app, wallet, changes)
  const { history_enabled, allowed_networks } = presentOwnTenant(tenants[0])
  const body = { wallet: displayAddress(wallet), history_enabled, allowed_networks, tenants: tenants.map(presentOwnTenant) }
  return Response.json(body, { headers: API_HEADERS })
}

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
