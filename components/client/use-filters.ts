'use client'

import {
  createParser,
  type Options,
  parseAsArrayOf,
  parseAsNativeArrayOf,
  parseAsString,
  parseAsStringLiteral,
  useQueryStates,
} from 'nuqs'
import { type Filter, filterOf, filterParsers, uuid } from './filter-parsers'
import { useEnvironment } from './use-environment'
import { pageParser } from './use-pages'

/** Reads a UUID from the URL and ignores anything else. */
export const parseAsUuid = createParser(uuid)

const nuqs = { createParser, parseAsArrayOf, parseAsNativeArrayOf, parseAsString, parseAsStringLiteral }
const parsers = { ...filterParsers(nuqs), ...pageParser }

/** The filters of a list, kept in the URL, in the environment of all screens. `ready` once that is known. */
export function useFilters() {
  const [{ page: _, ...values }, setValues] = useQueryStates(parsers, { history: 'push', clearOnDefault: true })
  const { environment, networks } = useEnvironment()
  const change: ChangeFilter = (to, options) => setValues({ ...to, page: null }, options)
  const own = filterOf({ ...values, environment: null, network: networks })
  return {
    filter: environment ? { ...own, environment } : own,
    ready: environment !== undefined,
    change,
    clear: () => setValues({ ...NOTHING, environment: values.environment, page: null }),
    any: Object.keys(own).length > 0,
    /** The name of its only filter. */
    only: Object.keys(own).length === 1 ? Object.keys(own)[0] : undefined,
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
  recipient: null,
  transaction: null,
  owner: null,
  tenant: null,
}

/** Changes filters; null clears one. The list starts at its first page. */
export type ChangeFilter = (to: { [Name in keyof Filter]?: Filter[Name] | null }, options?: Options) => unknown

/** The query of a link to a list with these filters. */
export function queryOf({ resource = [], ...filter }: Filter): URLSearchParams {
  const pairs = Object.entries(filter).map(([name, value]) => [name, String(value)])
  return new URLSearchParams([...pairs, ...resource.map((one) => ['resource', one])])
}
