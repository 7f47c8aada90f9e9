import { z } from 'zod'
import { limitReading, sandboxCaller } from '../accounts/caller'
import type { App } from '../app'
import { isServiceError } from '../base/errors'
import { clientIp } from '../http/request'
import { knownNetwork, symbolQuery } from '../http/schemas'
import { displayAddress } from '../x402/addresses'
import { storable } from '../x402/json'
import { type Environment, environmentOf, environments, type NetworkId } from '../x402/networks/networks'
import { type Extras, environmentFor, SEARCH_OFFSET_MAX } from './catalog'
import type { OwnListing } from './entry-queries'
import { pricedIn, WORDS_MAX, wordsIn } from './filters'
import { type CatalogOrder, type EntrySums, TOTAL_MAX } from './queries'
import { type ListingReport, problem, type ReportedResource } from './report'
import { type CatalogItem, catalogPage, searchPage } from './schemas'

const PAGE = 24
const OFFSET_MAX = 10_000
const URL_MAX = 4_096

/** The orders of the list on the screen; the first without a choice. */
export const CATALOG_SORTS = ['volume', 'seen', 'new'] as const satisfies CatalogOrder[]

/** The highest prices that the list can be narrowed to, in whole tokens. */
export const CATALOG_PRICES = ['0.001', '0.01', '0.1', '1'] as const

type CatalogPrice = (typeof CATALOG_PRICES)[number]

/** The longest tag that an address may name; merchants' are shorter. */
const TAG_MAX = 64

/** The query of a catalog page. Invalid parameters are ignored, so that old links work. */
const asked = z.object({
  query: z.string().transform(wordsIn).pipe(z.string().max(WORDS_MAX)).catch(''),
  environment: z.enum(environments).nullable().catch(null),
  network: knownNetwork.nullable().catch(null),
  price: z.enum(CATALOG_PRICES).nullable().catch(null),
  asset: symbolQuery.nullable().catch(null),
  tag: storable.min(1).max(TAG_MAX).nullable().catch(null),
  sort: z.enum(CATALOG_SORTS).catch('volume'),
  from: z.coerce.number().int().min(0).max(OFFSET_MAX).catch(0),
})

type Query = Record<string, string | string[] | undefined>

/** The search words (empty: all entries) and the catalog to search. */
export type CatalogQuery = {
  words: string
  environment: Environment
  network: NetworkId | null
  /** The token of prices, by its symbol; null: any, and prices of USDC. */
  asset: string | null
  /** The highest price; null for any. */
  price: CatalogPrice | null
  /** A tag of merchants; null for all. */
  tag: string | null
  sort: CatalogOrder
  from: number
}

/** An entry with its figures, which are null if its owner keeps no history. */
export type ShownItem = { item: CatalogItem } & Extras

/**
 * A part of the catalog as it is shown. `total` is a minimum if `more`: counting stops somewhere. `before` and `next` are the offsets of
 * its neighbours.
 */
export type CatalogView = {
  items: ShownItem[]
  total: number
  more: boolean
  sums: EntrySums | null
  before: number | null
  next: number | null
}

/** Reads the query. A network selects its own environment. */
export function readCatalogQuery(app: App, query: Query): CatalogQuery {
  const { query: words, environment, network, asset = null, price, tag, sort, from } = asked.parse(query)
  const at = network ? environmentOf(network) : (environment ?? environmentFor(app, null, null) ?? 'mainnet')
  return {
    words,
    network,
    asset,
    price,
    tag,
    sort,
    from: Math.min(from, words === '' ? OFFSET_MAX : SEARCH_OFFSET_MAX),
    environment: at,
  }
}

/** A part of the catalog, from the same pages as `GET /discovery`. A refused read returns its message. */
export function catalogView(app: App, headers: Headers, sought: CatalogQuery): Promise<CatalogView | { refused: string }> {
  return unlessRefused(app, headers, async (reader) => {
    const { words, from: offset, environment, network, asset, price, tag, sort: order } = sought
    const filter = {
      environment,
      type: 'http' as const,
      network,
      payTo: null,
      x402Version: null,
      ...pricedIn(asset, price),
      ...(tag === null ? {} : { tag }),
    }
    const asked = { filter, words: words || null, limit: PAGE, offset, order, daily: true }
    const { json, extras, total, sums } = await app.catalog.page(asked, reader)
    const before = offset > 0 ? Math.max(0, offset - PAGE) : null
    const after = offset + PAGE
    if (words !== '') {
      const { resources, partialResults: more, pagination } = searchPage.parse(JSON.parse(json))
      return { items: withExtras(resources, extras), total, more, sums, before, next: pagination.cursor === null ? null : after }
    }
    const { items } = catalogPage.parse(JSON.parse(json))
    const next = after < total && after <= OFFSET_MAX ? after : null
    return { items: withExtras(items, extras), total, more: total >= TOTAL_MAX, sums, before, next }
  })
}

const one = z.object({ environment: z.enum(environments), url: z.string().min(1).max(URL_MAX) })

/** The entry at a URL in an environment; null without one. */
export function catalogEntry(app: App, headers: Headers, query: Query): Promise<ShownItem | null | { refused: string }> {
  return unlessRefused(app, headers, async (reader) => {
    const { data } = one.safeParse(query)
    if (!data || data.url.includes('\0')) return null
    const filter = { ...data, network: null, payTo: null, x402Version: null }
    const { json, extras } = await app.catalog.page({ filter, words: null, limit: 1, offset: 0, daily: true }, reader)
    return withExtras(catalogPage.parse(JSON.parse(json)).items, extras)[0] ?? null
  })
}

/** This many entries are near a missing one. */
const NEAR = 3

/** The entries of the same host or with the words of the same path, best match first. None if they cannot be read now. */
export async function nearEntries(app: App, headers: Headers, query: Query): Promise<CatalogItem[]> {
  const { data } = one.safeParse(query)
  if (!data) return []
  const words = wordsIn(nearWordsOf(data.url)).slice(0, WORDS_MAX)
  if (words === '') return []
  const found = await unlessRefused(app, headers, async (reader) => {
    const filter = { environment: data.environment, type: 'http' as const, network: null, payTo: null, x402Version: null }
    const { json } = await app.catalog.page({ filter, words, limit: NEAR, offset: 0 }, reader)
    return searchPage.parse(JSON.parse(json)).resources
  })
  return 'refused' in found ? [] : found
}

// The host as one word, as it is indexed, and the words of its name and of the path.
function nearWordsOf(url: string): string {
  const [host = '', ...path] = url.replace(/^[a-z]+:\/\//i, '').split(/[/?#]/)
  return [host, ...host.split('.').slice(0, -1), ...path.flatMap((part) => part.split(/[^\p{L}\p{N}]+/u))].join(' ')
}

// Both lists are in the order of the page.
const withExtras = (items: readonly CatalogItem[], extras: readonly Extras[]): ShownItem[] =>
  items.map((item, at) => ({ item, ...(extras[at] ?? { figures: null, isNew: false, days: null }) }))

/** The listed APIs with the highest volume, at most this many, are in the sums of the home page. */
const TOTALLED_MAX = 100

/** What listed APIs came to in the last 30 completed days. `summed` of `resources` are in the sums; the volume is atomic units of USDC. */
export type CatalogTotals = {
  environment: Environment
  resources: number
  summed: number
  calls: number
  volume: bigint
}

/** The one reader of the sums: they are the same for all visitors, and cached, so no visitor's requests count. */
const SUMS_READER = 'sums of the catalog'

/** The sums of the catalog's published figures; null if there is nothing to show, or they cannot be read now. */
export async function catalogTotals(app: App): Promise<CatalogTotals | null> {
  const environment = environmentFor(app, null, null) ?? 'mainnet'
  const filter = { environment, type: 'http' as const, network: null, payTo: null, x402Version: null }
  const asked = { filter, words: null, limit: TOTALLED_MAX, offset: 0, order: 'volume' } as const
  const page = await app.catalog.page(asked, SUMS_READER).catch((error: unknown) => {
    // They only adorn a page that works without them.
    app.log.warn({ err: error }, 'the totals of the catalog cannot be read now')
    return null
  })
  if (page === null) return null
  const known = page.extras.flatMap(({ figures }) => figures ?? [])
  const volume = known.reduce((total, figures) => total + BigInt(figures.volume), 0n)
  const calls = known.reduce((total, figures) => total + figures.calls, 0)
  if (calls === 0) return null
  return { environment, resources: page.total, summed: page.extras.length, calls, volume }
}

// Counted like a read request of the API: a page costs the same.
async function unlessRefused<T>(
  app: App,
  headers: Headers,
  read: (reader: string) => Promise<T>,
): Promise<T | { refused: string }> {
  try {
    const reader = sandboxCaller(clientIp({ headers }))
    await limitReading(app, reader)
    return await read(reader.id)
  } catch (error) {
    if (isServiceError(error)) return { refused: error.message }
    throw error
  }
}

const called = z.object({
  input: z.object({
    method: z.enum(['GET', 'HEAD', 'DELETE', 'POST', 'PUT', 'PATCH']).catch('GET'),
    body: z.record(z.string(), z.unknown()).nullable().catch(null),
  }),
})

/** How to call an entry: GET without a body, unless it declares another valid method. */
export function callOf({ resource, extensions, accepts }: CatalogItem) {
  const { data } = called.safeParse(extensions?.bazaar.info ?? accepts[0]?.outputSchema)
  const method = data?.input.method ?? 'GET'
  const takesBody = method === 'POST' || method === 'PUT' || method === 'PATCH'
  return { url: resource, method, body: takesBody ? (data?.input.body ?? null) : null }
}

/** What the dashboard shows of a report: the resources with something to mend, or to know. */
export function presentReport({ keysWithoutHistory, resources }: ListingReport) {
  const faulty = resources.filter(({ listed, paid, problems }) => (paid !== null && !listed) || problems.length > 0)
  return { keysWithoutHistory, resources: faulty.slice(0, REPORTED_MAX).map(presentReported) }
}

const REPORTED_MAX = 50

// A declaration may have 8 KB: it is read alone.
function presentReported({ until, paid, heldBy, declaration, ...resource }: ReportedResource) {
  return {
    ...resource,
    isCorrectable: declaration !== null,
    until: until?.toISOString() ?? null,
    paid: paid && { ...paid, lastPaid: paid.lastPaid.toISOString() },
    heldBy: heldBy?.map(({ network, payTo }) => ({ network, payTo: displayAddress(payTo) })) ?? null,
  }
}

/** A report as the API sends it. */
export function wireReport({ environment, keysWithoutHistory, resources }: ListingReport) {
  return {
    environment,
    key_problems: keysWithoutHistory.map(({ id, name }) => ({ key_id: id, name, ...problem('history_off') })),
    resources: resources.map(({ resource, listed, until, paid, problems, heldBy, declaration }) => ({
      resource,
      listed,
      listed_until: until?.toISOString() ?? null,
      last_payment: paid && {
        id: paid.id,
        scheme: paid.scheme,
        network: paid.network,
        amount: paid.amount,
        price: paid.price,
        asset: paid.token.symbol,
        created_at: paid.lastPaid.toISOString(),
      },
      problems,
      held_by: heldBy?.map(({ network, payTo }) => ({ network, pay_to: displayAddress(payTo) })) ?? null,
      declaration,
    })),
  }
}

/** A merchant's own entry ready for JSON. */
export function presentListing({ lastSeen, until, calls, volume, days, ...listing }: OwnListing) {
  // A key without history shows no figures.
  const figures = listing.optedOut ? null : { calls, volume, days }
  return { ...listing, figures, lastSeen: lastSeen.toISOString(), until: until.toISOString() }
}
