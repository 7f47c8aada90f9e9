import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Log } from '../log'
import { declaredLength } from './bodies'
import { type Refused, type Surface, writeRefusal } from './errors'
import { REQUEST_ID_HEADER } from './request'

/** What is written to the log when a request is over. */
export type RequestLine = {
  requestId: string
  method: string
  /** The pattern of the route, `page` for what Next shows to people, `unknown` for everything else. Never a path. */
  route: string
  /** 499 when the client hung up before there was an answer. */
  status: number
  milliseconds: number
  bytesIn?: number
  /** What the answer was about, to be found in the lines of the engine. */
  settlementId?: string
  /** Present when the answer was our fault. */
  error?: unknown
}

/** One request on its way through the door. */
export type RequestContext = {
  req: IncomingMessage
  res: ServerResponse
  id: string
  route: string
  surface: Surface
  bytesIn: number
  /** The client sent `Expect: 100-continue` and holds its body back. */
  waiting: boolean
  error?: unknown
}

// A client that is still sending must not meet a reset connection before it has read why it was refused.
const LINGER_MS = 1_000
const LINGER_BYTES = 262_144

/** Starts a context: its id is on the answer from the beginning, its line is logged when the connection lets go of it. */
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

/** Answers a context with a refusal; an unread body is let in for a moment, then the connection closes. */
export function refuse(context: RequestContext, refused: Omit<Refused, 'surface'>): void {
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

/** Takes in what is left of an unread body, so that the answer does not meet a client that is still sending. */
export async function drainBody(context: RequestContext): Promise<void> {
  closeUnlessRead(context)
  const { req, res, waiting } = context
  if (!res.shouldKeepAlive && !waiting) await new Promise<void>((resolve) => discard(req, resolve))
}

// An unread body that is long, endless or held back would otherwise be taken for the next request.
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

/** Writes the line of every finished request: as an error when it was our fault, and the endless health checks only when asked. */
export function requestLog(log: Log): (line: RequestLine) => void {
  return ({ error, ...line }) => {
    if (error !== undefined) log.error({ ...line, err: error }, 'request failed')
    else if (line.route === '/health') log.debug(line, 'request')
    else log.info(line, 'request')
  }
}
