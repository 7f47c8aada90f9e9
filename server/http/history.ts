import type { App } from '../services/app'
import { writeBookmark } from '../services/bookmarks'
import { type HistoryEntry, pageOfHistory, type Reader, scopeOf } from '../services/history'
import type { HistoryFilter } from '../store/history-pages'
import { displayAddress } from '../x402/addresses'
import { requireAdmin } from './admin-key'
import { readFilters, readPageRequest } from './history-query'
import { requireMerchant } from './merchant-credential'
import { limitByAddress } from './reading'
import { API_HEADERS } from './refusal'
import { requireWallet } from './wallet-credential'

/** `GET /api/me/history`: the settlements of all keys of the merchant. Query: `limit`, `cursor`, `direction`. */
export async function merchantHistory(app: App, request: Request): Promise<Response> {
  await limitByAddress(app, request)
  return history(app, request, 'merchant', scopeOf.merchant(await requireMerchant(app, request)))
}

/** `GET /api/v1/history`: the settlements that the wallet paid. */
export async function payerHistory(app: App, request: Request): Promise<Response> {
  await limitByAddress(app, request)
  return history(app, request, 'payer', scopeOf.payer(await requireWallet(app, request)))
}

/** `GET /api/v1/agent/history`: the settlements of the keys that the wallet owns. */
export async function agentHistory(app: App, request: Request): Promise<Response> {
  await limitByAddress(app, request)
  return history(app, request, 'agent', scopeOf.agent(await requireWallet(app, request)))
}

/** `GET /admin/history`: everybody's. Query besides: `owner_id`, `tenant_id`, `payer`, `tx_hash`, `success`, all of which must hold. */
export async function adminHistory(app: App, request: Request): Promise<Response> {
  await limitByAddress(app, request)
  requireAdmin(app, request)
  return history(app, request, 'admin', readFilters(new URL(request.url).searchParams))
}

/** A page of what this reader may see, whose cursors are good for no other reader and no other filters. */
export async function history(app: App, request: Request, reader: Reader, filter: HistoryFilter): Promise<Response> {
  const query = new URL(request.url).searchParams
  const list = JSON.stringify(['history', reader, filter])
  const page = await pageOfHistory(app, reader, filter, readPageRequest(app, query, list))
  const cursor = page.bookmark ? writeBookmark(app, list, page.bookmark) : (query.get('cursor') ?? '')
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
