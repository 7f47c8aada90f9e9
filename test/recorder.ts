import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { documentedAt, patternAt } from './documented'

/** What was asked (`POST /v1/:key/settle`) and what came back. */
export type Recorded = { asked: string; status: number; body: unknown }

/** A line in front of the service that changes nothing and remembers what went over it. */
export type Recorder = {
  url: string
  /** Where it leads from now on. */
  leadTo: (url: string) => void
  /** Everything since it was asked last. Throws for an answer that `/openapi.json` does not know. Who comes next has another address. */
  take: () => Recorded[]
  close: () => Promise<void>
}

type Exchange = { method: string; path: string; status: number; headers: Headers; body: string }

/** Starts a recorder that leads nowhere yet. */
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
