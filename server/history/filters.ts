import { z } from 'zod'
import { ownerQuery, tenantQuery } from '../accounts/schemas'
import { ownerIn, tenantFilter } from '../accounts/tenant-queries'
import { pageLimit } from '../http/page'
import { knownNetwork, momentInput, symbolQuery } from '../http/schemas'
import { addressInput, asAddress, asTransaction, transactionInput } from '../x402/addresses'
import { storable } from '../x402/json'
import { environments } from '../x402/networks/networks'
import { RESOURCE_MAX } from '../x402/wire'
import type { ListFilter } from './list-queries'
import type { HistoryFilter } from './queries'
import { readSearch } from './search'

const PAGE = 50
const TEXT_MAX = 2_048
const OWNER_MAX = 200

/** The roles that read histories. */
export const readers = ['merchant', 'payer', 'agent', 'admin'] as const

/** A merchant or an agent sees the settlements of its keys, a payer its payments, the admin all. */
export type Reader = (typeof readers)[number]

/** The query of every history endpoint. */
export const pageQuery = z.object({
  limit: pageLimit(PAGE),
  cursor: z
    .string()
    .optional()
    .meta({ description: 'The `cursor` of an earlier page with the same reader and filters.', examples: ['AZk1…'] }),
  direction: z
    .enum(['before', 'after'], 'must be before (older, the default) or after (newer)')
    .default('before')
    .meta({ description: '`before`: older entries than that page; `after`: the next newer ones.' }),
})

const TRUTH = new Map<unknown, boolean>([
  ['true', true],
  ['false', false],
])

/** The query of the admin's history. Rows must match all given filters. */
export const adminQuery = pageQuery.extend({
  owner_id: ownerQuery,
  tenant_id: tenantQuery,
  payer: z
    .string()
    .meta({ examples: ['0x857b06519E91e3A54538791bDbb0E22373e36b66'] })
    .transform(asAddress)
    .optional()
    .meta({ description: 'Only payments of this wallet.' }),
  tx_hash: z
    .string()
    .meta({ examples: ['0x89c91c789e57059b17285e7ba1716a1f5ff4c5dace0ea5a5135f26158d0421b9'] })
    .transform(asTransaction)
    .optional()
    .meta({ description: 'Only this transaction.' }),
  success: z
    .preprocess(
      (written) => TRUTH.get(written) ?? written,
      z
        .boolean('must be true or false')
        .meta({ examples: [false] })
        .optional(),
    )
    .meta({ description: 'True: only successes. False: only failures.' }),
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

/** How many values one filter may have. The codes of a few titles are more. */
const CHOICES_MAX = 16
const REASONS_MAX = 100

// A file names several in one text: `reason=a,b`. Only a resource may have a comma.
const choices = <Item extends z.ZodType>(item: Item, { max = CHOICES_MAX, separator = ',' as string | null } = {}) =>
  z.preprocess(
    (written) => (typeof written !== 'string' ? written : separator === null ? [written] : written.split(separator)),
    z.array(item).max(max).optional(),
  )

/** The orders of a list. By amount, it has only the newest settlements of its range. */
const listOrders = ['newest', 'oldest', 'largest', 'smallest'] as const

/**
 * The filters of a list on a screen, named as in the page's URL. `to` is the first moment after the range. A filter without values filters nothing. Owner and tenant are for
 * administrators.
 */
export const listFilter = z.object({
  status: z.enum(['success', 'failed']).optional(),
  network: choices(knownNetwork),
  environment: z.enum(environments).optional(),
  from: momentInput.optional(),
  to: momentInput.optional(),
  reason: choices(z.string().regex(/^[a-z0-9_]{1,100}$/), { max: REASONS_MAX }),
  key: choices(z.uuid()),
  resource: choices(storable.max(RESOURCE_MAX), { separator: null }),
  search: storable.max(TEXT_MAX).optional(),
  asset: symbolQuery,
  payer: choices(addressInput),
  recipient: choices(addressInput),
  transaction: transactionInput.optional(),
  owner: storable.trim().max(OWNER_MAX).optional(),
  tenant: z.uuid().optional(),
})

/** A page of such a list: older than the cursor, or newer. */
export const listPage = listFilter.extend({
  sort: z.enum(listOrders).default('newest'),
  cursor: z.string().max(TEXT_MAX).nullish(),
  direction: z.enum(['before', 'after', 'forward', 'backward']).default('before'),
  limit: z.int().min(1).max(100).default(PAGE),
})

/** A search over all that a reader has. */
export const findInput = z.object({
  search: storable.trim().min(2).max(TEXT_MAX),
  environment: z.enum(environments).optional(),
})

/** The database filter of a reader's list. */
export function filterOf(reader: Reader, input: z.output<typeof listFilter>): ListFilter {
  const { status, environment, from, to, search, asset, transaction } = input
  return {
    ...(status === undefined ? {} : { success: status === 'success' }),
    ...(environment === undefined ? {} : { environment }),
    ...(from === undefined ? {} : { since: from }),
    ...(to === undefined ? {} : { until: to }),
    ...chosen('networks', input.network),
    ...chosen('reasons', input.reason),
    ...chosen('tenantIds', input.key),
    ...chosen('resources', input.resource),
    ...chosen('payers', input.payer),
    ...chosen('payTos', input.recipient),
    ...(search === undefined || search.trim() === '' ? {} : readSearch(search)),
    ...(asset === undefined ? {} : { symbol: asset }),
    ...(transaction === undefined ? {} : { txHash: transaction }),
    ...(reader === 'admin' ? tenantsOf(input) : {}),
  }
}

type Choice = 'networks' | 'reasons' | 'tenantIds' | 'resources' | 'payers' | 'payTos'

function chosen(name: Choice, values: readonly string[] | undefined): { [Name in Choice]?: readonly string[] } {
  const given = (values ?? []).filter((value) => value !== '')
  return given.length === 0 ? {} : { [name]: given }
}

/** The tenants that an administrator selects on a screen. */
export const tenantsOf = ({ owner, tenant }: { owner?: string | undefined; tenant?: string | undefined }) =>
  tenantFilter(owner ? ownerIn(owner) : undefined, tenant)
