import { z } from 'zod'
import type { App } from '../app'
import { fromDigits, pageLimit } from '../http/page'
import { bytes32 } from '../x402/encodings'
import { type NetworkId, type Prefix, readNetwork } from '../x402/networks'
import { environmentFor, type PageQuery, readOffset, SEARCH_OFFSET_MAX } from './catalog'
import type { CatalogFilter } from './queries'

const OFFSET_MAX = 10_000
const NOT_AN_OFFSET = `must be a whole number from 0 to ${OFFSET_MAX}`
const TOO_FAR = `must be at most ${OFFSET_MAX}; narrow the list by network or payTo instead`
/** Characters of a search. */
export const WORDS_MAX = 200

const catalogFilters = {
  type: z
    .literal('http', 'must be "http": nothing else is listed')
    .default('http')
    .meta({ description: 'Nothing else is listed.' }),
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
    .meta({ description: 'A CAIP-2 id or a name of version 1; chooses between the catalogs of mainnets and testnets.' }),
  payTo: z
    .string()
    .meta({ examples: ['0x209693Bc6afc0C5328bA36FaF03C514EF312287C'] })
    .transform((written, context) => {
      if (/^0x[0-9a-fA-F]{40}$/.test(written)) return written.toLowerCase()
      if (bytes32(written) === null) context.addIssue('must be an address: 0x and 40 hex digits, or base58')
      return written
    })
    .optional()
    .meta({ description: 'Only what pays this address.' }),
  scheme: z
    .string()
    .optional()
    .meta({ description: 'Only `exact` is listed.', examples: ['exact'] }),
  extensions: z
    .string()
    .optional()
    .meta({ description: '`bazaar` leaves entries of version 1 out.', examples: ['bazaar'] }),
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
    .refine((words) => words !== '', 'is missing: say what you are looking for, such as ?query=weather')
    .refine((words) => words.length <= WORDS_MAX, `must be at most ${WORDS_MAX} characters`)
    .meta({ description: `What is looked for, in words: 1 to ${WORDS_MAX} characters.` }),
  limit: pageLimit(20),
  cursor: z
    .string()
    .meta({ examples: ['bzIw'] })
    .transform((written, context) => {
      const offset = written === '' ? 0 : readOffset(written)
      if (offset === null) context.addIssue('is not one that this search gave; leave it out to start from the beginning')
      return offset ?? 0
    })
    .optional()
    .meta({ description: 'The `cursor` of the page before.' }),
  ...catalogFilters,
})

type Place = { app: App; prefix: Prefix | null }

/** The page of the list that a query asks for. */
export function askedList(place: Place, { limit, offset, ...filters }: z.output<typeof listQuery>): PageQuery {
  return { filter: filterIn(place, filters), words: null, limit, offset }
}

/** The page of a search that a query asks for. */
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

type Filters = Pick<z.output<typeof listQuery>, 'network' | 'payTo' | 'scheme' | 'extensions'>

// What official clients filter by. Null where nothing can match: no need to look.
function filterIn({ app, prefix }: Place, { network, payTo, scheme, extensions }: Filters): CatalogFilter | null {
  const possible = (scheme ?? 'exact') === 'exact' && (extensions ?? 'bazaar') === 'bazaar'
  if (network === 'foreign' || !possible) return null
  const environment = environmentFor(app, prefix, network ?? null)
  const version = { x402Version: extensions === undefined ? null : 2 } as const
  return environment && { environment, network: network ?? null, payTo: payTo ?? null, ...version }
}
