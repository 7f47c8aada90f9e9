import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A message as a receiver gets it. */
export type Received = { path: string; headers: Record<string, string>; body: string }

/** What a receiver answers: a status with headers, nothing at all, a body without an end, or a protocol that nobody asked for. */
export type Answering = (received: Received, no: number) => { status: number; headers?: Record<string, string> } | Nuisance
type Nuisance = 'nothing' | 'endless' | 'switching'

/** A receiver of webhooks on this machine that keeps what it is sent. */
export type Receiver = { url: string; received: Received[]; answer: (answering: Answering) => void; close: () => Promise<void> }

/** Starts a receiver that answers 200, until it is told otherwise. */
export async function startReceiver(): Promise<Receiver> {
  const received: Received[] = []
  let answering: Answering = () => ({ status: 200 })
  const server = createServer(async (request, response) => {
    const message = { path: request.url ?? '', headers: headersOf(request), body: await bodyOf(request) }
    received.push(message)
    const answer = answering(message, received.length)
    if (typeof answer === 'object') response.writeHead(answer.status, answer.headers).end('said')
    if (answer === 'endless') response.writeHead(200).write('said')
    if (answer === 'switching')
      request.socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${portOf(server.address())}/hook`,
    received,
    answer(how) {
      answering = how
    },
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/**
 * Whether a message was signed with this secret: Standard Webhooks as a stranger reads it, with the browser's cryptography and none of the
 * service's code.
 */
export async function isSignedWith(secret: string, { headers, body }: Received): Promise<boolean> {
  const raw = Uint8Array.from(atob(secret.replace(/^whsec_/, '')), (char) => char.charCodeAt(0))
  const key = await crypto.subtle.importKey('raw', raw, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify'])
  const signed = new TextEncoder().encode(`${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`)
  const signatures = (headers['webhook-signature'] ?? '').split(' ').map((one) => one.split(',')[1] ?? '')
  const verdicts = signatures.map((one) => {
    const bytes = Uint8Array.from(atob(one), (char) => char.charCodeAt(0))
    return crypto.subtle.verify('HMAC', key, bytes, signed)
  })
  return (await Promise.all(verdicts)).includes(true)
}

const headersOf = ({ headers }: IncomingMessage) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))

async function bodyOf(request: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = []
  for await (const piece of request) pieces.push(Buffer.from(piece))
  return Buffer.concat(pieces).toString()
}

// A TCP server has an address with a port.
const portOf = (address: string | AddressInfo | null) => (address as AddressInfo).port
