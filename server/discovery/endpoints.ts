import { visitor } from '../accounts/caller'
import type { App } from '../app'
import { API_HEADERS } from '../http/errors'
import { limitReading } from '../http/rate-limits'
import { clientIp } from '../http/request'
import { identify, type Params } from '../payments/endpoints'
import type { Prefix } from '../x402/networks'
import { CACHE_SECONDS, type PageQuery } from './catalog'
import { readListing, readSearch } from './filters'

type Read = typeof readListing
type Handler = (app: App, request: Request, params: Params) => Promise<Response>

/** `GET /discovery/resources`: listed resources, most recently seen first. */
export const resourcesEverywhere = everywhere(readListing)

/** `GET /discovery/search`: resources by words. */
export const searchEverywhere = everywhere(readSearch)

/** `GET {prefix}/discovery/resources`, for clients that know one base URL. */
export const resourcesUnder = (prefix: Prefix): Handler => under(prefix, readListing)

/** `GET {prefix}/discovery/search` */
export const searchUnder = (prefix: Prefix): Handler => under(prefix, readSearch)

function everywhere(read: Read): Handler {
  return async (app, request) => {
    const reader = visitor(clientIp(request))
    await limitReading(app, reader)
    const asked = read({ app, prefix: null }, queryOf(request))
    return answer(app, request, { asked, reader: reader.id }, 'public')
  }
}

function under(prefix: Prefix, read: Read): Handler {
  return async (app, request, params) => {
    const caller = await identify(app, prefix, request, params).caller()
    await limitReading(app, caller)
    const asked = read({ app, prefix }, queryOf(request))
    return answer(app, request, { asked, reader: caller.id }, prefix === 'sandbox' ? 'public' : 'private')
  }
}

const queryOf = (request: Request) => new URL(request.url).searchParams

type Reading = { asked: PageQuery; reader: string }

async function answer(app: App, request: Request, reading: Reading, shared: 'public' | 'private'): Promise<Response> {
  const { json, etag } = await app.catalog.page(reading.asked, reading.reader)
  const headers = { ...API_HEADERS, 'cache-control': `${shared}, max-age=${CACHE_SECONDS}`, etag }
  if (isKnown(etag, request.headers.get('if-none-match'))) return new Response(null, { status: 304, headers })
  return new Response(json, { headers: { ...headers, 'content-type': 'application/json' } })
}

function isKnown(etag: string, ifNoneMatch: string | null): boolean {
  return (ifNoneMatch ?? '').split(',').some((one) => one.trim().replace(/^W\//, '') === etag || one.trim() === '*')
}
