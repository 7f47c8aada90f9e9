import type { IncomingMessage, ServerResponse } from 'node:http'
import { type BodyMeter, bodyStream } from './body'

// Handlers must not learn a host from the request: links and SIWE domains come from the configuration.
const ORIGIN = 'http://localhost'

/** The web Request a handler gets. Its signal aborts when the client hangs up before the answer is complete. */
export function webRequest(req: IncomingMessage, res: ServerResponse, target: string, meter: BodyMeter): Request {
  const hangUp = new AbortController()
  res.once('close', () => {
    if (!res.writableFinished) hangUp.abort()
  })
  const method = req.method === 'HEAD' ? 'GET' : (req.method ?? 'GET')
  const shared = { method, headers: headerPairs(req), signal: hangUp.signal }
  if (method === 'GET') return new Request(ORIGIN + target, shared)
  // Node demands `duplex` for streamed bodies; the DOM types do not know it yet.
  const streamed: RequestInit & { duplex: 'half' } = { ...shared, body: bodyStream(req, meter), duplex: 'half' }
  return new Request(ORIGIN + target, streamed)
}

function headerPairs({ headers }: IncomingMessage): [string, string][] {
  const pairs: [string, string][] = []
  for (const name in headers) {
    const value = headers[name]
    if (value !== undefined) pairs.push([name, typeof value === 'string' ? value : value.join(', ')])
  }
  return pairs
}
