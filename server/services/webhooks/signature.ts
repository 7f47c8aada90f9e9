import { createHmac } from 'node:crypto'

/** Before the base64 of a secret, so that people see what it is. */
export const SECRET_PREFIX = 'whsec_'

/** What is signed: the id of the message, when it is sent (Unix seconds) and its very bytes. */
export type Message = { id: string; timestamp: number; body: string }

/** The headers of a message (Standard Webhooks), signed with each of these secrets: several while a rotated one is in its grace. */
export function signedHeaders(secrets: readonly string[], message: Message): Record<string, string> {
  return {
    'webhook-id': message.id,
    'webhook-timestamp': String(message.timestamp),
    'webhook-signature': secrets.map((secret) => signature(secret, message)).join(' '),
  }
}

/** HMAC-SHA256 over id, time and body, with the bytes that the secret stands for. */
export function signature(secret: string, { id, timestamp, body }: Message): string {
  const key = Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64')
  return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`
}
