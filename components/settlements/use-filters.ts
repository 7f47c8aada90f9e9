'use client'

import { createParser, parseAsString, parseAsStringLiteral, useQueryStates } from 'nuqs'
import { environments, networkIds } from '@/server/x402/networks'

/** How ids of tenants are written, as a pattern of an input too. */
export const UUID = '[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}'

/** An id in the address of a page; what is none narrows nothing. */
export const parseAsUuid = createParser({
  parse: (written) => (new RegExp(`^${UUID}$`).test(written) ? written.toLowerCase() : null),
  serialize: (id: string) => id,
})

const parsers = {
  status: parseAsStringLiteral(['success', 'failed'] as const),
  network: parseAsStringLiteral(networkIds),
  environment: parseAsStringLiteral(environments),
  key: parseAsString,
  resource: parseAsString,
  search: parseAsString,
  payer: parseAsString,
  transaction: parseAsString,
  owner: parseAsString,
  tenant: parseAsUuid,
}

/** What narrows the list, in the address of the page. */
export function useFilters() {
  const [written, change] = useQueryStates(parsers, { history: 'push', clearOnDefault: true })
  const filter = Object.fromEntries(Object.entries(written).filter(([, value]) => value !== null && value !== '')) as Filter
  return { filter, change, clear: () => change(null), any: Object.keys(filter).length > 0 }
}

export type Filter = {
  status?: 'success' | 'failed'
  network?: (typeof networkIds)[number]
  environment?: (typeof environments)[number]
  key?: string
  resource?: string
  search?: string
  payer?: string
  transaction?: string
  /** For administrators. */
  owner?: string
  tenant?: string
}
