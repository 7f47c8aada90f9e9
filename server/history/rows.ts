import { z } from 'zod'
import type { OwnerFilter } from '../accounts/tenant-queries'
import type { TenantFilter } from '../analytics/queries'
import type { App } from '../app'
import { displayAddress } from '../x402/addresses'
import { storable } from '../x402/json'
import { environments, networkIds } from '../x402/networks'
import { readHistoryCursor, writeHistoryCursor } from './cursors'
import { readAddress, readSearch, readTransaction } from './filters'
import { type HistoryEntry, pageOfHistory, type Reader, settlementDetails } from './history'
import type { HistoryFilter } from './queries'

const PAGE = 50
const TEXT_MAX = 2_048
const OWNER_MAX = 200

/** A text that `read` accepts, in the form that history stores. */
const readBy = (read: (written: string) => string | null, what: string) =>
  z
    .string()
    .max(TEXT_MAX)
    .transform((written, context) => {
      const known = read(written.trim())
      if (known === null) context.addIssue({ code: 'custom', message: `must be ${what}` })
      return known ?? ''
    })

/** An address in the form that history and settings store. */
export const address = readBy(readAddress, 'an address: 0x and 40 hex digits, or base58')

/** The filters of a list of settlements, with the same names as in the page's URL. Owner and tenant are for administrators. */
export const listFilter = z.object({
  status: z.enum(['success', 'failed']).optional(),
  network: z.enum(networkIds).optional(),
  environment: z.enum(environments).optional(),
  key: z.uuid().optional(),
  resource: storable.max(TEXT_MAX).optional(),
  search: z.string().max(TEXT_MAX).optional(),
  payer: address.optional(),
  transaction: readBy(readTransaction, 'a transaction: 0x and 64 hex digits, or a base58 signature').optional(),
  owner: storable.trim().max(OWNER_MAX).optional(),
  tenant: z.uuid().optional(),
})

/** A page of such a list: older or newer than the cursor. */
export const listPage = listFilter.extend({
  cursor: z.string().max(TEXT_MAX).nullish(),
  direction: z.enum(['before', 'after', 'forward', 'backward']).default('before'),
  limit: z.int().min(1).max(100).default(PAGE),
})

export const detailsInput = z.object({ id: z.uuid() })

/** A page of a reader's history; its cursors are valid for this reader and these filters only. */
export async function listSettlements(app: App, reader: Reader, scope: HistoryFilter, input: z.output<typeof listPage>) {
  const filter = { ...filterOf(reader, input), ...scope }
  const list = JSON.stringify(['dashboard', reader, filter])
  const { cursor, limit } = input
  const direction = input.direction === 'after' || input.direction === 'backward' ? 'after' : 'before'
  const page = await pageOfHistory(app, reader, filter, {
    limit,
    direction,
    from: cursor ? readHistoryCursor(app, list, cursor) : null,
  })
  return {
    settlements: page.entries.map(shownEntry),
    cursor: page.cursor ? writeHistoryCursor(app, list, page.cursor) : (cursor ?? null),
    hasMore: page.hasMore,
  }
}

/** All details of one settlement that a reader may see. */
export async function detailsOf(app: App, reader: Reader, scope: HistoryFilter, id: string) {
  const { entry, timeline } = await settlementDetails(app, reader, scope, id)
  const steps = timeline?.steps.map(({ to, at }) => ({ to, at: at.toISOString() })) ?? []
  return {
    ...shownEntry(entry),
    settlementId: timeline?.settlementId ?? null,
    state: timeline?.state ?? null,
    block: timeline?.block ?? null,
    steps,
  }
}

/** A settlement on a screen: amounts are digits of atomic units. */
export type Shown = ReturnType<typeof shownEntry>

function shownEntry({ agents, ...row }: HistoryEntry) {
  return {
    id: row.id,
    createdAt: row.createdAt.toISOString(),
    success: row.success,
    txHash: row.txHash,
    network: row.network,
    amount: row.amount,
    tenantId: row.tenantId,
    payer: displayAddress(row.payer),
    resource: row.resource,
    payTo: displayAddress(row.payTo),
    plan: row.plan,
    errorReason: row.success ? null : (row.errorReason ?? 'unknown'),
    agents,
  }
}

/** The filters of a reader's list for the database. Throws `bad_request` for a search that can match nothing. */
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

/** The tenants that an administrator selects: those of an owner of either kind, one tenant, or one of that owner. */
export function tenantsOf(asked: { owner?: string | undefined; tenant?: string | undefined }): TenantFilter {
  return {
    ...(asked.owner ? { owner: ownerIn(asked.owner) } : {}),
    ...(asked.tenant ? { tenantId: asked.tenant } : {}),
  }
}

/** An owner of either kind, a wallet in any form. */
export const ownerIn = (id: string): OwnerFilter => ({ kinds: ['oidc', 'wallet'], id })
