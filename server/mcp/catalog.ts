import { z } from 'zod'
import type { Caller } from '../accounts/caller'
import type { App } from '../app'
import { ServiceError } from '../base/errors'
import type { PageQuery } from '../discovery/catalog'
import { askedList, askedSearch, listQuery, searchQuery } from '../discovery/filters'
import { type CatalogItem, catalogPage, searchPage } from '../discovery/schemas'
import { checked } from '../http/request'
import { listedUrl } from '../x402/listing-url'
import { displayAmount } from '../x402/networks/amounts'
import { symbolOf, tokenNamed } from '../x402/networks/assets'
import { type Environment, environments } from '../x402/networks/networks'
import { USUAL_SCHEME } from '../x402/schemes/scheme-names'

const LIMIT = { usual: 10, most: 20 } as const

/** What an agent may search by. The filters are those of `GET /discovery/search`. */
export const searchInput = z.object({
  query: z.string().max(200).optional().describe('Words such as "weather lisbon". Without them: the last paid resources.'),
  network: z
    .string()
    .max(100)
    .optional()
    .describe(
      'A CAIP-2 id such as eip155:8453. Default: all mainnets if this service has one; eip155:84532 selects the testnets.',
    ),
  max_price: z.string().max(40).optional().describe('The highest price in whole tokens, such as "0.01".'),
  asset: z.string().max(16).optional().describe('The token of the price. Default: USDC.'),
  pay_to: z.string().max(100).optional().describe('Only resources that pay this address.'),
  paid_within_days: z.int().min(1).max(90).optional().describe('Only resources that were paid for lately.'),
  limit: z.int().min(1).max(LIMIT.most).default(LIMIT.usual),
  cursor: z.string().max(40).optional().describe('The cursor of the previous answer.'),
})

/** Searches the catalog, from the same pages as `GET /discovery`. Throws `bad_request` for an unreadable filter, and as `Catalog.page`. */
export async function searchCatalog(app: App, caller: Caller, input: z.output<typeof searchInput>): Promise<object> {
  const { query, network, max_price, asset, pay_to, paid_within_days, limit, cursor } = input
  const filters = named({
    network,
    maxPrice: max_price,
    asset,
    payTo: pay_to,
    paidWithinDays: paid_within_days,
    limit: String(limit),
  })
  const place = { app, prefix: null }
  if (query !== undefined && query.trim() !== '') {
    const { json } = await read(
      app,
      caller,
      askedSearch(place, checked(searchQuery, { ...filters, ...named({ query, cursor }) })),
    )
    const { resources, pagination } = searchPage.parse(JSON.parse(json))
    return { resources: resources.map(briefly), cursor: pagination.cursor }
  }
  const { json } = await read(app, caller, askedList(place, checked(listQuery, { ...filters, ...named({ offset: cursor }) })))
  const { items, pagination } = catalogPage.parse(JSON.parse(json))
  const next = pagination.offset + items.length
  return { resources: items.map(briefly), cursor: next < pagination.total ? String(next) : null }
}

// An absent filter is no filter.
const named = (fields: Record<string, string | number | undefined>) =>
  Object.fromEntries(Object.entries(fields).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])))

const read = (app: App, caller: Caller, asked: PageQuery) => app.catalog.page(asked, caller.id)

/** The ways to pay for a listed resource and how to call it. Throws `not_found` for a URL without an entry. */
export async function priceOf(
  app: App,
  caller: Caller,
  { url: written, environment }: { url: string; environment?: Environment | undefined },
): Promise<object> {
  const place = listedUrl(written, null, app.config)
  if ('rejected' in place) throw new ServiceError('bad_request', place.rejected)
  for (const one of environment === undefined ? environments : [environment]) {
    const filter = { environment: one, network: null, payTo: null, x402Version: null, url: place.url }
    const { json } = await read(app, caller, { filter, words: null, limit: 1, offset: 0 })
    const [item] = catalogPage.parse(JSON.parse(json)).items
    if (item) return { environment: one, ...whole(item) }
  }
  throw new ServiceError('not_found', 'the catalog has no entry at this URL; its own 402 has the price')
}

/** An entry for a list: everything that a merchant wrote stands under `untrusted`. */
function briefly({ resource, type, accepts, lastUpdated, quality, description, serviceName, tags }: CatalogItem) {
  return {
    resource,
    type,
    prices: accepts.map(priceIn),
    last_paid: lastUpdated,
    quality: quality ?? null,
    untrusted: { description: description ?? null, service_name: serviceName ?? null, tags: tags ?? [] },
  }
}

function whole(item: CatalogItem) {
  const { untrusted, ...entry } = briefly(item)
  const { accepts, extensions } = item
  const declared = extensions?.bazaar.info ?? accepts[0]?.outputSchema ?? null
  const ways = accepts.map(({ scheme, network, amount, maxAmountRequired, asset, payTo, maxTimeoutSeconds, ...written }) => ({
    terms: { scheme, network, amount, maxAmountRequired, asset, payTo, maxTimeoutSeconds },
    written,
  }))
  return {
    ...entry,
    payment_requirements: ways.map(({ terms }) => terms),
    // In the same order.
    untrusted: { ...untrusted, payment_requirements: ways.map(({ written }) => written), declaration: declared },
  }
}

function priceIn({ scheme, network, asset, maxAmountRequired, payTo }: CatalogItem['accepts'][number]) {
  const { symbol, decimals } = tokenNamed(symbolOf(network, asset))
  return {
    scheme,
    network,
    amount: maxAmountRequired,
    price: `${scheme === USUAL_SCHEME ? '' : 'up to '}${displayAmount(BigInt(maxAmountRequired), decimals)} ${symbol}`,
    asset,
    pay_to: payTo,
  }
}
