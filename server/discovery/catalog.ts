import { LRUCache } from 'lru-cache'
import type { Owner } from '../accounts/tenant-queries'
import type { App } from '../app'
import { createReadSlots } from '../base/read-slots'
import type { Db } from '../db/database'
import type { EffectKind } from '../db/outbox'
import { etagOf } from '../http/kept-response'
import { dailyCalls } from '../sums/resource-queries'
import {
  type Environment,
  environmentOf,
  type NetworkId,
  networkRow,
  type Prefix,
  prefixNetworks,
} from '../x402/networks/networks'
import type { Payment } from '../x402/payment'
import { type Listing, listingOf, type Rejected } from './bazaar'
import { type ListingSums, type OwnListing, readOwnListings, sumOwnListings } from './entry-queries'
import {
  type CatalogFilter,
  type CatalogOrder,
  type EntryRow,
  type EntrySums,
  type Figures,
  listEntries,
  searchEntries,
  sumEntries,
} from './queries'

/** A page query in the canonical form that is its cache key. `filter` null: nothing can match. */
export type PageQuery = {
  filter: CatalogFilter | null
  words: string | null
  limit: number
  offset: number
  /** The order of a list; a search has its own. Default: last paid first. */
  order?: CatalogOrder
  /** Also reads the paid calls of each day, and the sums of the list, for our own screens. */
  daily?: boolean
}

/** What our own screens show of an entry in addition to its JSON. `days` are the paid calls of each completed day; null without any. */
export type Extras = { figures: Figures | null; isNew: boolean; days: readonly number[] | null }

/** A page as it is sent, with its entity tag. For our own screens: the extras of its entries, how many entries match in all, and their sums. */
type CatalogPage = { json: string; etag: string; extras: Extras[]; total: number; sums: EntrySums | null }

/** The catalog's pages, each cached for five minutes. */
export type Catalog = {
  /** Throws `too_many` or `unavailable` when too many other pages are being read. */
  page(asked: PageQuery, reader: string): Promise<CatalogPage>
  /** Refreshes an environment's pages, at most once in some seconds. Other processes refresh theirs within five minutes. */
  changed(environment: Environment): void
}

/** The cache time of a page, here and at clients. */
export const CACHE_SECONDS = 300
const PAGES_MAX = 500
const BYTES_MAX = 32 * 1_024 * 1_024

/** The number of connections in the pool for such reads. */
export const CATALOG_READS_AT_ONCE = 2

/** The minimum time between two refreshes: one merchant may change its listing every second. */
const FLUSH_EVERY_MS = 5_000

type Reading = { asked: PageQuery; reader: string }
type Edition = { number: number; changed: boolean; since: number }

/** The catalog in this database. */
export function createCatalog(db: Db, { flushEveryMs = FLUSH_EVERY_MS } = {}): Catalog {
  const editions: Record<Environment, Edition> = { mainnet: firstEdition(), testnet: firstEdition() }
  const line = createReadSlots({ what: 'catalog requests', atOnce: CATALOG_READS_AT_ONCE })
  const pages = new LRUCache<string, CatalogPage, Reading>({
    max: PAGES_MAX,
    maxSize: BYTES_MAX,
    sizeCalculation: ({ json }) => json.length + 1,
    ttl: CACHE_SECONDS * 1_000,
    // A page that is evicted during its read is still returned.
    ignoreFetchAbort: true,
    fetchMethod: (_key, _stale, { context }) => readInLine(context),
  })

  const readInLine = ({ asked, reader }: Reading) => line(reader, () => read(db, asked))

  /** The edition of an environment's pages: a new one after a change, if the last is old enough. */
  function editionOf(environment: Environment): number {
    const { number, changed, since } = editions[environment]
    const now = performance.now()
    if (!changed || now - since < flushEveryMs) return number
    editions[environment] = { number: number + 1, changed: false, since: now }
    return number + 1
  }

  return {
    async page(asked, reader) {
      const { filter, words, limit, offset, order = 'seen', daily = false } = asked
      if (filter === null) return read(db, asked)
      const key = JSON.stringify([editionOf(filter.environment), filter, words, limit, offset, order, daily])
      // Not cached only when it is larger than the whole cache.
      return (await pages.fetch(key, { context: { asked, reader } })) ?? readInLine({ asked, reader })
    },
    changed(environment) {
      editions[environment].changed = true
    },
  }
}

const firstEdition = (): Edition => ({ number: 0, changed: false, since: Number.NEGATIVE_INFINITY })

async function read(db: Db, asked: PageQuery): Promise<CatalogPage> {
  const { page, entries, total } = asked.words === null ? await listed(db, asked) : await matched(db, asked.words, asked)
  const json = JSON.stringify(page)
  const etag = etagOf(json)
  const urls = entries.map(({ url }) => url)
  const days = asked.daily && asked.filter ? await dailyCalls(db, asked.filter.environment, urls) : null
  const extras = entries.map(({ url, figures, isNew }) => ({ figures, isNew, days: days?.get(url) ?? null }))
  const summed = asked.daily && asked.filter?.url === undefined ? asked.filter : null
  return { json, etag, extras, total, sums: summed && (await sumEntries(db, summed, asked.words)) }
}

type Read = { page: object; entries: EntryRow[]; total: number }

/** Official clients refuse a page over 4 MiB: a longer one ends earlier. */
const PAGE_BYTES_MAX = 3_000_000

/** The first of these entries that fit a page, at least one. */
function fitting(entries: EntryRow[]): EntryRow[] {
  let bytes = 0
  const end = entries.findIndex((entry) => {
    bytes += Buffer.byteLength(JSON.stringify(itemOf(entry)))
    return bytes > PAGE_BYTES_MAX
  })
  return end < 0 ? entries : entries.slice(0, Math.max(1, end))
}

async function listed(db: Db, { filter, limit, offset, order = 'seen' }: PageQuery): Promise<Read> {
  const { entries: read, total } = filter ? await listEntries(db, filter, { limit, offset, order }) : NOTHING
  const entries = fitting(read)
  // A page that ended earlier says so by its limit: the next one begins after it.
  const pagination = { limit: entries.length < read.length ? entries.length : limit, offset, total }
  return { page: { x402Version: 2, items: entries.map(itemOf), pagination }, entries, total }
}

/** The last result that a search can page to. */
export const SEARCH_OFFSET_MAX = 1_000

async function matched(db: Db, words: string, { filter, limit, offset }: PageQuery): Promise<Read> {
  // One row more than requested shows whether there is a next page.
  const found = filter ? await searchEntries(db, words, filter, { limit: limit + 1, offset }) : NOTHING
  const { entries: more, total, partial } = found
  const entries = fitting(more.slice(0, limit))
  const next = offset + entries.length
  const cursor = more.length > entries.length && next <= SEARCH_OFFSET_MAX ? writeOffset(next) : null
  const page = { x402Version: 2, resources: entries.map(itemOf), partialResults: partial, pagination: { limit, cursor } }
  return { page, entries, total }
}

const NOTHING = { entries: [], total: 0, partial: false }

/** The cursor of the next search page, as opaque text. */
const writeOffset = (offset: number) => Buffer.from(`o${offset}`).toString('base64url')

/** The offset of a search cursor; null for an invalid one. */
export function readOffset(cursor: string): number | null {
  const digits = /^o(\d{1,6})$/.exec(Buffer.from(cursor, 'base64url').toString())?.[1]
  const offset = digits === undefined ? Number.NaN : Number(digits)
  return offset <= SEARCH_OFFSET_MAX ? offset : null
}

/** An entry as it is shown, with the fields that official clients read. */
function itemOf({ url, type, x402Version, lastSeen, bazaar, accepts, figures, ...entry }: EntryRow): object {
  const { description, mimeType, serviceName, tags, iconUrl } = entry
  return {
    // The key of a tool ends with its name, which stands in its declaration too.
    resource: url.split('#', 1)[0] ?? url,
    type,
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
    ...(figures === null || figures.tries === 0 ? {} : { quality: qualityOf(figures, lastSeen) }),
  }
}

// The names of Coinbase's catalog, and the share of valid payments that settled.
function qualityOf({ tries, calls, callers }: Figures, lastSeen: Date): object {
  return {
    l30DaysTotalCalls: calls,
    l30DaysUniquePayers: callers,
    lastCalledAt: lastSeen.toISOString(),
    successRate: Math.round((calls / tries) * 10_000) / 10_000,
  }
}

/**
 * The catalog below a prefix or at the root (null): testnets for the sandbox, else mainnets where configured. A named network selects
 * its own. Null when that network is not served there.
 */
export function environmentFor(app: Pick<App, 'networks'>, prefix: Prefix | null, network: NetworkId | null): Environment | null {
  if (network !== null) return prefix === null || prefixNetworks[prefix].includes(network) ? environmentOf(network) : null
  if (prefix === 'sandbox') return 'testnet'
  return [...app.networks.keys()].some((id) => !networkRow(id).testnet) ? 'mainnet' : 'testnet'
}

/** The listing that a payment declares; why it cannot have one; null when it declares none. */
export function listingFor(app: Pick<App, 'config'>, payment: Payment): Listing | Rejected | null {
  return listingOf(payment, app.config)
}

/** The effects of this payment's success. Decided with the claim, so that landing needs no further work. */
export function wantedEffects(app: Pick<App, 'config'>, payment: Payment): EffectKind[] {
  const listing = listingFor(app, payment)
  // The agent of a payer is looked up for its payments in the history; a deposit is none.
  const looksUp = app.config.linksAgents && !('deposit' in payment.transfer)
  return [...(listing && !('rejected' in listing) ? (['catalog'] as const) : []), ...(looksUp ? (['agents'] as const) : [])]
}

/** What the catalog has of a merchant's keys in an environment, by volume, and the sums of all of it. */
export async function ownListings(
  { db }: Pick<App, 'db'>,
  owner: Owner,
  { limit, ...part }: { environment: Environment; limit: number; offset: number },
): Promise<{ listings: OwnListing[]; hasMore: boolean; sums: ListingSums }> {
  const rows = await readOwnListings(db, owner, { ...part, limit: limit + 1 })
  const sums = await sumOwnListings(db, owner, part.environment)
  const shown = rows.slice(0, limit)
  const urls = shown.map(({ url }) => url)
  const days = await dailyCalls(db, part.environment, urls)
  return { listings: shown.map((one) => ({ ...one, days: days.get(one.url) ?? null })), hasMore: rows.length > limit, sums }
}
