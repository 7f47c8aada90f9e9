import { once } from 'node:events'
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { newRpcCounter, type RpcCount } from './rpc-count'

/** A proxy between a facilitator and the chain. */
type CountingProxy = { url: string; counts: () => RpcCount; close: () => void }

/** Starts a proxy that counts the JSON-RPC calls to a node and changes nothing. HTTP only. */
export async function startCountingProxy(nodeUrl: string): Promise<CountingProxy> {
  const counter = newRpcCounter()
  const agent = new Agent({ keepAlive: true })

  async function serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const pieces: Uint8Array[] = []
    for await (const piece of incoming) pieces.push(piece)
    const body = Buffer.concat(pieces)
    counter.count(body.toString())
    const headers = { 'content-type': 'application/json', 'content-length': body.length }
    const forwarded = request(nodeUrl, { method: 'POST', agent, headers })
    forwarded.end(body)
    const [answer]: IncomingMessage[] = await once(forwarded, 'response')
    if (!answer) throw new Error('the node sent no answer')
    response.writeHead(answer.statusCode ?? 502, { 'content-type': 'application/json' })
    answer.pipe(response)
  }

  const server = createServer((incoming, response) => {
    // The facilitator sees what it would see without us: a broken connection.
    serve(incoming, response).catch(() => incoming.socket.destroy())
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the proxy listens on no port')
  return {
    url: `http://127.0.0.1:${address.port}`,
    counts: counter.counts,
    close() {
      server.close()
      server.closeAllConnections()
      agent.destroy()
    },
  }
}
