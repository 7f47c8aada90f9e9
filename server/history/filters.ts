import { z } from 'zod'
import { ownerQuery, tenantQuery } from '../accounts/schemas'
import { ownerIn, tenantFilter } from '../accounts/tenant-queries'
import { pageLimit } from '../http/page'
import { addressInput, asAddress, asTransaction, readAddress, readTransaction, transactionInput } from '../x402/addresses'
import { malformed, storable } from '../x402/json'
import { environments, networkIds } from '../x402/networks'
import type { HistoryFilter } from './queries'

const PAGE = 50
const TEXT_MAX = 2_048
const OWNER_MAX = 200

/** Whom a history is shown to. */
export const readers = ['merchant', 'payer', 'agent', 'admin'] as const

/** A merchant or an agent sees its own keys' settlements, a payer what it paid, the admin everything. */
export type Reader = (typeof readers)[number]

/** The query of every history in the API. */
export const pageQuery = z.object({
  limit: pageLimit(PAGE),
  cursor: z
    .string()
    .optional()
    .meta({ description: 'The `cursor` of an earlier page of the same list, reader and filters.', examples: ['AZk1…'] }),
  direction: z
    .enum(['before', 'after'], 'must be before (older, the default) or after (newer)')
    .default('before')
    .meta({ description: '`before`: older than that page; `after`: the nearest newer ones.' }),
})

const TRUTH = new Map<unknown, boolean>([
  ['true', true],
  ['false', false],
])

/** The query of the admin's history; all filters that are given must hold. */
export const adminQuery = pageQuery.extend({
  owner_id: ownerQuery,
  tenant_id: tenantQuery,
  payer: z
    .string()
    .meta({ examples: ['0x857b06519E91e3A54538791bDbb0E22373e36b66'] })
    .transform(asAddress)
    .optional()
    .meta({ description: 'Only of this wallet.' }),
  tx_hash: z
    .string()
    .meta({ examples: ['0x89c91c789e57059b17285e7ba1716a1f5ff4c5dace0ea5a5135f26158d0421b9'] })
    .transform(asTransaction)
    .optional()
    .meta({ description: 'Only in this transaction.' }),
  success: z
    .preprocess(
      (written) => TRUTH.get(written) ?? written,
      z
        .boolean('must be true or false')
        .meta({ examples: [false] })
        .optional(),
    )
    .meta({ description: 'Only successes, or only failures.' }),
})

/** The filters of the admin's query. */
export function adminFilter({ owner_id, tenant_id, payer, tx_hash, success }: z.output<typeof adminQuery>): HistoryFilter {
  return {
    ...tenantFilter(owner_id, tenant_id),
    ...(payer === undefined ? {} : { payer }),
    ...(tx_hash === undefined ? {} : { txHash: tx_hash }),
    ...(success === undefined ? {} : { success }),
  }
}

/** What narrows a list on a screen; the same names stand in the address of the page. Owner and tenant are for administrators. */
export const listFilter = z.object({
  status: z.enum(['success', 'failed']).optional(),
  network: z.enum(networkIds).optional(),
  environment: z.enum(environments).optional(),
  key: z.uuid().optional(),
  resource: storable.max(TEXT_MAX).optional(),
  search: z.string().max(TEXT_MAX).optional(),
  payer: addressInput.optional(),
  transaction: transactionInput.optional(),
  owner: storable.trim().max(OWNER_MAX).optional(),
  tenant: z.uuid().optional(),
})

/** A page of such a list: older than the cursor, or newer. */
export const listPage = listFilter.extend({
  cursor: z.string().max(TEXT_MAX).nullish(),
  direction: z.enum(['before', 'after', 'forward', 'backward']).default('before'),
  limit: z.int().min(1).max(100).default(PAGE),
})

/** What narrows a reader's list on a screen, to the database. Throws `bad_request` for a search that can find nothing. */
export function filterOf(reader: Reader, input: z.output<typeof listFilter>): HistoryFilter {
  const { status, network, environment, key, resource, search, payer, transaction } = input
  return {
    ...(status === undefined ? {} : { success: status === 'success' }),
    ...(network === undefined ? {} : { network }),
    ...(environment === undefined ? {} : { environment }),
    ...(key === undefined ? {} : { tenantId: key }),
    ...(resource === undefined || resource === '' ? {} : { resource }),
    ...(search === undefined || search.trim() === '' ? {} : readSearch(search)),
    ...(payer === undefined ? {} : { payer }),
    ...(transaction === undefined ? {} : { txHash: transaction }),
    ...(reader === 'admin' ? tenantsOf(input) : {}),
  }
}

/** Whose settlements an administrator asks for on a screen. */
export const tenantsOf = ({ owner, tenant }: { owner?: string | undefined; tenant?: string | undefined }) =>
  tenantFilter(owner ? ownerIn(owner) : undefined, tenant)

// A transaction, or an address on either side.
function readSearch(written: string): Pick<HistoryFilter, 'txHash' | 'party'> {
  const text = written.trim()
  const txHash = readTransaction(text)
  if (txHash !== null) return { txHash }
  const party = readAddress(text)
  if (party !== null) return { party }
  throw malformed('search for a whole transaction hash or a whole address')
}
