import type { App } from '../services/app'
import type { Bookmark, HistoryFilter, PageRequest, Position } from '../store/history-pages'
import { malformed } from '../x402/json'
import { readLimit, readText } from './page'
import { isUuid } from './request'
import { seal, unseal } from './sealed'

const OWNER_MAX = 200
const EVM_ADDRESS = /^0x[0-9a-fA-F]{40}$/
const SVM_ADDRESS = /^[1-9A-HJ-NP-Za-km-z]{32,44}$/
const EVM_HASH = /^0x[0-9a-fA-F]{64}$/
const SVM_SIGNATURE = /^[1-9A-HJ-NP-Za-km-z]{64,88}$/

/** The page that a query asks for: `limit`, `direction`, and the `cursor` of an earlier page of the same list. Throws `bad_request`. */
export function readPageRequest({ config }: App, query: URLSearchParams, list: string): PageRequest {
  const direction = query.get('direction') ?? 'before'
  if (direction !== 'before' && direction !== 'after')
    throw malformed('direction must be before (older, the default) or after (newer)')
  const cursor = query.get('cursor')
  return { limit: readLimit(query), direction, from: cursor ? bookmarkOf(unseal(config.cursorKey, list, cursor)) : null }
}

/** A bookmark as the cursor of this list. */
export function writeBookmark({ config }: App, list: string, { oldest, above, seen }: Bookmark): string {
  const written: Written = [tupleOf(oldest), tupleOf(above), seen && [tupleOf(seen.upTo), seen.snapshot]]
  return seal(config.cursorKey, list, written)
}

type Tuple = [at: number, id: string]
type Written = [oldest: Tuple, above: Tuple, seen: [upTo: Tuple, snapshot: string] | null]

const tupleOf = ({ at, id }: Position): Tuple => [at, id]
const positionOf = ([at, id]: Tuple): Position => ({ at, id })

// Nothing but `writeBookmark` makes a value that can be unsealed for a list.
function bookmarkOf(unsealed: unknown): Bookmark {
  const [oldest, above, seen] = unsealed as Written
  return { oldest: positionOf(oldest), above: positionOf(above), seen: seen && { upTo: positionOf(seen[0]), snapshot: seen[1] } }
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
  const [owner, tenantId] = [readText(query, 'owner_id'), query.get('tenant_id')]
  if (owner !== null && owner.length > OWNER_MAX) throw malformed(`owner_id must have at most ${OWNER_MAX} characters`)
  return {
    ...(owner === null ? {} : { owner: { kinds: ['oidc', 'wallet'], id: owner } }),
    ...(tenantId === null ? {} : { tenantId: tenantOf(tenantId) }),
  }
}

function tenantOf(written: string): string {
  if (isUuid(written)) return written.toLowerCase()
  throw malformed('tenant_id must be a UUID')
}

// Kept as payments write them: EVM in lower case, base58 as it is.
function payerOf(written: string): string {
  if (EVM_ADDRESS.test(written)) return written.toLowerCase()
  if (SVM_ADDRESS.test(written)) return written
  throw malformed('payer must be an address: 0x and 40 hex digits, or base58')
}

function transactionOf(written: string): string {
  if (EVM_HASH.test(written)) return written.toLowerCase()
  if (SVM_SIGNATURE.test(written)) return written
  throw malformed('tx_hash must be a transaction: 0x and 64 hex digits, or a base58 signature')
}

function successOf(written: string): boolean {
  if (written === 'true' || written === 'false') return written === 'true'
  throw malformed('success must be true or false')
}
