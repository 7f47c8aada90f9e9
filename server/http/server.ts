import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { type BrowserPolicy, browserPolicy } from './browser-policy'
import { API_HEADERS, refusalBody } from './errors'
import { BACKLOG, openMoreListeners } from './more-listeners'
import type { Pages } from './pages'
import { REQUEST_ID_HEADER } from './request'
import { type RequestContext, type RequestLine, startRequest } from './request-context'
import { requestIdFrom } from './request-headers'
import { type ApiRoute, routeTable } from './route-table'
import { errorResponse, type Router, receive } from './router'

export type HttpServerOptions = Omit<Router, 'find' | 'policy' | 'pages'> & {
  routes: ApiRoute[]
  pages?: Pages
  /** The security headers; the default allows only this service's own pages over http. */
  policy?: BrowserPolicy
  /** Next's upgrade handler, in development only; otherwise Upgrade headers are ignored. */
  upgrade?: (req: IncomingMessage, socket: Duplex, head: Buffer) => unknown
  log: (line: RequestLine) => void
  /** Wraps the handling of each request, for telemetry. */
  around?: (context: RequestContext, work: () => Promise<void>) => Promise<void>
  /** Gets what goes wrong beside requests. */
  onTrouble: (error: Error) => void
  timeouts?: { headersMs: number; requestMs: number; keepAliveMs: number }
}

export type HttpServer = {
  /** Starts to accept connections; rejects if the port is in use. */
  listen: (port: number, host?: string) => Promise<AddressInfo>
  /** Stops accepting connections, waits for running requests, closes idle connections, and resolves when all are closed. */
  drain: () => Promise<void>
  /** How many requests have no complete answer yet. */
  running: () => number
  server: Server
}

const OWN_PAGES = browserPolicy({ baseUrl: 'http://localhost', playgroundUrl: null, walletConnect: false, development: false })
const TIMEOUTS = { headersMs: 10_000, requestMs: 30_000, keepAliveMs: 65_000 }

/** Creates the HTTP server of the process. It checks every request before a handler sees it, and answers those that no handler can. */
export function createHttpServer(options: HttpServerOptions): HttpServer {
  const { headersMs, requestMs, keepAliveMs } = options.timeouts ?? TIMEOUTS
  const {
    around = (_context, work) => work(),
    routes,
    fallback,
    pages,
    policy = OWN_PAGES,
    trustedProxyHops,
    accepting,
  } = options
  const router: Router = { find: routeTable(routes), fallback, pages, policy, trustedProxyHops, accepting }
  const open = new Set<ServerResponse>()
  const upgraded = new Set<Duplex>()
  let draining = false

  const server = createServer({
    headersTimeout: headersMs,
    requestTimeout: requestMs,
    keepAliveTimeout: keepAliveMs,
    connectionsCheckingInterval: Math.min(1_000, headersMs),
    maxHeaderSize: 16_384,
    requireHostHeader: false,
  })
  const more = openMoreListeners(server, options.onTrouble)

  function enter(req: IncomingMessage, res: ServerResponse, waiting: boolean): void {
    open.add(res)
    if (draining) res.shouldKeepAlive = false
    res.once('close', () => {
      open.delete(res)
      if (draining) server.closeIdleConnections()
    })
    const context = startRequest({ req, res, id: requestIdFrom(req.headers), waiting }, options.log)
    around(context, () => receive(context, router)).catch((error) => errorResponse(context, error))
  }

  server.on('request', (req, res) => enter(req, res, false))
  server.on('checkContinue', (req, res) => enter(req, res, true))
  // Unknown expectations may be ignored (RFC 9110, 10.1.1); Node's own response would not be JSON.
  server.on('checkExpectation', (req, res) => enter(req, res, false))
  server.on('clientError', (error, socket) => answerBrokenRequest(error, socket, options.log))
  if (options.upgrade) server.on('upgrade', passUpgrade(options.upgrade, upgraded))

  return {
    server,
    running: () => open.size,
    listen: (port, host) =>
      new Promise((resolve, reject) => {
        server.once('error', reject)
        server.listen({ port, host, backlog: BACKLOG }, () => {
          server.off('error', reject)
          resolve(boundAddress(server))
        })
      }),
    drain: () =>
      new Promise((resolve) => {
        draining = true
        for (const res of open) res.shouldKeepAlive = false
        const own = new Promise((closed) => server.close(closed))
        void Promise.all([own, more.close()]).then(() => resolve())
        server.closeIdleConnections()
        for (const socket of upgraded) socket.destroy()
      }),
  }
}

type Upgrade = NonNullable<HttpServerOptions['upgrade']>

// Only Next's development client uses upgraded sockets; Next would never close the others.
function passUpgrade(upgrade: Upgrade, upgraded: Set<Duplex>): Upgrade {
  return (req, socket, head) => {
    if (!req.url?.startsWith('/_next/')) {
      socket.destroy()
      return
    }
    upgraded.add(socket)
    socket.once('close', () => upgraded.delete(socket))
    upgrade(req, socket, head)
  }
}

function boundAddress(server: Server): AddressInfo {
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The HTTP server has no port.')
  return address
}

/**
 * Answers bytes that are not a valid request: 408 if they came too slowly, else 400. Then it closes the connection. If a response has
 * started already, it only closes: the client would read a second one as its next response.
 */
function answerBrokenRequest(error: Error & { code?: string }, socket: Duplex, log: (line: RequestLine) => void): void {
  const close = () => socket.destroy()
  if (!socket.writable || error.code === 'ECONNRESET') return void close()
  if (hasResponseStarted(socket)) return void socket.end(close)
  const requestId = randomUUID()
  const status = error.code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 408 : 400
  const text = JSON.stringify(refusalBody('plain', explain(error.code)))
  const headers = {
    ...API_HEADERS,
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(text),
    [REQUEST_ID_HEADER]: requestId,
    connection: 'close',
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.end(`HTTP/1.1 ${status} ${status === 408 ? 'Request Timeout' : 'Bad Request'}\r\n${lines.join('')}\r\n${text}`, () =>
    socket.destroy(),
  )
  log({ requestId, method: '', route: 'unknown', status, milliseconds: 0 })
}

function explain(code: string | undefined): string {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT')
    return 'the request did not arrive in time; send its headers within 10 seconds and its body within 30 seconds'
  if (code === 'HPE_HEADER_OVERFLOW') return 'the request headers are larger than 16 KB'
  return 'the request is not valid HTTP/1.1; check its request line, header lines, Content-Length and chunk sizes'
}

// Node has no public property for the response in progress on a socket.
function hasResponseStarted(socket: Duplex & { _httpMessage?: { headersSent: boolean } | null }): boolean {
  return socket._httpMessage?.headersSent === true
}
