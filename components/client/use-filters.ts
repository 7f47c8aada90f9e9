'use client'

import { createParser, parseAsArrayOf, parseAsString, parseAsStringLiteral, useQueryStates } from 'nuqs'
import { type Filter, filterOf, filterParsers, uuid } from './filter-parsers'
import { useEnvironment } from './use-environment'

/** Reads a UUID from the URL and ignores anything else. */
export const parseAsUuid = createParser(uuid)

const parsers = filterParsers({ createParser, parseAsArrayOf, parseAsString, parseAsStringLiteral })

/** The filters of a list, kept in the URL, in the environment of all screens. `ready` once that is known. */
export function useFilters() {
  const [values, setValues] = useQueryStates(parsers, { history: 'push', clearOnDefault: true })
  const { environment, network } = useEnvironment()
  const own = filterOf({ ...values, environment: null, network })
  return {
    filter: environment ? { ...own, environment } : own,
    ready: environment !== undefined,
    change: setValues,
    clear: () => setValues({ ...NOTHING, environment: values.environment }),
    any: Object.keys(own).length > 0,
    searchOnly: own.search !== undefined && Object.keys(own).length === 1,
  }
}

const NOTHING = {
  status: null,
  network: null,
  from: null,
  to: null,
  reason: null,
  key: null,
  resource: null,
  search: null,
  asset: null,
  payer: null,
  transaction: null,
  owner: null,
  tenant: null,
}

/** Changes filters; null clears one. */
export type ChangeFilter = (to: { [Name in keyof Filter]?: Filter[Name] | null }) => unknown

/** The query of a link to a list with these filters. */
export function queryOf({ reason, ...filter }: Filter): URLSearchParams {
  return new URLSearchParams({ ...filter, ...(reason ? { reason: reason.join(',') } : {}) })
}
