import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export type Call = { id: unknown; method: string; params: unknown[] }

/**
 * The handling of a call: forwarded (undefined), answered without the node, forwarded with its answer lost, forwarded twice, or
 * not forwarded and its connection cut.
 */
export type Fate =
  | undefined
  | { result: unknown }
  | { error: { code: number; message: string } }
  | 'lose the answer'
  | 'twice'
  | 'cut'

/** The handling of a whole HTTP request: normal (undefined), cut, never answered, or answered with another body. */
export type RequestFate = undefined | 'cut' | 'hang' | { status: number; body: (right: string) => string }

export type RpcProxy = {
  url: string
  /** The called methods, in order. */
  seen: string[]
  /** The number of HTTP requests. */
  requests: () => number
  /** The calls of each HTTP request, and the bytes of its answer. */
  traffic: { calls: Call[]; bytes: number }[]
  /** The number of HTTP requests without an answer yet. */
  open: () => number
  /** Calls the node directly. */
  forward: (method: string, params: unknown[]) => Promise<{ result?: unknown; error?: unknown }>
  /** Sets the handling of each call. */
  disturb: (fate: (call: Call) => Fate | Promise<Fate>) => void
  /** Sets the handling of each HTTP request. */
  receive: (fate: (calls: Call[]) => RequestFate) => void
  /** Forwards everything again. */
  calm: () => void
  close: () => Promise<void>
}

/** Starts a proxy between the service and its node; a test can make it fail. */
export async function startRpcProxy(target: string): Promise<RpcProxy> {
  let decide: (call: Call) => Fate | Promise<Fate> = () => undefined
  let decideRequest: (calls: Call[]) => RequestFate = () => undefined
  let requests = 0
  let open = 0
  const seen: string[] = []
  const traffic: RpcProxy['traffic'] = []

  async function answer(call: Call): Promise<object | null> {
    seen.push(call.method)
    const fate = await decide(call)
    if (fate === 'cut') return null
    if (fate && typeof fate === 'object') return { jsonrpc: '2.0', id: call.id, ...fate }
    if (fate === 'twice') await forward(call)
    const body = await forward(call)
    return fate === 'lose the answer' ? null : body
  }

  async function forward(call: Call): Promise<object> {
    const response = await fetch(target, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', ...call }),
    })
    return response.json()
  }

  async function serve(req: IncomingMessage, res: ServerResponse): Promise<void> {
    requests++
    open++
    res.once('close', () => open--)
    const pieces: Uint8Array[] = []
    for await (const piece of req) pieces.push(piece)
    const body: Call | Call[] = JSON.parse(Buffer.concat(pieces).toString())
    const calls = [body].flat()
    const fate = decideRequest(calls)
    if (fate === 'hang') return void seen.push(...calls.map(({ method }) => method))
    if (fate === 'cut') return void req.socket.destroy()
    const answers = await Promise.all(calls.map(answer))
    if (answers.includes(null)) return void req.socket.destroy()
    const right = JSON.stringify(Array.isArray(body) ? answers : answers[0])
    traffic.push({ calls, bytes: Buffer.byteLength(right) })
    res.writeHead(fate?.status ?? 200, { 'content-type': 'application/json' }).end(fate ? fate.body(right) : right)
  }

  const server = createServer((req, res) => {
    serve(req, res).catch(() => req.socket.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    seen,
    traffic,
    requests: () => requests,
    open: () => open,
    forward: (method, params) => forward({ id: 1, method, params }),
    disturb(fate) {
      decide = fate
    },
    receive(fate) {
      decideRequest = fate
    },
    calm() {
      decide = () => undefined
      decideRequest = () => undefined
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
