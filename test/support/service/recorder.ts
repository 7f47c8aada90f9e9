import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { documentedAt, patternAt } from './documented'

/** A request (`POST /v1/:key/settle`) and its answer. */
export type Recorded = { asked: string; status: number; body: unknown }

/** A proxy in front of the service that records every exchange and changes nothing. */
export type Recorder = {
  url: string
  /** Sets the target URL. */
  leadTo: (url: string) => void
  /** Returns the exchanges since the last call; later requests get a new client address. Throws for an undocumented answer. */
  take: () => Recorded[]
  close: () => Promise<void>
}

type Exchange = { method: string; path: string; status: number; headers: Headers; body: string }

/** Starts a recorder without a target. */
export async function startRecorder(): Promise<Recorder> {
  let target = 'http://localhost:1'
  let exchanges: Exchange[] = []
  let visitors = 1

  async function pass(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const { method = '', url: path = '' } = req
    const headers = { ...req.headers, 'x-forwarded-for': `198.51.100.${visitors}` }
    const sent = await buffer(req)
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      request(`${target}${path}`, { method, headers }, resolve).once('error', reject).end(sent)
    })
    const body = await buffer(answer)
    const status = answer.statusCode ?? 0
    exchanges.push({ method, path, status, headers: new Headers(pairs(answer.rawHeaders)), body: body.toString() })
    res.writeHead(status, answer.rawHeaders).end(body)
  }

  const server = createServer((req, res) => {
    pass(req, res).catch((cause) => res.destroy(cause))
  })
  await new Promise<void>((resolve) => server.listen(0, resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://localhost:${port}`,
    leadTo(url) {
      target = url
    },
    take() {
      const seen = exchanges
      exchanges = []
      visitors++
      return seen.map(recorded)
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function recorded({ method, path, status, headers, body: text }: Exchange): Recorded {
  const body: unknown = headers.get('content-type')?.includes('json') ? JSON.parse(text) : text
  documentedAt(method, path, { status, headers, body })
  return { asked: `${method} ${patternAt(path)}`, status, body }
}

const pairs = (raw: string[]): [string, string][] => raw.flatMap((name, at) => (at % 2 ? [] : [[name, raw[at + 1] ?? '']]))
