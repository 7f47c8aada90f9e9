import { LRUCache } from 'lru-cache'
import { type CatalogFilter, type EntryRow, listEntries, searchEntries } from '../store/catalog-pages'
import type { Db } from '../store/database'
import { type Environment, environmentOf } from '../x402/environments'
import { type NetworkId, networks } from '../x402/networks'
import type { App } from './app'
import { sha256 } from './keys'
import { type Prefix, prefixNetworks } from './prefixes'

/** A page that is asked for, in the one spelling by which it is remembered. `filter` null: nothing can match. */
export type AskedPage = { filter: CatalogFilter | null; words: string | null; limit: number; offset: number }

/** A page as it is sent, with its entity tag. */
export type CatalogPage = { json: string; etag: string }

/** The catalog's pages, each remembered for five minutes. */
export type Catalog = {
  page(asked: AskedPage): Promise<CatalogPage>
  /** The catalog has changed: pages are read anew. Only this process hears of it, the others within five minutes. */
  forget(): void
}

/** How long a page is remembered, here and by whoever got it. */
export const CACHE_SECONDS = 300
const PAGES_MAX = 500
const BYTES_MAX = 32 * 1_024 * 1_024

/** The catalog in this database. */
export function createCatalog(db: Db): Catalog {
  let generation = 0
  const pages = new LRUCache<string, CatalogPage, AskedPage>({
    max: PAGES_MAX,
    maxSize: BYTES_MAX,
    sizeCalculation: ({ json }) => json.length + 1,
    ttl: CACHE_SECONDS * 1_000,
    // A page that is pushed out while it is read is still answered.
    ignoreFetchAbort: true,
    fetchMethod: (_key, _stale, { context }) => read(db, context),
  })
  return {
    async page(asked) {
      const { filter, words, limit, offset } = asked
      const key = JSON.stringify([generation, filter, words, limit, offset])
      // Not remembered only when it is larger than everything that may be.
      return (await pages.fetch(key, { context: asked })) ?? read(db, asked)
    },
    forget() {
      generation++
    },
  }
}

async function read(db: Db, { filter, words, limit, offset }: AskedPage): Promise<CatalogPage> {
  const json = JSON.stringify(
    words === null ? await listed(db, filter, { limit, offset }) : await found(db, words, filter, { limit, offset }),
  )
  return { json, etag: `"${Buffer.from(sha256(json)).toString('base64url').slice(0, 22)}"` }
}

type Part = { limit: number; offset: number }

async function listed(db: Db, filter: CatalogFilter | null, part: Part): Promise<object> {
  const { entries, total } = filter ? await listEntries(db, filter, part) : NOTHING
  return { x402Version: 2, items: entries.map(itemOf), pagination: { ...part, total } }
}

/** How far a search can be paged through. */
export const SEARCH_OFFSET_MAX = 1_000

async function found(db: Db, words: string, filter: CatalogFilter | null, { limit, offset }: Part): Promise<object> {
  // One more than asked for tells whether there is a next page.
  const { entries, partial } = filter ? await searchEntries(db, words, filter, { limit: limit + 1, offset }) : NOTHING
  const next = offset + limit
  const cursor = entries.length > limit && next <= SEARCH_OFFSET_MAX ? writeOffset(next) : null
  const resources = entries.slice(0, limit).map(itemOf)
  return { x402Version: 2, resources, partialResults: partial, pagination: { limit, cursor } }
}

const NOTHING = { entries: [], total: 0, partial: false }

/** Where the next page of a search begins, as an opaque text. */
const writeOffset = (offset: number) => Buffer.from(`o${offset}`).toString('base64url')

/** Where a search's cursor says that the page begins; null for what is no cursor. */
export function readOffset(cursor: string): number | null {
  const digits = /^o(\d{1,6})$/.exec(Buffer.from(cursor, 'base64url').toString())?.[1]
  const offset = digits === undefined ? Number.NaN : Number(digits)
  return offset <= SEARCH_OFFSET_MAX ? offset : null
}

/** An entry as it is shown, with what official clients read beside it. */
function itemOf({ url, x402Version, lastSeen, bazaar, accepts, ...entry }: EntryRow): object {
  const { description, mimeType, serviceName, tags, iconUrl } = entry
  return {
    resource: url,
    type: 'http',
    x402Version,
    accepts,
    lastUpdated: lastSeen.toISOString(),
    metadata: x402Version === 2 ? { bazaar } : {},
    ...(x402Version === 2 ? { extensions: { bazaar } } : {}),
    ...(description === null ? {} : { description }),
    ...(mimeType === null ? {} : { mimeType }),
    ...(serviceName === null ? {} : { serviceName }),
    ...(tags.length === 0 ? {} : { tags }),
    ...(iconUrl === null ? {} : { iconUrl }),
  }
}

/**
 * Which catalog is shown below a prefix, or at the root (null): the sandbox's is the testnets', everywhere else the mainnets' where one is
 * configured. A network that is asked for by name chooses its own. Null where that network is not served there.
 */
export function environmentFor(app: Pick<App, 'networks'>, prefix: Prefix | null, network: NetworkId | null): Environment | null {
  if (network !== null) return prefix === null || prefixNetworks[prefix].includes(network) ? environmentOf(network) : null
  if (prefix === 'sandbox') return 'testnet'
  return [...app.networks.keys()].some((id) => !networks[id].testnet) ? 'mainnet' : 'testnet'
}
