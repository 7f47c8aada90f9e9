'use client'

import { createParser, parseAsArrayOf, parseAsString, parseAsStringLiteral, useQueryStates } from 'nuqs'
import { environments, networkIds } from '@/server/x402/networks'
import { useEnvironment } from '../data/environment'

/** The pattern of a UUID, also for inputs. */
export const UUID = '[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}'

/** Reads a UUID from the URL and ignores anything else. */
export const parseAsUuid = createParser({
  parse: (text) => (new RegExp(`^${UUID}$`).test(text) ? text.toLowerCase() : null),
  serialize: (id: string) => id,
})

const parseAsMoment = createParser({
  parse: (text) => (Number.isNaN(Date.parse(text)) ? null : new Date(text).toISOString()),
  serialize: (moment: string) => moment,
})

const parseAsReason = createParser({
  parse: (text) => (/^[a-z0-9_]{1,100}$/.test(text) ? text : null),
  serialize: (code: string) => code,
})

const parsers = {
  status: parseAsStringLiteral(['success', 'failed'] as const),
  network: parseAsStringLiteral(networkIds),
  environment: parseAsStringLiteral(environments),
  from: parseAsMoment,
  to: parseAsMoment,
  reason: parseAsArrayOf(parseAsReason),
  key: parseAsUuid,
  resource: parseAsString,
  search: parseAsString,
  asset: parseAsString,
  payer: parseAsString,
  transaction: parseAsString,
  owner: parseAsString,
  tenant: parseAsUuid,
}

/** The filters of a list, kept in the URL, in the environment of all screens. `ready` once that is known. */
export function useFilters() {
  const [values, change] = useQueryStates(parsers, { history: 'push', clearOnDefault: true })
  const { environment, network } = useEnvironment()
  const chosen = { ...values, environment: null, network }
  const own = Object.fromEntries(Object.entries(chosen).filter(([, value]) => isSet(value))) as Filter
  return {
    filter: environment ? { ...own, environment } : own,
    ready: environment !== undefined,
    change,
    clear: () => change({ ...NOTHING, environment: values.environment }),
    any: Object.keys(own).length > 0,
    searchOnly: own.search !== undefined && Object.keys(own).length === 1,
  }
}

const NOTHING = {
  ...{ status: null, network: null, from: null, to: null, reason: null, key: null, resource: null, search: null, asset: null },
  ...{ payer: null, transaction: null, owner: null, tenant: null },
}

const isSet = (value: string | readonly string[] | null) => value !== null && value.length > 0

export type Filter = {
  status?: 'success' | 'failed'
  network?: (typeof networkIds)[number]
  environment?: (typeof environments)[number]
  /** The first moment, and the first moment after the range. */
  from?: string
  to?: string
  reason?: string[]
  key?: string
  resource?: string
  search?: string
  /** The token, by its symbol. */
  asset?: string
  payer?: string
  transaction?: string
  /** For administrators. */
  owner?: string
  tenant?: string
}

/** Changes filters; null clears one. */
export type ChangeFilter = (to: { [Name in keyof Filter]?: Filter[Name] | null }) => unknown

/** The query of a link to a list with these filters. */
export function queryOf({ reason, ...filter }: Filter): URLSearchParams {
  return new URLSearchParams({ ...filter, ...(reason ? { reason: reason.join(',') } : {}) })
}

/** Whose settlements the list shows. */
export type ReaderName = 'merchant' | 'payer' | 'agent' | 'admin'
