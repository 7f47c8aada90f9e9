import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { connect, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'
import { DEFAULT_BODY_LIMIT, PAYMENT_BODY_LIMIT } from '../../../server/http/bodies'
import type { RouteHandler } from '../../../server/http/endpoint'
import type { RequestLine } from '../../../server/http/request-context'
import { requestLog } from '../../../server/http/request-context'
import type { ApiRoute } from '../../../server/http/route-table'
import { createHttpServer, type HttpServer, type HttpServerOptions } from '../../../server/http/server'
import { testLog } from '../logs'

export type Answer = { status: number; headers: Record<string, string>; body: string }

/** A connection that sends exactly the given bytes. */
type Wire = {
  socket: Socket
  say: (text: string) => void
  /** Waits for this many answers or for the end of the connection; `bodiless` for answers to HEAD. */
  answers: (count: number, shape?: 'bodiless') => Promise<Answer[]>
  ended: Promise<void>
}

export type OpenServer = {
  server: HttpServer
  port: number
  lines: RequestLine[]
  /** Resolves with the first request log line. */
  line: () => Promise<RequestLine>
  dial: () => Promise<Wire>
  /** Sends one request on a new connection and returns its answer. */
  ask: (text: string, shape?: 'bodiless') => Promise<Answer>
}

/** A handler that answers with its own request. */
async function echo(request: Request, { params }: { params: Promise<Record<string, string>> }): Promise<Response> {
  const { method, headers } = request
  const url = request.url.slice(request.url.indexOf('/', 8))
  return Response.json({ method, url, params: await params, headers: Object.fromEntries(headers), body: await request.text() })
}

/** A fake Next handler that answers with its own request. */
async function page(req: IncomingMessage, res: ServerResponse): Promise<void> {
  let body = ''
  for await (const piece of req) body += piece
  res.setHeader('content-type', 'application/json')
  res.end(JSON.stringify({ page: true, method: req.method, url: req.url, headers: req.headers, body }))
}

const open = { cors: 'open', bodyLimit: DEFAULT_BODY_LIMIT } as const
const payment = { cors: 'open', bodyLimit: PAYMENT_BODY_LIMIT, methods: { POST: echo } } as const

export const routes: ApiRoute[] = [
  { pattern: '/', methods: { GET: 'next' }, ...open },
  { pattern: '/health', methods: { GET: echo }, ...open },
  { pattern: '/sandbox/settle', ...payment },
  { pattern: '/sandbox/verify', ...payment },
  { pattern: '/sandbox/supported', methods: { GET: 'next' }, ...open },
  { pattern: '/v1/settle', ...payment },
  { pattern: '/v1/:key/settle', ...payment },
  { pattern: '/v1/:key/settlements/:id', methods: { GET: echo }, ...open },
  { pattern: '/api/trpc/*', methods: { GET: 'next', POST: 'next' }, cors: 'closed', bodyLimit: DEFAULT_BODY_LIMIT },
  { pattern: '/admin/tenants', methods: { GET: echo, POST: echo }, cors: 'closed', bodyLimit: DEFAULT_BODY_LIMIT },
]

/** One payment route with the given handler. */
export function served(handler: RouteHandler, bodyLimit: number = PAYMENT_BODY_LIMIT): ApiRoute[] {
  return [{ pattern: '/v1/:key/settle', methods: { POST: handler }, bodyLimit, cors: 'open' }]
}

/** Starts our HTTP server; it closes when the test ends. */
export async function openServer(changes: Partial<HttpServerOptions> = {}): Promise<OpenServer> {
  const lines: RequestLine[] = []
  const waiting: (() => void)[] = []
  const write = requestLog(testLog())
  const log = (line: RequestLine) => {
    write(line)
    lines.push(line)
    for (const wake of waiting.splice(0)) wake()
  }
  const server = createHttpServer({
    routes,
    fallback: page,
    trustedProxyHops: 0,
    accepting: () => true,
    onTrouble: console.error,
    log,
    ...changes,
  })
  const { port } = await server.listen(0, '127.0.0.1')
  const sockets = new Set<Socket>()
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy()
    server.server.closeAllConnections()
    await server.drain()
  })

  async function dial(): Promise<Wire> {
    const socket = connect(port, '127.0.0.1')
    sockets.add(socket)
    await once(socket, 'connect')
    return wire(socket)
  }

  return {
    server,
    port,
    lines,
    dial,
    async line() {
      while (lines.length === 0) await new Promise<void>((resolve) => waiting.push(resolve))
      const [first] = lines
      if (!first) throw new Error('No request was logged.')
      return first
    },
    async ask(text, shape) {
      const wire = await dial()
      wire.say(text)
      const [answer] = await wire.answers(1, shape)
      wire.socket.destroy()
      if (!answer) throw new Error('The connection ended without an answer.')
      return answer
    },
  }
}

/** The bytes of a request without a connection header; a body comes with its length. */
export function request(line: string, headers: Record<string, string> = {}, body?: string): string {
  const all = {
    Host: 'quittance.test',
    ...(body === undefined ? {} : { 'Content-Length': String(Buffer.byteLength(body)) }),
    ...headers,
  }
  const fields = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  return `${line} HTTP/1.1\r\n${fields.join('')}\r\n${body ?? ''}`
}

function wire(socket: Socket): Wire {
  let received = Buffer.alloc(0)
  let closed = false
  const ended = new Promise<void>((resolve) => socket.once('close', () => resolve()))
  socket.on('error', () => {})
  socket.on('data', (piece) => {
    received = Buffer.concat([received, piece])
  })
  void ended.then(() => {
    closed = true
  })
  return {
    socket,
    ended,
    say: (text) => void socket.write(text, 'latin1'),
    async answers(count, shape) {
      const found: Answer[] = []
      for (;;) {
        for (let next = readAnswer(received, shape); next && found.length < count; next = readAnswer(received, shape)) {
          found.push(next.answer)
          received = received.subarray(next.length)
        }
        if (found.length === count || closed) return found
        await Promise.race([once(socket, 'data'), ended])
      }
    },
  }
}

function readAnswer(bytes: Buffer, shape: 'bodiless' | undefined): { answer: Answer; length: number } | undefined {
  const text = bytes.toString('latin1')
  const headEnd = text.indexOf('\r\n\r\n')
  if (headEnd < 0) return undefined
  const [statusLine = '', ...fields] = text.slice(0, headEnd).split('\r\n')
  const headers = Object.fromEntries(
    fields.map((field) => [field.slice(0, field.indexOf(':')).toLowerCase(), field.slice(field.indexOf(':') + 2)]),
  )
  const status = Number(statusLine.split(' ')[1])
  const start = headEnd + 4
  if (shape === 'bodiless' || status < 200 || status === 204) return { answer: { status, headers, body: '' }, length: start }
  if (headers['transfer-encoding'] === 'chunked') return readChunks(text, start, { status, headers })
  const length = start + Number(headers['content-length'] ?? 0)
  return bytes.length < length ? undefined : { answer: { status, headers, body: bytes.toString('utf8', start, length) }, length }
}

function readChunks(text: string, start: number, head: Omit<Answer, 'body'>): { answer: Answer; length: number } | undefined {
  let body = ''
  for (let at = start; ; ) {
    const lineEnd = text.indexOf('\r\n', at)
    if (lineEnd < 0) return undefined
    const size = Number.parseInt(text.slice(at, lineEnd), 16)
    at = lineEnd + 2 + size + 2
    if (text.length < at) return undefined
    if (size === 0) return { answer: { ...head, body }, length: at }
    body += text.slice(lineEnd + 2, lineEnd + 2 + size)
  }
}
