import type { App } from '../services/app'
import { readBookmark } from '../services/bookmarks'
import { readAddress, readTransaction } from '../services/history-search'
import type { HistoryFilter, PageRequest } from '../store/history-pages'
import type { OwnerFilter } from '../store/owners'
import { malformed } from '../x402/json'
import { readLimit, readText } from './page'
import { isUuid } from './request'

const OWNER_MAX = 200

/** The page that a query asks for: `limit`, `direction`, and the `cursor` of an earlier page of the same list. Throws `bad_request`. */
export function readPageRequest(app: App, query: URLSearchParams, list: string): PageRequest {
  const direction = query.get('direction') ?? 'before'
  if (direction !== 'before' && direction !== 'after')
    throw malformed('direction must be before (older, the default) or after (newer)')
  const cursor = query.get('cursor')
  return { limit: readLimit(query), direction, from: cursor ? readBookmark(app, list, cursor) : null }
}

/** The filters of the admin's history, each alone or together. Throws `bad_request` for what no row can have. */
export function readFilters(query: URLSearchParams): HistoryFilter {
  const [payer, txHash, success] = ['payer', 'tx_hash', 'success'].map((name) => query.get(name))
  return {
    ...readTenants(query),
    ...(payer == null ? {} : { payer: payerOf(payer) }),
    ...(txHash == null ? {} : { txHash: transactionOf(txHash) }),
    ...(success == null ? {} : { success: successOf(success) }),
  }
}

/** Which tenants the admin asks for: an owner's, one, or one of that owner. Throws `bad_request`. */
export function readTenants(query: URLSearchParams): Pick<HistoryFilter, 'owner' | 'tenantId'> {
  const [owner, tenantId] = [readOwner(query), query.get('tenant_id')]
  return {
    ...(owner === null ? {} : { owner }),
    ...(tenantId === null ? {} : { tenantId: tenantOf(tenantId) }),
  }
}

/** The owner that an admin asks for, a wallet in any spelling; null for everybody's. Throws `bad_request`. */
export function readOwner(query: URLSearchParams): OwnerFilter | null {
  const id = readText(query, 'owner_id')
  if (id === null) return null
  if (id === '' || id.length > OWNER_MAX) throw malformed(`owner_id must have 1 to ${OWNER_MAX} characters`)
  return { kinds: ['oidc', 'wallet'], id }
}

function tenantOf(written: string): string {
  if (isUuid(written)) return written.toLowerCase()
  throw malformed('tenant_id must be a UUID')
}

// Kept as payments write them: EVM in lower case, base58 as it is.
function payerOf(written: string): string {
  const address = readAddress(written)
  if (address !== null) return address
  throw malformed('payer must be an address: 0x and 40 hex digits, or base58')
}

function transactionOf(written: string): string {
  const transaction = readTransaction(written)
  if (transaction !== null) return transaction
  throw malformed('tx_hash must be a transaction: 0x and 64 hex digits, or a base58 signature')
}

function successOf(written: string): boolean {
  if (written === 'true' || written === 'false') return written === 'true'
  throw malformed('success must be true or false')
}
