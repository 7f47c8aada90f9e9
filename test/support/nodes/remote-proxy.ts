import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A received request. */
export type Seen = { method: string; path: string; authorization: string | undefined; body: string }

type Answer = { status: number; body: string }

/** Replaces the normal handling of a settle request. */
type Disturbance = (pass: () => Promise<Answer>, res: ServerResponse) => Promise<void> | void

/** A proxy in front of a facilitator that can misbehave. */
export type RemoteProxy = {
  url: string
  seen: Seen[]
  /** The number of settle requests with this nonce. */
  settles: (nonce: string) => number
  /** Sets the handling of settle requests; null forwards them. */
  disturb: (how: Disturbance | null) => void
  /** Closes the port, so that connections are refused; `up` opens it again. */
  down: () => Promise<void>
  up: () => Promise<void>
  close: () => Promise<void>
}

const JSON_HEADERS = { 'content-type': 'application/json' }
const text =
  (status: number, body: string): Disturbance =>
  (_, res) =>
    void res.writeHead(status, JSON_HEADERS).end(body)

/** Network failures and misbehaving facilitators, by name. */
export const disturbances = {
  'loses the answer': async (pass, res) => {
    await pass()
    res.destroy()
  },
  'is cut off before it got the request': (_, res) => void res.destroy(),
  'answers 502 and never got it': text(502, 'bad gateway'),
  'answers 502 though it sent': async (pass, res) => {
    await pass()
    res.writeHead(502, { 'content-type': 'text/html' }).end('<html>Bad Gateway</html>')
  },
  'answers with HTML though it sent': async (pass, res) => {
    await pass()
    res.writeHead(200, { 'content-type': 'text/html' }).end('<html>Welcome</html>')
  },
  'breaks its answer off': async (pass, res) => {
    const { body } = await pass()
    res.writeHead(200, { ...JSON_HEADERS, 'content-length': body.length })
    res.write(body.slice(0, 20))
    setImmediate(() => res.destroy())
  },
  'says success:false though it sent': async (pass, res) => {
    await pass()
    res
      .writeHead(200, JSON_HEADERS)
      .end(JSON.stringify({ success: false, errorReason: 'unexpected_settle_error', transaction: '' }))
  },
  'sends and then says nothing for long': async (pass, res) => {
    await pass()
    setTimeout(() => res.writeHead(500).end(), 60_000).unref()
  },
  'answers 409 though it sent': async (pass, res) => {
    await pass()
    res.writeHead(409, JSON_HEADERS).end(JSON.stringify({ error: 'duplicate' }))
  },
} as const satisfies Record<string, Disturbance>

/** Answers a success, and sends when its caller is gone. */
export const sendAfterCaller: Disturbance = async (pass, res) => {
  const gone = once(res.socket ?? res, 'close')
  res.writeHead(200, JSON_HEADERS).end(JSON.stringify({ success: true, transaction: '', network: 'eip155:84532' }))
  await gone
  await pass()
}

/** Answers a success with this transaction, and forwards nothing. */
export const lieAbout = (transaction: string): Disturbance =>
  text(200, JSON.stringify({ success: true, transaction, network: 'eip155:84532', payer: '' }))

/** Answers this status and body, and forwards nothing. */
export const refuseWith = (status: number, body = '{"error":"no"}'): Disturbance => text(status, body)

/** Starts a proxy in front of a facilitator. */
export async function startRemoteProxy(target: string): Promise<RemoteProxy> {
  let how: Disturbance | null = null
  const seen: Seen[] = []

  async function serve(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const pieces: Uint8Array[] = []
    for await (const piece of req) pieces.push(piece)
    const [body, path, method] = [Buffer.concat(pieces).toString(), req.url ?? '', req.method ?? '']
    seen.push({ method, path, authorization: req.headers.authorization, body })
    const pass = async (): Promise<Answer> => {
      const init = method === 'POST' ? { method, headers: JSON_HEADERS, body } : {}
      const response = await fetch(`${target}${path}`, init)
      return { status: response.status, body: await response.text() }
    }
    if (how && path === '/settle') return how(pass, res)
    const answer = await pass()
    res.writeHead(answer.status, JSON_HEADERS).end(answer.body)
  }

  const server = createServer((req, res) => {
    serve(req, res).catch(() => res.destroy())
  })
  const listen = (port: number) => new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  await listen(0)
  const { port } = server.address() as AddressInfo
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  return {
    url: `http://127.0.0.1:${port}`,
    seen,
    settles: (nonce) => seen.filter(({ path, body }) => path === '/settle' && body.includes(nonce)).length,
    disturb(next) {
      how = next
    },
    down: close,
    up: () => listen(port),
    close: () => (server.listening ? close() : Promise.resolve()),
  }
}
