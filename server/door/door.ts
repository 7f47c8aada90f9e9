import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import type { ApiRoute } from './api-route'
import { answerBrokenRequest } from './broken-request'
import { type BrowserPolicy, browserPolicy } from './browser-policy'
import { apologise, type Reception, receive } from './reception'
import { requestId } from './request-headers'
import { routeTable } from './route-table'
import { type RequestLine, startVisit, type Visit } from './visit'

export type DoorOptions = Omit<Reception, 'find' | 'policy'> & {
  routes: ApiRoute[]
  /** What browsers are told to allow; nothing but this service's own pages over http unless it is given. */
  policy?: BrowserPolicy
  /** Next's upgrade handler, in development only; without it an Upgrade header means nothing. */
  upgrade?: (req: IncomingMessage, socket: Duplex, head: Buffer) => unknown
  log: (line: RequestLine) => void
  /** Leads a visit on; what happens for it happens inside. */
  around?: (visit: Visit, work: () => Promise<void>) => Promise<void>
  timeouts?: { headersMs: number; requestMs: number; keepAliveMs: number }
}

export type Door = {
  /** Starts to accept connections; rejects when the port is taken. */
  listen: (port: number, host?: string) => Promise<AddressInfo>
  /** Accepts nothing more, lets running requests finish, closes idle connections, and resolves when the last one is gone. */
  drain: () => Promise<void>
  server: Server
}

const OWN_PAGES = browserPolicy({ baseUrl: 'http://localhost', playgroundUrl: null, development: false })
const TIMEOUTS = { headersMs: 10_000, requestMs: 30_000, keepAliveMs: 65_000 }

/** The process's only entrance: owns the sockets, vouches for what handlers read, and speaks for the API when there is nobody to hand to. */
export function createDoor(options: DoorOptions): Door {
  const { headersMs, requestMs, keepAliveMs } = options.timeouts ?? TIMEOUTS
  const { around = (_visit, work) => work() } = options
  const reception: Reception = { policy: OWN_PAGES, ...options, find: routeTable(options.routes) }
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

  function enter(req: IncomingMessage, res: ServerResponse, waiting: boolean): void {
    open.add(res)
    if (draining) res.shouldKeepAlive = false
    res.once('close', () => {
      open.delete(res)
      if (draining) server.closeIdleConnections()
    })
    const visit = startVisit({ req, res, id: requestId(req.headers), waiting }, options.log)
    around(visit, () => receive(visit, reception)).catch((error) => apologise(visit, error))
  }

  server.on('request', (req, res) => enter(req, res, false))
  server.on('checkContinue', (req, res) => enter(req, res, true))
  // Other expectations may be ignored (RFC 9110, 10.1.1); Node's own answer would not be JSON.
  server.on('checkExpectation', (req, res) => enter(req, res, false))
  server.on('clientError', (error, socket) => answerBrokenRequest(error, socket, options.log))
  if (options.upgrade) server.on('upgrade', passUpgrade(options.upgrade, upgraded))

  return {
    server,
    listen: (port, host) =>
      new Promise((resolve, reject) => {
        server.once('error', reject)
        server.listen({ port, host, backlog: 1_024 }, () => {
          server.off('error', reject)
          resolve(boundAddress(server))
        })
      }),
    drain: () =>
      new Promise((resolve) => {
        draining = true
        for (const res of open) res.shouldKeepAlive = false
        server.close(() => resolve())
        server.closeIdleConnections()
        for (const socket of upgraded) socket.destroy()
      }),
  }
}

type Upgrade = NonNullable<DoorOptions['upgrade']>

// Only the development client of Next speaks over upgraded sockets; Next leaves all others open for ever.
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
  if (address === null || typeof address === 'string') throw new Error('The door listens on no port.')
  return address
}
