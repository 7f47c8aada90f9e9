import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Log } from '../base/log'
import { type Refused, type Surface, writeRefusal } from './errors'
import { declaredLength } from './intake'
import { REQUEST_ID_HEADER } from './request'

/** The log entry of a finished request. */
export type RequestLine = {
  requestId: string
  method: string
  /** The route pattern; `page` for pages, `unknown` for other requests. Never a path. */
  route: string
  /** 499 if the client disconnected before a response. */
  status: number
  milliseconds: number
  bytesIn?: number
  /** The settlement of the response, as in the engine's log entries. */
  settlementId?: string
  /** Set if the response is an internal error. */
  error?: unknown
}

/** One request while the server handles it. */
export type RequestContext = {
  req: IncomingMessage
  res: ServerResponse
  id: string
  route: string
  surface: Surface
  bytesIn: number
  /** The client sent `Expect: 100-continue` and waits before it sends its body. */
  waiting: boolean
  error?: unknown
}

// A reset connection would hide the refusal from a client that is still sending.
const LINGER_MS = 1_000
const LINGER_BYTES = 262_144

/** Creates the context of a request, sets its id header, and logs the request when its response closes. */
export function startRequest(
  request: Pick<RequestContext, 'req' | 'res' | 'id' | 'waiting'>,
  log: (line: RequestLine) => void,
): RequestContext {
  const startedAt = performance.now()
  const context: RequestContext = { ...request, route: 'unknown', surface: 'plain', bytesIn: 0 }
  const { req, res, id } = context
  res.setHeader(REQUEST_ID_HEADER, id)
  res.once('close', () => {
    log({
      requestId: id,
      method: req.method ?? '',
      route: context.route,
      status: res.headersSent ? res.statusCode : 499,
      milliseconds: Math.round((performance.now() - startedAt) * 100) / 100,
      ...settlementOf(res),
      ...(context.bytesIn ? { bytesIn: context.bytesIn } : {}),
      ...('error' in context ? { error: context.error } : {}),
    })
  })
  return context
}

function settlementOf(res: ServerResponse): { settlementId?: string } {
  const id = res.getHeader('x-settlement-id')
  return typeof id === 'string' ? { settlementId: id } : {}
}

/** Responds with a refusal. An unread body is discarded for at most a second, then the connection closes. */
export function refuseRequest(context: RequestContext, refused: Omit<Refused, 'surface'>): void {
  const { req, res, surface } = context
  if (res.headersSent || res.destroyed) {
    res.destroy()
    return
  }
  closeUnlessRead(context)
  writeRefusal(res, { ...refused, surface })
  if (res.shouldKeepAlive || req.complete || context.waiting) res.end()
  else discard(req, () => res.end())
}

/** Discards an unread body, so that the client reads the response instead of a reset connection. */
export async function drainBody(context: RequestContext): Promise<void> {
  closeUnlessRead(context)
  const { req, res, waiting } = context
  if (!res.shouldKeepAlive && !waiting) await new Promise<void>((resolve) => discard(req, resolve))
}

// Otherwise Node would parse the unread body as the next request.
function closeUnlessRead({ req, res, waiting }: RequestContext): void {
  const long = (declaredLength(req) ?? Number.POSITIVE_INFINITY) > LINGER_BYTES
  if (!req.complete && (long || waiting)) res.shouldKeepAlive = false
}

function discard(req: IncomingMessage, done: () => void): void {
  let bytes = 0
  const timer = setTimeout(done, LINGER_MS)
  const finish = () => {
    clearTimeout(timer)
    done()
  }
  req.on('data', (piece: Buffer) => {
    bytes += piece.length
    if (bytes > LINGER_BYTES) finish()
  })
  req.once('end', finish)
  req.once('close', finish)
  req.resume()
}

/** Logs finished requests: internal errors as errors, health checks at debug level. */
export function requestLog(log: Log): (line: RequestLine) => void {
  return ({ error, ...line }) => {
    if (error !== undefined) log.error({ ...line, err: error }, 'request failed')
    else if (line.route === '/health') log.debug(line, 'request')
    else log.info(line, 'request')
  }
}
