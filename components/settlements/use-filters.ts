'use client'

import { parseAsString, parseAsStringLiteral, useQueryStates } from 'nuqs'
import { environments } from '@/server/x402/environments'
import { networkIds } from '@/server/x402/networks'

const parsers = {
  status: parseAsStringLiteral(['success', 'failed'] as const),
  network: parseAsStringLiteral(networkIds),
  environment: parseAsStringLiteral(environments),
  key: parseAsString,
  resource: parseAsString,
  search: parseAsString,
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
}
