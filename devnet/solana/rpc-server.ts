import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { z } from 'zod'
import { RpcError } from './rpc-error'

/** Answers one method by name. Throws an `RpcError` for a caller's mistake. */
export type Answerer = (method: string, params: unknown) => unknown
type RpcServer = { port: number; stop: () => Promise<void> }

const bodyBytes = 1_000_000
const call = z.object({
  id: z.union([z.string(), z.number(), z.null()]).default(null),
  method: z.string(),
  params: z.unknown().optional(),
})

/** Listens for JSON-RPC over HTTP on the loopback, single calls and batches; port 0 is any free port. */
export async function startRpcServer(port: number, answer: Answerer): Promise<RpcServer> {
  const server = createServer((request, response) => {
    serve(request, response, answer).catch((cause: unknown) => {
      console.error(cause)
      response.destroy()
    })
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  const { port: bound } = server.address() as AddressInfo
  return {
    port: bound,
    stop: async () => {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

async function serve(request: IncomingMessage, response: ServerResponse, answer: Answerer): Promise<void> {
  if (request.method !== 'POST') {
    response.end('ok')
    return
  }
  const body = await read(request)
  if (body === undefined) {
    response.writeHead(413).end()
    return
  }
  response.writeHead(200, { 'content-type': 'application/json' }).end(toJson(await answerBody(body, answer)))
}

async function read(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request) {
    size += chunk.length
    if (size > bodyBytes) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}

async function answerBody(body: string, answer: Answerer): Promise<unknown> {
  let parsed: unknown
  try {
    parsed = JSON.parse(body)
  } catch {
    return failure(null, new RpcError(-32700, 'Parse error'))
  }
  if (!Array.isArray(parsed)) return answerCall(parsed, answer)
  if (parsed.length === 0) return failure(null, new RpcError(-32600, 'Invalid Request'))
  const answers: unknown[] = []
  // In sequence: a call may depend on the one before.
  for (const one of parsed) answers.push(await answerCall(one, answer))
  return answers
}

async function answerCall(parsed: unknown, answer: Answerer): Promise<unknown> {
  const read = call.safeParse(parsed)
  if (!read.success) return failure(null, new RpcError(-32600, 'Invalid Request'))
  const { id, method, params } = read.data
  try {
    return { jsonrpc: '2.0', result: await answer(method, params), id }
  } catch (cause) {
    if (cause instanceof RpcError) return failure(id, cause)
    return failure(id, new RpcError(-32603, `Internal error: ${cause instanceof Error ? cause.message : cause}`))
  }
}

function failure(id: string | number | null, { code, message, data }: RpcError): unknown {
  return { jsonrpc: '2.0', error: { code, message, ...(data === undefined ? {} : { data }) }, id }
}

// JSON has no bigints, but its numbers have any length, and nodes write 64-bit numbers in full.
const mark = '\u0001'
const marked = /"\\u0001(\d+)\\u0001"/g

/** JSON in which a bigint is a number with all its digits. */
function toJson(value: unknown): string {
  const text = JSON.stringify(value, (_key, part: unknown) => (typeof part === 'bigint' ? `${mark}${part}${mark}` : part))
  return text.replace(marked, '$1')
}
