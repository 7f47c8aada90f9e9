import type { ServerResponse } from 'node:http'
import { isServiceError, type ServiceError } from '../base/errors'
import { boundedCopy, DEFAULT_BODY_LIMIT } from './bodies'
import type { BrowserPolicy } from './browser-policy'
import type { Render } from './captured-response'
import { answerOptions, openToWebsites } from './cors'
import type { Method, RouteHandler } from './endpoint'
import { API_HEADERS, surfaceOf } from './errors'
import { type BodyMeter, bodyTooLarge, declaredLength } from './intake'
import { nonceHeaders, type Pages, servePage } from './pages'
import { drainBody, type RequestContext, refuseRequest } from './request-context'
import { clientAddress, headerFault, setTrustedHeaders } from './request-headers'
import { readTarget, type Target } from './request-target'
import { type ApiRoute, allowedMethods, type RouteMatch } from './route-table'
import { ServedRequest } from './served-request'
import { newNonce } from './shared-documents'
import { writeResponse } from './web'

export type Router = {
  find: (segments: string[]) => RouteMatch | undefined
  /** Next's request handler: serves every page and every method marked `next`. */
  fallback: Render
  /** The pages of a build; without them each request goes to Next, whose development server needs that. */
  pages: Pages | undefined
  /** The security headers. */
  policy: BrowserPolicy
  /** How many entries of `X-Forwarded-For`, from the right, our own proxies wrote. */
  trustedProxyHops: number
  /** False while the service takes no new payments. */
  accepting: () => boolean
}

type PageTarget = Extract<Target, { kind: 'page' | 'api' }>

// Scripts, styles and fonts of the build.
const BUILT_FILES = '/_next/static/'

// next-auth sets its own cache-control.
const { 'cache-control': _, ...PASSED_HEADERS } = API_HEADERS

/** Routes a request to its handler, or refuses it. Rejects only for internal errors and oversized bodies; see `errorResponse`. */
export async function receive(context: RequestContext, router: Router): Promise<void> {
  const { req, res } = context
  setHeaders(res, router.policy.every)
  const fault = headerFault(req.headers, req.httpVersion)
  const target = readTarget(req.url ?? '')
  if (target.kind !== 'broken') context.surface = surfaceOf(target.segments)
  if (fault !== undefined || target.kind === 'broken') {
    return refuseRequest(context, {
      status: 400,
      reason: 'invalid_request',
      message: fault ?? (target.kind === 'broken' ? target.message : ''),
    })
  }
  if (target.kind === 'hidden') return refuseRequest(context, notFound)

  const forwardedFor = req.headers['x-forwarded-for']
  const hops = typeof forwardedFor === 'string' ? forwardedFor : forwardedFor?.join(',')
  setTrustedHeaders(req.headers, {
    clientIp: clientAddress(req.socket.remoteAddress, hops, router.trustedProxyHops),
    id: context.id,
  })
  req.url = target.path + target.search

  if (target.kind === 'page') return showPage(context, target, router)
  const match = router.find(target.segments)
  if (!match) return refuseRequest(context, notFound)
  return serveRoute(context, match, router)
}

/** Responds to a request whose handler threw: 413 for an oversized body, else 500 with the request id. */
export function errorResponse(context: RequestContext, error: unknown): void {
  // The client disconnected: no response, and no internal error.
  if (context.res.destroyed) return
  if (isServiceError(error) && error.refusal === 'too_large') {
    refuseRequest(context, tooLarge(error))
    return
  }
  context.error = error
  refuseRequest(context, { status: 500, reason: 'unexpected_error', message: `internal error; quote request id ${context.id}` })
}

async function serveRoute(context: RequestContext, { route, params }: RouteMatch, router: Router): Promise<void> {
  const { req, res } = context
  context.route = route.pattern
  if (route.cors === 'open') openToWebsites(res)
  if (req.method === 'OPTIONS') return answerOptions(res, route)

  const server = handlerFor(route, req.method ?? '')
  if (!server) {
    const allow = allowedMethods(route)
    const message = `this path does not support ${req.method}; it supports ${allow}`
    return refuseRequest(context, { status: 405, reason: 'invalid_request', message, headers: { allow } })
  }
  if (context.surface !== 'plain' && !router.accepting()) {
    const message = 'the service is starting or stopping; retry in a moment'
    return refuseRequest(context, { status: 503, reason: 'service_unavailable', message, headers: { 'retry-after': '2' } })
  }
  // Handlers check the body limit themselves, after authentication: a 401 never depends on the body.
  const reads = server !== 'next' && req.method !== 'GET' && req.method !== 'HEAD'
  if (!reads && isOverLimit(context, route.bodyLimit)) return
  if (server === 'next') {
    setHeaders(res, PASSED_HEADERS)
    return passToNext(context, route.bodyLimit, router)
  }
  setHeaders(res, API_HEADERS)
  const request = new ServedRequest(req, res, req.url ?? '/', bodyMeter(context, route.bodyLimit))
  const response = await server(request, { params: Promise.resolve(params) })
  if (!req.complete) await drainBody(context)
  await writeResponse(res, response)
}

function showPage(context: RequestContext, target: PageTarget, router: Router): Promise<void> | void {
  const { req, res } = context
  context.route = 'page'
  if (isOverLimit(context, DEFAULT_BODY_LIMIT)) return
  if (req.url?.startsWith(BUILT_FILES)) {
    context.surface = 'plain'
    setHeaders(res, router.policy.file)
    return passToNext(context, DEFAULT_BODY_LIMIT, router)
  }
  const { pages, fallback, policy } = router
  if (pages) return servePage(context, target, { pages, fallback, policy })
  context.surface = 'plain'
  const nonce = newNonce()
  setHeaders(res, policy.page(nonce))
  Object.assign(req.headers, nonceHeaders(policy, nonce))
  return passToNext(context, DEFAULT_BODY_LIMIT, router)
}

async function passToNext(context: RequestContext, limit: number, { fallback }: Router): Promise<void> {
  const { req, res, waiting } = context
  if (declaredLength(req) === undefined) return fallback(await boundedCopy(req, bodyMeter(context, limit)), res)
  context.bytesIn = declaredLength(req) ?? 0
  if (waiting) res.writeContinue()
  return fallback(req, res)
}

function setHeaders(res: ServerResponse, headers: Record<string, string>): void {
  for (const name in headers) res.setHeader(name, headers[name] ?? '')
}

function handlerFor({ methods }: ApiRoute, method: string): RouteHandler | 'next' | undefined {
  const served = method === 'HEAD' ? 'GET' : method
  return Object.hasOwn(methods, served) ? methods[served as Method] : undefined
}

function isOverLimit(context: RequestContext, limit: number): boolean {
  if ((declaredLength(context.req) ?? 0) <= limit) return false
  refuseRequest(context, tooLarge(bodyTooLarge(limit)))
  return true
}

function tooLarge({ message, facts }: ServiceError) {
  return { status: 413, reason: facts.reason ?? ('payload_too_large' as const), message }
}

function bodyMeter(context: RequestContext, limit: number): BodyMeter {
  return {
    limit,
    begin() {
      if (context.waiting) context.res.writeContinue()
      context.waiting = false
    },
    count(bytes) {
      context.bytesIn += bytes
    },
  }
}

const notFound = {
  status: 404,
  reason: 'invalid_request',
  message: 'there is no such path; compare the base URL and the route with the documentation, including upper and lower case',
} as const
