import { createParser, type inferParserType, parseAsArrayOf, parseAsString, parseAsStringLiteral } from 'nuqs/server'
import { environments, networkIds } from '@/server/x402/networks'
import type { Filter } from './use-filters'

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

/** How the URL holds the filters of a list. */
export const filterParsers = {
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

/** The filters that are set. */
export function filterOf(values: inferParserType<typeof filterParsers>): Filter {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => isSet(value))) as Filter
}

const isSet = (value: string | readonly string[] | null) => value !== null && value.length > 0
