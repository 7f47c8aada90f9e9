import { randomBytes } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { isServiceError, type ServiceError } from '../errors'
import { DEFAULT_BODY_LIMIT } from '../http/body'
import { API_HEADERS } from '../http/refusal'
import { NONCE_HEADER } from '../http/request'
import { surfaceOf } from './answers'
import type { ApiRoute, Method, RouteHandler } from './api-route'
import { type BodyMeter, bodyTooLarge, boundedCopy, declaredLength } from './body'
import type { BrowserPolicy } from './browser-policy'
import { clientAddress } from './client-address'
import { answerOptions, openToWebsites } from './cors'
import { headerFault, vouchFor } from './request-headers'
import { allowedMethods, type RouteMatch } from './route-table'
import { readTarget } from './target'
import { refuse, swallow, type Visit } from './visit'
import { webRequest } from './web-request'
import { writeResponse } from './web-response'

export type Reception = {
  find: (segments: string[]) => RouteMatch | undefined
  /** Next's request handler: serves every page and every method marked `next`. */
  fallback: (req: IncomingMessage, res: ServerResponse) => Promise<void>
  /** What browsers are told to allow. */
  policy: BrowserPolicy
  /** How many entries of `X-Forwarded-For`, from the right, were written by proxies of ours. */
  trustedProxyHops: number
  /** False as soon as no new payment may begin. */
  accepting: () => boolean
}

const NONCE_BYTES = 16

// What next-auth says of keeping its answers stands beside it.
const { 'cache-control': _, ...PASSED_HEADERS } = API_HEADERS

/** Leads one visit to whoever answers it, or refuses it. Rejects only for faults of ours and bodies over their limit; see `apologise`. */
export async function receive(visit: Visit, reception: Reception): Promise<void> {
  const { req, res } = visit
  tell(res, reception.policy.every)
  const fault = headerFault(req.headers, req.httpVersion)
  const target = readTarget(req.url ?? '')
  if (target.kind !== 'broken') visit.surface = surfaceOf(target.segments)
  if (fault !== undefined || target.kind === 'broken') {
    return refuse(visit, {
      status: 400,
      reason: 'invalid_request',
      message: fault ?? (target.kind === 'broken' ? target.message : ''),
    })
  }
  if (target.kind === 'hidden') return refuse(visit, notFound)

  const forwardedFor = req.headers['x-forwarded-for']
  const hops = typeof forwardedFor === 'string' ? forwardedFor : forwardedFor?.join(',')
  vouchFor(req.headers, { clientIp: clientAddress(req.socket.remoteAddress, hops, reception.trustedProxyHops), id: visit.id })
  req.url = target.path + target.search

  if (target.kind === 'page') return showPage(visit, reception)
  const match = reception.find(target.segments)
  if (!match) return refuse(visit, notFound)
  return serveRoute(visit, match, reception)
}

/** Answers for a visit that failed inside: 413 for a body over its limit, else a 500 that tells the client nothing but its id. */
export function apologise(visit: Visit, error: unknown): void {
  // Whoever hung up hears nothing, and their leaving is not our fault.
  if (visit.res.destroyed) return
  if (isServiceError(error) && error.refusal === 'too_large') {
    refuse(visit, tooLarge(error))
    return
  }
  visit.error = error
  refuse(visit, { status: 500, reason: 'unexpected_error', message: `internal error; quote request id ${visit.id}` })
}

async function serveRoute(visit: Visit, { route, params }: RouteMatch, reception: Reception): Promise<void> {
  const { req, res } = visit
  visit.route = route.pattern
  if (route.cors === 'open') openToWebsites(res)
  if (req.method === 'OPTIONS') return answerOptions(res, route)

  const server = handlerFor(route, req.method ?? '')
  if (!server) {
    const allow = allowedMethods(route)
    const message = `this address does not answer ${req.method}; it answers ${allow}`
    return refuse(visit, { status: 405, reason: 'invalid_request', message, headers: { allow } })
  }
  if (visit.surface !== 'plain' && !reception.accepting()) {
    const message = 'the service is starting or stopping; repeat the request in a moment'
    return refuse(visit, { status: 503, reason: 'service_unavailable', message, headers: { 'retry-after': '2' } })
  }
  // A handler that reads a body meets its limit there, after it has seen who asks: a 401 never depends on the body.
  const reads = server !== 'next' && req.method !== 'GET' && req.method !== 'HEAD'
  if (!reads && isOverLimit(visit, route.bodyLimit)) return
  if (server === 'next') {
    tell(res, PASSED_HEADERS)
    return passToNext(visit, route.bodyLimit, reception)
  }
  tell(res, API_HEADERS)
  const request = webRequest(req, res, req.url ?? '/', bodyMeter(visit, route.bodyLimit))
  const response = await server(request, { params: Promise.resolve(params) })
  if (!req.complete) await swallow(visit)
  await writeResponse(res, response)
}

function showPage(visit: Visit, reception: Reception): Promise<void> | void {
  visit.route = 'page'
  visit.surface = 'plain'
  const nonce = randomBytes(NONCE_BYTES).toString('base64')
  const headers = reception.policy.page(nonce)
  tell(visit.res, headers)
  // From these Next and the layout take the nonce for the scripts that they write.
  visit.req.headers['content-security-policy'] = headers['content-security-policy']
  visit.req.headers[NONCE_HEADER] = nonce
  if (isOverLimit(visit, DEFAULT_BODY_LIMIT)) return
  return passToNext(visit, DEFAULT_BODY_LIMIT, reception)
}

async function passToNext(visit: Visit, limit: number, { fallback }: Reception): Promise<void> {
  const { req, res, waiting } = visit
  if (declaredLength(req) === undefined) return fallback(await boundedCopy(req, bodyMeter(visit, limit)), res)
  visit.bytesIn = declaredLength(req) ?? 0
  if (waiting) res.writeContinue()
  return fallback(req, res)
}

function tell(res: ServerResponse, headers: Record<string, string>): void {
  for (const name in headers) res.setHeader(name, headers[name] ?? '')
}

function handlerFor({ methods }: ApiRoute, method: string): RouteHandler | 'next' | undefined {
  const asked = method === 'HEAD' ? 'GET' : method
  return Object.hasOwn(methods, asked) ? methods[asked as Method] : undefined
}

function isOverLimit(visit: Visit, limit: number): boolean {
  if ((declaredLength(visit.req) ?? 0) <= limit) return false
  refuse(visit, tooLarge(bodyTooLarge(limit)))
  return true
}

function tooLarge({ message, facts }: ServiceError) {
  return { status: 413, reason: facts.reason ?? ('payload_too_large' as const), message }
}

function bodyMeter(visit: Visit, limit: number): BodyMeter {
  return {
    limit,
    begin() {
      if (visit.waiting) visit.res.writeContinue()
      visit.waiting = false
    },
    count(bytes) {
      visit.bytesIn += bytes
    },
  }
}

const notFound = {
  status: 404,
  reason: 'invalid_request',
  message: 'there is no such address; compare the base URL and the route with the documentation, letter case included',
} as const
