import { Agent, type OutgoingHttpHeaders, request } from 'node:http'

/** The headers of a client beside host, content type and length: of a plain program, of `fetch`, and of one behind a proxy. */
const CLIENTS: readonly OutgoingHttpHeaders[] = [
  {},
  { accept: '*/*', 'accept-language': '*', 'sec-fetch-mode': 'cors', 'user-agent': 'node', 'accept-encoding': 'gzip, deflate' },
  { accept: '*/*', 'user-agent': 'node', 'x-forwarded-for': '192.0.2.1', 'x-forwarded-proto': 'https' },
]

type MadeUpClients = {
  /** Posts JSON as the next client. Rejects when no answer comes. */
  post(url: string, body: string): Promise<string>
  /** Closes all connections, so that each client opens new ones. Only while no answer is awaited. */
  hangUp(): void
}

/** Several clients in turn, each with connections of its own. */
export function createMadeUpClients(): MadeUpClients {
  const clients = CLIENTS.map((headers) => ({ headers, agent: new Agent({ keepAlive: true }) }))
  let turn = 0
  return {
    post(url, body) {
      const client = clients[turn++ % clients.length]
      if (!client) throw new Error('there is a client for each turn')
      return send(url, body, client)
    },
    hangUp() {
      for (const { agent } of clients) agent.destroy()
    },
  }
}

function send(url: string, body: string, { headers, agent }: { headers: OutgoingHttpHeaders; agent: Agent }): Promise<string> {
  const length = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }
  return new Promise((resolve, reject) => {
    const sent = request(url, { method: 'POST', agent, headers: { ...length, ...headers } }, (response) => {
      const pieces: Buffer[] = []
      response.on('data', (piece: Buffer) => pieces.push(piece))
      response.on('end', () => resolve(Buffer.concat(pieces).toString()))
      response.on('error', reject)
    })
    sent.on('error', reject)
    sent.end(body)
  })
}
