import { z } from 'zod'
import type { App } from '../app'
import { DEFAULT_BODY_LIMIT, readBytes } from '../http/bodies'
import { API_HEADERS } from '../http/errors'
import { limitByAddress } from '../http/rate-limits'
import { checked, isUuid } from '../http/request'
import type { Params } from '../payments/endpoints'
import { requireWallet } from '../sign-in/credentials'
import { displayAddress } from '../x402/addresses'
import { environments } from '../x402/networks'
import { type Balance, balanceOf, type Credits } from './credits'
import { anotherAgentKey, noKey, revokeOwnKey } from './keys'

const balanceQuery = z.object({ environment: z.enum(environments, `must be ${environments.join(' or ')}`).nullish() })

/** `GET /api/v1/agent/balance`: what a wallet has left, what it used, and its keys without their secrets. */
export async function agentBalance(app: App, request: Request): Promise<Response> {
  await limitByAddress(app, request)
  return balance(app, request, await requireWallet(app, request))
}

/** `POST /api/v1/agent/keys`: one more key for a wallet that has bought credits, for one that lost its own. */
export async function newAgentKey(app: App, request: Request): Promise<Response> {
  await limitByAddress(app, request)
  const wallet = await requireWallet(app, request)
  await readBytes(request, DEFAULT_BODY_LIMIT)
  const { id, prefix, secret } = await anotherAgentKey(app, wallet)
  const body = { api_key: secret, key_id: id, prefix, ...endpointsOf(app, secret), wallet: displayAddress(wallet), plan: 'agent' }
  return Response.json(body, { status: 201, headers: API_HEADERS })
}

/** `DELETE /api/v1/agent/keys/:id`: one of the wallet's keys opens nothing any more. */
export async function deleteAgentKey(app: App, request: Request, { id = '' }: Params): Promise<Response> {
  await limitByAddress(app, request)
  const wallet = await requireWallet(app, request)
  if (!isUuid(id)) throw noKey()
  await revokeOwnKey(app, wallet, id)
  return Response.json({ id, revoked: true }, { headers: API_HEADERS })
}

/** The balance of a wallet that has proven itself. */
async function balance(app: App, request: Request, wallet: string): Promise<Response> {
  const { environment } = checked(balanceQuery, Object.fromEntries(new URL(request.url).searchParams))
  const has = await balanceOf(app, wallet, environment ?? null)
  return Response.json(shown(wallet, has), { headers: API_HEADERS })
}

// docs/api.md "Agents".
function shown(wallet: string, { environment, credits, accounts, tenant, lastPurchase }: Balance) {
  return {
    wallet: displayAddress(wallet),
    plan: 'agent',
    environment,
    ...figures(credits),
    settlements_used: credits.used,
    keys: (tenant && !tenant.revoked ? tenant.keys : []).map(({ id, prefix, createdAt, lastUsedAt }) => {
      return { id, prefix, created_at: createdAt.toISOString(), last_used_at: lastUsedAt?.toISOString() ?? null }
    }),
    allowed_networks: tenant && tenant.allowedNetworks.length > 0 ? tenant.allowedNetworks : null,
    history_enabled: tenant?.historyEnabled ?? true,
    last_purchase: lastPurchase && {
      created_at: lastPurchase.createdAt.toISOString(),
      network: lastPurchase.network,
      amount: lastPurchase.amount,
      credits: lastPurchase.credits,
      transaction: lastPurchase.txHash,
    },
    accounts: accounts.map(({ environment: of, ...row }) => ({ environment: of, ...figures(row) })),
  }
}

function figures({ left, used, purchased, verificationsUsed, verificationsLeft }: Credits) {
  return {
    credits_remaining: left,
    credits_used: used,
    credits_purchased: purchased,
    verifications_used: verificationsUsed,
    verifications_remaining: verificationsLeft,
  }
}

/** The facilitator URL that a key opens, with the routes below it that matter most. Whoever sees it can spend its credits. */
export function endpointsOf({ config }: Pick<App, 'config'>, secret: string) {
  const endpoint = `${config.baseUrl}/v1/${secret}`
  return { endpoint, endpoints: { settle: `${endpoint}/settle`, verify: `${endpoint}/verify` } }
}
