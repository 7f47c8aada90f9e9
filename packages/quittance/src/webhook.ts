import { createHmac, timingSafeEqual } from 'node:crypto'
import type { WebhookMessage } from './answers'
import { fieldOf } from './payment-key'

/** A webhook that its sender did not sign, or not now. The message says why; answer 401. */
export class InvalidWebhook extends Error {
  override name = 'InvalidWebhook'
}

export type WebhookOptions = {
  /** How far the message's time may be from the clock, in seconds: five minutes. */
  toleranceSeconds?: number
  /** Unix milliseconds; by default the clock. */
  now?: () => number
}

/** The least length of a secret by Standard Webhooks. */
const SECRET_BYTES = 24

/** The headers of a request: of the web, of Node, or a plain object with small letters. */
type RequestHeaders = Headers | Record<string, string | string[] | undefined>

/**
 * The message of a webhook, whose signature is that of Standard Webhooks. `body` is the body as received, before it is parsed; `secret`
 * is the one that the dashboard showed, `whsec_…`. Throws `InvalidWebhook`, and another error for a secret below 24 bytes. A message may come
 * twice with the same `id`.
 */
export function verifyWebhook(
  body: string | Uint8Array,
  headers: RequestHeaders,
  secret: string,
  { toleranceSeconds = 300, now = Date.now }: WebhookOptions = {},
): WebhookMessage {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  // Anyone can sign with an empty secret.
  if (key.length < SECRET_BYTES) throw new Error(`the secret must be whsec_ and at least ${SECRET_BYTES} bytes in base64`)
  const [id, at, signatures] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => headerOf(headers, name))
  if (!id || !at || !signatures) throw new InvalidWebhook('a header of Standard Webhooks is missing')
  if (!(Math.abs(now() / 1_000 - Number(at)) <= toleranceSeconds)) throw new InvalidWebhook('its time is too far from the clock')
  const expected = createHmac('sha256', key).update(`${id}.${at}.`).update(body).digest()
  if (!signatures.split(' ').some((signature) => isSame(signature, expected))) throw new InvalidWebhook('no signature matches')
  const message = parsed(body)
  const { type, timestamp, data } = Object(message)
  if (typeof type !== 'string' || typeof timestamp !== 'string' || typeof data !== 'object' || data === null) {
    throw new InvalidWebhook('its body is not a webhook message')
  }
  return { id, type, timestamp, data }
}

function headerOf(headers: RequestHeaders, name: string): string | undefined {
  if (headers instanceof Headers) return headers.get(name) ?? undefined
  const value = fieldOf(headers, name)
  return typeof value === 'string' ? value : undefined
}

function isSame(signature: string, expected: Buffer): boolean {
  const [version, written = ''] = signature.split(',')
  const given = Buffer.from(written, 'base64')
  return version === 'v1' && given.length === expected.length && timingSafeEqual(given, expected)
}

function parsed(body: string | Uint8Array): unknown {
  try {
    return JSON.parse(typeof body === 'string' ? body : Buffer.from(body).toString())
  } catch {
    throw new InvalidWebhook('its body is not JSON')
  }
}
