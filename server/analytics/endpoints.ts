import type { App } from '../app'
import { readTenants } from '../history/filters'
import { API_HEADERS } from '../http/errors'
import { limitByAddress } from '../http/rate-limits'
import { requireAdmin, requireMerchant } from '../sign-in/credentials'
import { malformed } from '../x402/json'
import { isNetworkId, type NetworkId, networkIds } from '../x402/networks'
import { type AnalyticsDays, type AnalyticsScope, adminScope, analytics, analyticsDays, merchantScope } from './analytics'

/** `GET /api/me/analytics`: all keys of the merchant. Query: `days` (7, 30 or 90; 30), `network`. */
export async function merchantAnalytics(app: App, request: Request): Promise<Response> {
  await limitByAddress(app, request)
  return analyticsFor(app, request, merchantScope(await requireMerchant(app, request)))
}

/** `GET /admin/analytics`: all tenants. More query parameters: `owner_id`, `tenant_id`. */
export async function adminAnalytics(app: App, request: Request): Promise<Response> {
  await limitByAddress(app, request)
  requireAdmin(app, request)
  return analyticsFor(app, request, adminScope(readTenants(new URL(request.url).searchParams)))
}

/** The analytics of a scope for the window in the query. Throws `bad_request`. */
export async function analyticsFor(app: App, request: Request, scope: AnalyticsScope): Promise<Response> {
  const query = new URL(request.url).searchParams
  return Response.json(await analytics(app, scope, readDays(query), readNetwork(query)), { headers: API_HEADERS })
}

function readDays(query: URLSearchParams): AnalyticsDays {
  const written = query.get('days') ?? '30'
  const days = analyticsDays.find((known) => String(known) === written)
  if (days === undefined) throw malformed('days must be 7, 30 or 90')
  return days
}

function readNetwork(query: URLSearchParams): NetworkId | undefined {
  const written = query.get('network')
  if (written === null) return undefined
  if (isNetworkId(written)) return written
  throw malformed(`network must be one of ${networkIds.join(', ')}`)
}
