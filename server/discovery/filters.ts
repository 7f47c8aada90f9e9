import type { App } from '../app'
import { bytes32 } from '../x402/encodings'
import { malformed } from '../x402/json'
import type { Prefix } from '../x402/networks'
import { type NetworkId, readNetwork } from '../x402/networks'
import { environmentFor, type PageQuery, readOffset, SEARCH_OFFSET_MAX } from './catalog'
import type { CatalogFilter } from './queries'

const LIMIT_MAX = 100
const OFFSET_MAX = 10_000
const SEARCH_LIMIT = 20
/** The maximum length of a search. */
export const WORDS_MAX = 200

type CatalogScope = { app: App; prefix: Prefix | null }

/** Reads the query of `GET /discovery/resources`. A limit above 100 becomes 100; throws `bad_request` for invalid parameters. */
export function readListing(scope: CatalogScope, query: URLSearchParams): PageQuery {
  const limit = Math.min(wholeIn(query, 'limit', LIMIT_MAX, 'a whole number from 1 to 100', 1), LIMIT_MAX)
  const offset = wholeIn(query, 'offset', 0, `a whole number from 0 to ${OFFSET_MAX}`, 0)
  if (offset > OFFSET_MAX) throw malformed(`offset must be at most ${OFFSET_MAX}; narrow the list by network or payTo instead`)
  return { filter: filterIn(scope, query), words: null, limit, offset }
}

/** Reads the query of `GET /discovery/search`. Throws `bad_request` without words or with a foreign cursor. */
export function readSearch(scope: CatalogScope, query: URLSearchParams): PageQuery {
  const words = wordsIn(query.get('query') ?? '')
  if (words === '') throw malformed('query is missing: say what you are looking for, such as ?query=weather')
  if (words.length > WORDS_MAX) throw malformed(`query must be at most ${WORDS_MAX} characters`)
  const limit = Math.min(wholeIn(query, 'limit', SEARCH_LIMIT, 'a whole number from 1 to 100', 1), LIMIT_MAX)
  const cursor = query.get('cursor')
  const offset = cursor ? readOffset(cursor) : 0
  if (offset === null) throw malformed('cursor is not one of this search; omit it to start from the beginning')
  return { filter: filterIn(scope, query), words, limit, offset: Math.min(offset, SEARCH_OFFSET_MAX) }
}

/** The search words in canonical form; empty without any. */
export function wordsIn(written: string): string {
  return written
    .replace(/[\s\0]+/g, ' ')
    .trim()
    .toLowerCase()
}

function wholeIn(query: URLSearchParams, name: string, usual: number, what: string, least: number): number {
  const written = query.get(name) ?? String(usual)
  if (!/^\d{1,9}$/.test(written) || Number(written) < least) throw malformed(`${name} must be ${what}`)
  return Number(written)
}

/** The filters of official clients, normalised. Null when nothing can match. */
function filterIn({ app, prefix }: CatalogScope, query: URLSearchParams): CatalogFilter | null {
  if ((query.get('type') ?? 'http') !== 'http') throw malformed('type must be "http": nothing else is listed')
  const network = networkIn(query.get('network'))
  const payTo = addressIn(query.get('payTo'))
  const extensions = query.get('extensions')
  const served = network === 'foreign' ? null : environmentFor(app, prefix, network)
  const possible = (query.get('scheme') ?? 'exact') === 'exact' && (extensions === null || extensions === 'bazaar')
  if (served === null || network === 'foreign' || !possible) return null
  return { environment: served, network, payTo, x402Version: extensions === null ? null : 2 }
}

function networkIn(written: string | null): NetworkId | 'foreign' | null {
  if (written === null) return null
  const network = readNetwork(written)
  if (!network) throw malformed('network must be a network name, such as "eip155:8453"')
  return 'known' in network ? network.known : 'foreign'
}

function addressIn(written: string | null): string | null {
  if (written === null) return null
  if (/^0x[0-9a-fA-F]{40}$/.test(written)) return written.toLowerCase()
  if (bytes32(written) !== null) return written
  throw malformed('payTo must be an address: 0x and 40 hex digits, or base58')
}
