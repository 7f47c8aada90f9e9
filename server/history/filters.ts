import type { OwnerFilter } from '../accounts/tenant-queries'
import type { App } from '../app'
import { readLimit, readText } from '../http/page'
import { isUuid } from '../http/request'
import { malformed } from '../x402/json'
import { readHistoryCursor } from './cursors'
import type { HistoryFilter, PageRequest } from './queries'

const OWNER_MAX = 200

/** Reads the page of a query: `limit`, `direction`, and the `cursor` of an earlier page of the same list. Throws `bad_request`. */
export function readPageRequest(app: App, query: URLSearchParams, list: string): PageRequest {
  const direction = query.get('direction') ?? 'before'
  if (direction !== 'before' && direction !== 'after')
    throw malformed('direction must be before (older, the default) or after (newer)')
  const cursor = query.get('cursor')
  return { limit: readLimit(query), direction, from: cursor ? readHistoryCursor(app, list, cursor) : null }
}

/** The filters of the admin's history, in any combination. Throws `bad_request` for values that no row can have. */
export function readFilters(query: URLSearchParams): HistoryFilter {
  const [payer, txHash, success] = ['payer', 'tx_hash', 'success'].map((name) => query.get(name))
  return {
    ...readTenants(query),
    ...(payer == null ? {} : { payer: payerOf(payer) }),
    ...(txHash == null ? {} : { txHash: transactionOf(txHash) }),
    ...(success == null ? {} : { success: successOf(success) }),
  }
}

/** The tenants that the admin selects: an owner's, one tenant, or one of that owner. Throws `bad_request`. */
export function readTenants(query: URLSearchParams): Pick<HistoryFilter, 'owner' | 'tenantId'> {
  const [owner, tenantId] = [readOwner(query), query.get('tenant_id')]
  return {
    ...(owner === null ? {} : { owner }),
    ...(tenantId === null ? {} : { tenantId: tenantOf(tenantId) }),
  }
}

/** The owner that an admin selects, a wallet in any form; null for all. Throws `bad_request`. */
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

// In the form of payments: EVM in lower case, base58 unchanged.
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

const EVM_ADDRESS = /^0x[0-9a-fA-F]{40}$/
const SVM_ADDRESS = /^[1-9A-HJ-NP-Za-km-z]{32,44}$/
const EVM_HASH = /^0x[0-9a-fA-F]{64}$/
// 64 bytes in base58: each leading zero byte is one character, so the shortest form has 64.
const SVM_SIGNATURE = /^[1-9A-HJ-NP-Za-km-z]{64,88}$/

/** An address as history stores it: EVM in lower case, base58 unchanged. Null when invalid. */
export function readAddress(written: string): string | null {
  if (EVM_ADDRESS.test(written)) return written.toLowerCase()
  return SVM_ADDRESS.test(written) ? written : null
}

/** A transaction as history stores it. Null when invalid. */
export function readTransaction(written: string): string | null {
  if (EVM_HASH.test(written)) return written.toLowerCase()
  return SVM_SIGNATURE.test(written) ? written : null
}

/** Reads a search: a transaction, or an address of payer or recipient. Throws `bad_request` for anything else. */
export function readSearch(written: string): Pick<HistoryFilter, 'txHash' | 'party'> {
  const text = written.trim()
  const txHash = readTransaction(text)
  if (txHash !== null) return { txHash }
  const party = readAddress(text)
  if (party !== null) return { party }
  throw malformed('search for a whole transaction hash or a whole address')
}
