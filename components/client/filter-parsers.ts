import type {
  createParser,
  inferParserType,
  parseAsArrayOf,
  parseAsNativeArrayOf,
  parseAsString,
  parseAsStringLiteral,
} from 'nuqs/server'
import { environments, networkIds } from '@/server/x402/networks/networks'

/** A UUID in small letters; null for anything else. */
export const uuidOf = (text: string): string | null =>
  /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text) ? text.toLowerCase() : null

/** The parts of nuqs that parse. */
type Nuqs = {
  createParser: typeof createParser
  parseAsArrayOf: typeof parseAsArrayOf
  parseAsNativeArrayOf: typeof parseAsNativeArrayOf
  parseAsString: typeof parseAsString
  parseAsStringLiteral: typeof parseAsStringLiteral
}

/** How the URL holds the filters of a list. The library has a copy for servers, and a browser should load one copy only. */
export function filterParsers(nuqs: Nuqs) {
  const { createParser, parseAsArrayOf, parseAsNativeArrayOf, parseAsString, parseAsStringLiteral } = nuqs
  const parseAsUuid = createParser(uuid)
  const parseAsMoment = createParser(moment)
  return {
    status: parseAsStringLiteral(['success', 'failed'] as const),
    network: parseAsArrayOf(parseAsStringLiteral(networkIds)),
    environment: parseAsStringLiteral(environments),
    from: parseAsMoment,
    to: parseAsMoment,
    reason: parseAsArrayOf(createParser(reason)),
    key: parseAsArrayOf(parseAsUuid),
    // One parameter each: a resource may have a comma.
    resource: parseAsNativeArrayOf(parseAsString),
    search: parseAsString,
    asset: parseAsString,
    payer: parseAsArrayOf(parseAsString),
    recipient: parseAsArrayOf(parseAsString),
    transaction: parseAsString,
    owner: parseAsString,
    tenant: parseAsUuid,
  }
}

/** Reads a UUID and ignores anything else. */
export const uuid = {
  parse: uuidOf,
  serialize: (id: string) => id,
}

const moment = {
  parse: (text: string) => (Number.isNaN(Date.parse(text)) ? null : new Date(text).toISOString()),
  serialize: (at: string) => at,
}

const reason = {
  parse: (text: string) => (/^[a-z0-9_]{1,100}$/.test(text) ? text : null),
  serialize: (code: string) => code,
}

/** What a list may be filtered by: of several values of a filter, one must hold. */
export type Filter = {
  status?: 'success' | 'failed'
  network?: (typeof networkIds)[number][]
  environment?: (typeof environments)[number]
  /** The first moment, and the first moment after the range. */
  from?: string
  to?: string
  reason?: string[]
  key?: string[]
  resource?: string[]
  search?: string
  /** The token, by its symbol. */
  asset?: string
  payer?: string[]
  recipient?: string[]
  transaction?: string
  /** For administrators. */
  owner?: string
  tenant?: string
}

/** The filters that are set. */
export function filterOf(values: inferParserType<ReturnType<typeof filterParsers>>): Filter {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => isSet(value))) as Filter
}

const isSet = (value: string | readonly string[] | null) => value !== null && value.length > 0

/** Whose settlements the list shows. */
export type ReaderName = 'merchant' | 'payer' | 'agent' | 'admin'
