import { z } from 'zod'
import type { App } from '../app'
import { fromDigits, pageLimit } from '../http/page'
import { symbolQuery } from '../http/schemas'
import { bytes32 } from '../x402/encodings'
import { LISTED_DAYS } from '../x402/listing-url'
import { tokenNamed, USDC } from '../x402/networks/assets'
import { type NetworkId, type Prefix, readNetwork } from '../x402/networks/networks'
import { schemeNames, USUAL_SCHEME } from '../x402/schemes/scheme-names'
import { listingTypes } from './bazaar'
import { environmentFor, type PageQuery, readOffset, SEARCH_OFFSET_MAX } from './catalog'
import type { CatalogFilter } from './queries'

const OFFSET_MAX = 10_000
const NOT_AN_OFFSET = `must be a whole number from 0 to ${OFFSET_MAX}`
const TOO_FAR = `must be at most ${OFFSET_MAX}; narrow the list by network or payTo instead`
/** The maximum length of a search. */
export const WORDS_MAX = 200

const NOT_DAYS = `must be a whole number from 1 to ${LISTED_DAYS}`

/** The highest price in whole tokens. */
const priceFilter = z
  .string()
  .regex(/^\d{1,12}(\.\d{1,18})?$/, 'must be a price in whole tokens, such as 0.01')
  .meta({ description: 'The highest price in whole tokens of `asset`.', examples: ['0.01'] })
  .optional()

/** The token of a price. */
const assetFilter = symbolQuery.describe('The token of the price, by its symbol. Default: USDC with `maxPrice`, else any.')

const catalogFilters = {
  type: z
    .enum(listingTypes, 'must be "http" or "mcp"')
    .default('http')
    .meta({ description: 'Resources of HTTP, or tools of MCP servers.' }),
  network: z
    .string()
    .meta({ examples: ['eip155:8453'] })
    .transform((written, context): NetworkId | 'foreign' => {
      const network = readNetwork(written)
      if (network) return 'known' in network ? network.known : 'foreign'
      context.addIssue('must be a network name, such as "eip155:8453"')
      return z.NEVER
    })
    .optional()
    .meta({ description: 'A CAIP-2 id or a version 1 name; selects the mainnet or the testnet catalog.' }),
  payTo: z
    .string()
    .meta({ examples: ['0x209693Bc6afc0C5328bA36FaF03C514EF312287C'] })
    .transform((written, context) => {
      if (/^0x[0-9a-fA-F]{40}$/.test(written)) return written.toLowerCase()
      if (bytes32(written) === null) context.addIssue('must be an address: 0x and 40 hex digits, or base58')
      return written
    })
    .optional()
    .meta({ description: 'Only resources that pay this address.' }),
  maxPrice: priceFilter,
  asset: assetFilter,
  paidWithinDays: z
    .preprocess(
      fromDigits,
      z
        .int(NOT_DAYS)
        .min(1, NOT_DAYS)
        .max(LISTED_DAYS, NOT_DAYS)
        .meta({ examples: [7] }),
    )
    .optional()
    .meta({ description: 'Only resources that were paid for in so many days.' }),
  scheme: z
    .string()
    .optional()
    .meta({ description: 'Only resources that are paid so.', examples: [USUAL_SCHEME] }),
  extensions: z
    .string()
    .optional()
    .meta({ description: '`bazaar` excludes entries of version 1.', examples: ['bazaar'] }),
}

/** The query of the list. */
export const listQuery = z.object({
  limit: pageLimit(100),
  offset: z
    .preprocess(fromDigits, z.int(NOT_AN_OFFSET).min(0, NOT_AN_OFFSET).max(OFFSET_MAX, TOO_FAR).default(0))
    .meta({ description: 'How many entries to skip.' }),
  ...catalogFilters,
})

/** The query of a search. */
export const searchQuery = z.object({
  query: z
    .preprocess((written) => written ?? '', z.string().meta({ examples: ['weather in lisbon'] }))
    .transform(wordsIn)
    .refine((words) => words !== '', 'is missing: add what you look for, such as ?query=weather')
    .refine((words) => words.length <= WORDS_MAX, `must be at most ${WORDS_MAX} characters`)
    .meta({ description: `The words to search for: 1 to ${WORDS_MAX} characters.` }),
  limit: pageLimit(20),
  cursor: z
    .string()
    .meta({ examples: ['bzIw'] })
    .transform((written, context) => {
      const offset = written === '' ? 0 : readOffset(written)
      if (offset === null) context.addIssue('is not a cursor of this search; omit it to start from the beginning')
      return offset ?? 0
    })
    .optional()
    .meta({ description: 'The `cursor` of the previous page.' }),
  ...catalogFilters,
})

type Place = { app: App; prefix: Prefix | null }

/** The requested page of the list. */
export function askedList(place: Place, { limit, offset, ...filters }: z.output<typeof listQuery>): PageQuery {
  return { filter: filterIn(place, filters), words: null, limit, offset }
}

/** The requested page of a search. */
export function askedSearch(place: Place, asked: z.output<typeof searchQuery>): PageQuery {
  const { query: words, limit, cursor: offset = 0, ...filters } = asked
  return { filter: filterIn(place, filters), words, limit, offset: Math.min(offset, SEARCH_OFFSET_MAX) }
}

/** The search words in canonical form; empty without any. */
export function wordsIn(written: string): string {
  return written
    .replace(/[\s\0]+/g, ' ')
    .trim()
    .toLowerCase()
}

type Filters = Pick<
  z.output<typeof listQuery>,
  'type' | 'network' | 'payTo' | 'scheme' | 'extensions' | 'maxPrice' | 'asset' | 'paidWithinDays'
>

// The filters of official clients; null if nothing can match.
function filterIn(
  { app, prefix }: Place,
  { type, network, payTo, scheme, extensions, maxPrice, asset, paidWithinDays }: Filters,
): CatalogFilter | null {
  if (network === 'foreign' || (extensions ?? 'bazaar') !== 'bazaar') return null
  if (scheme !== undefined && !schemeNames.some((known) => known === scheme)) return null
  const environment = environmentFor(app, prefix, network ?? null)
  const version = { x402Version: extensions === undefined ? null : 2 } as const
  const paidBy = scheme === undefined ? {} : { scheme }
  const fresh = paidWithinDays === undefined ? {} : { seenDays: paidWithinDays }
  const chosen = { ...version, ...paidBy, ...pricedIn(asset ?? null, maxPrice ?? null), ...fresh }
  return environment && { environment, type, network: network ?? null, payTo: payTo ?? null, ...chosen }
}

/** The filter of a highest price in whole tokens, which compares with prices in one token only: USDC unless another is named. */
export function pricedIn(asset: string | null, price: string | null): Pick<CatalogFilter, 'symbol' | 'priceMax'> {
  const { symbol, decimals } = tokenNamed(asset ?? USDC.symbol)
  if (price === null) return asset === null ? {} : { symbol }
  return { symbol, priceMax: String(atomicOf(price, decimals)) }
}

// Digits beyond those of the token are cut: no price has them.
function atomicOf(price: string, decimals: number): bigint {
  const [whole = '0', fraction = ''] = price.split('.')
  return BigInt(whole + fraction.slice(0, decimals).padEnd(decimals, '0'))
}
