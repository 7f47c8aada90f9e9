'use client'

import { createParser, parseAsString, parseAsStringLiteral, useQueryStates } from 'nuqs'
import { environments, networkIds } from '@/server/x402/networks'

/** The pattern of a UUID, also for inputs. */
export const UUID = '[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}'

/** Reads a UUID from the URL and ignores anything else. */
export const parseAsUuid = createParser({
  parse: (text) => (new RegExp(`^${UUID}$`).test(text) ? text.toLowerCase() : null),
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

/** The filters of a list, kept in the URL. */
export function useFilters() {
  const [values, change] = useQueryStates(parsers, { history: 'push', clearOnDefault: true })
  const filter = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null && value !== '')) as Filter
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

/** Whose settlements the list shows. */
export type ReaderName = 'merchant' | 'payer' | 'agent' | 'admin'
