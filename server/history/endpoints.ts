import type { App } from '../app'
import { API_HEADERS } from '../http/errors'
import { limitByAddress } from '../http/rate-limits'
import { requireAdmin, requireMerchant, requireWallet } from '../sign-in/credentials'
import { displayAddress } from '../x402/addresses'
import { writeHistoryCursor } from './cursors'
import { readFilters, readPageRequest } from './filters'
import { type HistoryEntry, pageOfHistory, type Reader, scopeOf } from './history'
import type { HistoryFilter } from './queries'

/** `GET /api/me/history`: the settlements of all keys of the merchant. Query: `limit`, `cursor`, `direction`. */
export async function merchantHistory(app: App, request: Request): Promise<Response> {
  await limitByAddress(app, request)
  return history(app, request, 'merchant', scopeOf.merchant(await requireMerchant(app, request)))
}

/** `GET /api/v1/history`: the payments of the wallet. */
export async function payerHistory(app: App, request: Request): Promise<Response> {
  await limitByAddress(app, request)
  return history(app, request, 'payer', scopeOf.payer(await requireWallet(app, request)))
}

/** `GET /api/v1/agent/history`: the settlements of the keys that the wallet owns. */
export async function agentHistory(app: App, request: Request): Promise<Response> {
  await limitByAddress(app, request)
  return history(app, request, 'agent', scopeOf.agent(await requireWallet(app, request)))
}

/**
 * `GET /admin/history`: all settlements. More query parameters: `owner_id`, `tenant_id`, `payer`, `tx_hash`, `success`, which must all
 * match.
 */
export async function adminHistory(app: App, request: Request): Promise<Response> {
  await limitByAddress(app, request)
  requireAdmin(app, request)
  return history(app, request, 'admin', readFilters(new URL(request.url).searchParams))
}

/** A page of a reader's history; its cursors are valid for this reader and these filters only. */
export async function history(app: App, request: Request, reader: Reader, filter: HistoryFilter): Promise<Response> {
  const query = new URL(request.url).searchParams
  const list = JSON.stringify(['history', reader, filter])
  const page = await pageOfHistory(app, reader, filter, readPageRequest(app, query, list))
  const cursor = page.cursor ? writeHistoryCursor(app, list, page.cursor) : (query.get('cursor') ?? '')
  return Response.json({ settlements: page.entries.map(shown), cursor, has_more: page.hasMore }, { headers: API_HEADERS })
}

function shown({ agents, ...row }: HistoryEntry) {
  return {
    created_at: row.createdAt.toISOString(),
    success: row.success,
    tx_hash: row.txHash,
    network: row.network,
    payer_amount: row.amount,
    tenant_id: row.tenantId,
    payer: displayAddress(row.payer),
    resource: row.resource,
    pay_to: displayAddress(row.payTo),
    plan: row.plan,
    error_reason: row.success ? null : (row.errorReason ?? 'unknown'),
    ...(agents.length > 0 ? { agents } : {}),
  }
}
