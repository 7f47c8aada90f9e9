import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A received message. */
export type Received = { path: string; headers: Record<string, string>; body: string }

type Answer = { status: number; headers?: Record<string, string>; body?: string | Uint8Array }

/** A receiver's answer: a status with headers and a body, silence, an endless body, or an unrequested protocol upgrade. */
export type Answering = (received: Received, no: number) => Answer | Nuisance
type Nuisance = 'nothing' | 'endless' | 'switching'

/** A local webhook receiver that records its messages. */
export type Receiver = { url: string; received: Received[]; answer: (answering: Answering) => void; close: () => Promise<void> }

/** Starts a receiver that answers 200 by default. */
export async function startReceiver(): Promise<Receiver> {
  const received: Received[] = []
  let answering: Answering = () => ({ status: 200 })
  const server = createServer(async (request, response) => {
    const message = { path: request.url ?? '', headers: headersOf(request), body: await bodyOf(request) }
    received.push(message)
    const answer = answering(message, received.length)
    if (typeof answer === 'object') response.writeHead(answer.status, answer.headers).end(answer.body ?? 'said')
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
 * Whether this secret signed the message, by the Standard Webhooks specification. Uses WebCrypto and none of the service's code, so that a
 * mistake there cannot hide here.
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

// The address of a TCP server is an object with a port.
const portOf = (address: string | AddressInfo | null) => (address as AddressInfo).port
