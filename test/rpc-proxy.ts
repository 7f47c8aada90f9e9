import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export type Call = { id: unknown; method: string; params: unknown[] }

/**
 * What happens to a call: forwarded (undefined), answered without the node, forwarded with its answer lost, or never
 * forwarded and its connection cut.
 */
export type Fate = undefined | { result: unknown } | { error: { code: number; message: string } } | 'lose the answer' | 'cut'

export type RpcProxy = {
  url: string
  /** Every method that passed, in order. */
  seen: string[]
  /** HTTP requests so far. */
  requests: () => number
  /** Decides from now on what happens to each call. */
  disturb: (fate: (call: Call) => Fate | Promise<Fate>) => void
  close: () => Promise<void>
}

/** A node between the service and its chain, that a test may turn into a bad one. */
export async function startRpcProxy(target: string): Promise<RpcProxy> {
  let decide: (call: Call) => Fate | Promise<Fate> = () => undefined
  let requests = 0
  const seen: string[] = []

  async function answer(call: Call): Promise<object | null> {
    seen.push(call.method)
    const fate = await decide(call)
    if (fate === 'cut') return null
    if (fate && typeof fate === 'object') return { jsonrpc: '2.0', id: call.id, ...fate }
    const response = await fetch(target, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', ...call }),
    })
    const body: object = await response.json()
    return fate === 'lose the answer' ? null : body
  }

  async function serve(req: IncomingMessage, res: ServerResponse): Promise<void> {
    requests++
    const pieces: Uint8Array[] = []
    for await (const piece of req) pieces.push(piece)
    const body: Call | Call[] = JSON.parse(Buffer.concat(pieces).toString())
    const answers = await Promise.all([body].flat().map(answer))
    if (answers.includes(null)) return void req.socket.destroy()
    res.setHeader('content-type', 'application/json').end(JSON.stringify(Array.isArray(body) ? answers : answers[0]))
  }

  const server = createServer((req, res) => {
    serve(req, res).catch(() => req.socket.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    seen,
    requests: () => requests,
    disturb(fate) {
      decide = fate
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
