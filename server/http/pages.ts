import type { IncomingMessage } from 'node:http'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { z } from 'zod'
import { isServiceError } from '../base/errors'
import type { BrowserPolicy } from './browser-policy'
import { capture, type Render, type Rendered } from './captured-response'
import type { PageTable } from './page-table'
import { CLIENT_IP_HEADER, ENTRY_QUERY_HEADER, NONCE_HEADER } from './request'
import { type RequestContext, refuseRequest } from './request-context'
import { newNonce, type RenderDocument, type SharedDocuments } from './shared-documents'

/** What the server knows of the pages in a build, and what it lets strangers spend on them. */
export type Pages = {
  /** The paths of the build; null while there is none. */
  table: () => Promise<PageTable | null>
  /** The path at which the document of this page is rendered for every visitor alike; undefined if each request has its own. */
  sharedAt: (path: string) => string | undefined
  documents: SharedDocuments
  /** The name of the session cookie: a signed-in visitor's pages are never shared. */
  sessionCookie: string
  /** Takes the cost of a page from this address, and returns 0; or the seconds to wait. */
  rate: (ip: string, cost: number) => number
  /** Renders a few pages of a kind at once. Throws `too_many` or `unavailable` when too many wait. */
  slots: Record<RenderedKind, <T>(ip: string, render: () => Promise<T>) => Promise<T>>
}

/** Pages of the documentation are ten times as long as others. */
type RenderedKind = 'page' | 'documentation'

type Router = { pages: Pages; fallback: Render; policy: BrowserPolicy }
type PageTarget = { path: string; segments: string[]; search: string }

/** The path whose document says that a page is missing. No page has it. */
const MISSING_PATH = '/404'

/** The page of a catalog entry. Next gives the query to a page, but not to what stands in for a missing one. */
const ENTRY_PATH = '/catalog/resource'

/** What a page costs its address, by the time that it takes: one that is kept, or one that is rendered for this request. */
const COSTS = { kept: 1, page: 6, documentation: 30 } as const

/** Answers a request for a page: an error in JSON, a document that is kept, or one that Next renders now. */
export async function servePage(context: RequestContext, target: PageTarget, router: Router): Promise<void> {
  const { req } = context
  const { pages } = router
  const [path, table] = [decodedPath(target), await pages.table()]
  const isRead = req.method === 'GET' || req.method === 'HEAD'
  const exists = table ? table(target.segments) : isRead
  // Programs call mistyped prefixes too, and read JSON.
  if (!exists && !(isRead && accepts(req, 'text/html'))) {
    context.route = 'unknown'
    return refuseRequest(context, NO_PAGE)
  }
  context.surface = 'plain'
  if (!isRead) return refuseMethod(context)
  const fault = routerFault(req.headers)
  if (fault) return refuseRequest(context, { status: 400, reason: 'invalid_request', message: fault })

  const ip = String(req.headers[CLIENT_IP_HEADER])
  const shared = isSignedIn(req, pages) || isNavigation(req) ? undefined : exists ? pages.sharedAt(path) : MISSING_PATH
  if (shared !== undefined && isOverRate(context, pages, ip, COSTS.kept)) return
  const nonce = newNonce()
  const document = shared === undefined ? null : await pages.documents.read(shared, nonce)
  if (document) return send(context, document, router.policy.page(nonce))

  const kind = /^\/docs(?:\/|$)/.test(path) && exists ? 'documentation' : 'page'
  if (isOverRate(context, pages, ip, COSTS[kind])) return
  const url = target.path + target.search
  const own = { ...nonceHeaders(router.policy, nonce), [ENTRY_QUERY_HEADER]: path === ENTRY_PATH ? target.search : '' }
  const headers = { ...req.headers, ...own }
  try {
    const page = await pages.slots[kind](ip, () => capture(router.fallback, { url, headers }))
    await send(context, page, router.policy.page(nonce))
  } catch (error) {
    if (!isServiceError(error)) throw error
    refuseRequest(context, error.refusal === 'too_many' ? TOO_MANY_WAIT : BUSY)
  }
}

/** Renders a document as a visitor without cookies gets it. */
export function documentRenderer(fallback: Render, policy: BrowserPolicy): RenderDocument {
  return (path, nonce) => {
    const visitor = { host: 'localhost', accept: 'text/html', [CLIENT_IP_HEADER]: '127.0.0.1', ...nonceHeaders(policy, nonce) }
    return capture(fallback, { url: path, headers: visitor })
  }
}

/** Next and the layout read the nonce for their scripts from these headers. */
export function nonceHeaders(policy: BrowserPolicy, nonce: string): Record<string, string> {
  return { 'content-security-policy': policy.page(nonce)['content-security-policy'] ?? '', [NONCE_HEADER]: nonce }
}

// Next decodes paths too.
const decodedPath = ({ segments }: PageTarget) => `/${segments.map(decodeURIComponent).join('/')}`

const accepts = ({ headers }: IncomingMessage, type: string) => headers.accept?.includes(type) ?? false

const isSignedIn = ({ headers }: IncomingMessage, { sessionCookie }: Pages) => headers.cookie?.includes(sessionCookie) ?? false

/** Whether the router of an open page asks, which needs no document. */
const isNavigation = ({ headers }: IncomingMessage) => headers.rsc !== undefined

function isOverRate(context: RequestContext, pages: Pages, ip: string, cost: number): boolean {
  const seconds = pages.rate(ip, cost)
  if (seconds === 0) return false
  const message = `too many pages for one address; wait ${seconds} s and try again`
  refuseRequest(context, { status: 429, reason: 'rate_limit_exceeded', message, headers: { 'retry-after': String(seconds) } })
  return true
}

function refuseMethod(context: RequestContext): void {
  const allow = 'GET, HEAD, OPTIONS'
  if (context.req.method === 'OPTIONS') return void context.res.writeHead(204, { allow }).end()
  const message = `this path does not support ${context.req.method}; it supports ${allow}`
  refuseRequest(context, { status: 405, reason: 'invalid_request', message, headers: { allow } })
}

/** Longer than the state of any page of ours, and short enough to be parsed without a deep stack. */
const STATE_LENGTH_MAX = 8_192

// What Next's own parser accepts: it answers anything else with an internal error.
const segment = z.union([z.string(), z.tuple([z.string(), z.string(), z.enum(['c', 'd']), z.array(z.string()).nullable()])])
const routerState: z.ZodType<unknown> = z.lazy(() =>
  z.tuple([
    segment,
    z.record(z.string(), routerState),
    z.tuple([z.string(), z.string()]).nullish(),
    z.enum(['refetch', 'inside-shared-layout', 'metadata-only']).nullish(),
    z.number().nullish(),
    z.string().optional(),
  ]),
)

/** Why the headers of Next's router are not those of a page of ours; undefined if they are. */
function routerFault(headers: IncomingMessage['headers']): string | undefined {
  const state = headers['next-router-state-tree']
  if (state !== undefined && !isRouterState(String(state))) return 'the header next-router-state-tree is not one of our pages'
  const prefetch = headers['next-router-prefetch']
  return prefetch === undefined || prefetch === '1' ? undefined : 'the header next-router-prefetch must be 1'
}

function isRouterState(text: string): boolean {
  if (text.length > STATE_LENGTH_MAX) return false
  try {
    return routerState.safeParse(JSON.parse(decodeURIComponent(text))).success
  } catch {
    return false
  }
}

/** Smaller bodies gain nothing. */
const COMPRESSED_BYTES = 1_024
// A third of the time of the usual level, for an eighth more bytes.
const LEVEL = { level: 3 }
const compress = promisify(gzip)

async function send(
  { req, res }: RequestContext,
  { status, headers, body }: Rendered,
  policy: Record<string, string>,
): Promise<void> {
  if (res.destroyed) return
  res.statusCode = status
  for (const [name, value] of Object.entries({ ...headers, ...policy })) {
    if (value !== undefined && !OF_CONNECTIONS.has(name)) res.setHeader(name, value)
  }
  const isText = /^(?:text\/|application\/json|image\/svg)/.test(String(headers['content-type']))
  const zipped = isText && body.length >= COMPRESSED_BYTES && (req.headers['accept-encoding']?.includes('gzip') ?? false)
  const sent = zipped ? await compress(body, LEVEL) : body
  if (zipped) res.setHeader('content-encoding', 'gzip')
  if (![204, 304].includes(status)) res.setHeader('content-length', sent.length)
  res.end(req.method === 'HEAD' ? undefined : sent)
}

const OF_CONNECTIONS: ReadonlySet<string> = new Set(['content-length', 'transfer-encoding', 'connection', 'keep-alive', 'date'])

const NO_PAGE = {
  status: 404,
  reason: 'invalid_request',
  message: 'there is no such path; the base URL is /sandbox, or /v1/<API_KEY> with a key, and the route follows it',
} as const

const TOO_MANY_WAIT = {
  status: 429,
  reason: 'rate_limit_exceeded',
  message: 'too many of your pages are still being rendered; wait a second and try again',
  headers: { 'retry-after': '1' },
} as const

const BUSY = {
  status: 503,
  reason: 'service_unavailable',
  message: 'too many pages are being rendered; wait two seconds and try again',
  headers: { 'retry-after': '2' },
} as const
