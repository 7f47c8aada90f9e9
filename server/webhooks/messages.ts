import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto'
import type { EventData } from '../ledger/statements/events'
import { displayAddress } from '../x402/addresses'
import { tokenNamed, USDC } from '../x402/networks/assets'
import type { Finality } from '../x402/networks/finality'
import { historyReason } from '../x402/reasons/reasons'
import { TEST_EVENT } from './events'

/**
 * The body of an event: the settlement as in the merchant's history, with the id that settle returned and what tells its transfer from
 * others of the same transaction. `receiptUrl`: the public page of its receipt. Always the same bytes.
 */
export function eventBody(data: EventData, receiptUrl: string | null = null): string {
  const success = data.type === 'payment.settled' || data.type === 'payment.finalized'
  const { symbol = USDC.symbol } = data
  return JSON.stringify({
    type: data.type,
    timestamp: new Date(data.at).toISOString(),
    data: {
      id: data.settlementId,
      success,
      tx_hash: data.txHash,
      network: data.network,
      payer_amount: data.amount,
      ...(data.maximum == null ? {} : { maximum: data.maximum }),
      asset: symbol,
      decimals: tokenNamed(symbol).decimals,
      tenant_id: data.tenantId,
      payer: displayAddress(data.payer),
      resource: data.resource,
      pay_to: displayAddress(data.payTo),
      plan: data.plan,
      error_reason: success ? null : historyReason(data.reason ?? 'unknown'),
      error_message: success ? null : (data.detail ?? null),
      nonce: data.nonce ?? null,
      block_number: success && data.block != null ? Number(data.block) : null,
      log_index: success ? (data.logIndex ?? null) : null,
      finality: success ? finalityOf(data) : null,
      receipt_url: receiptUrl,
    },
  })
}

function finalityOf({ type, state }: EventData): Finality | null {
  // Nothing of it is on the chain.
  if (state === 'UNCHARGED') return null
  if (type === 'payment.finalized') return 'finalized'
  return state === 'PRECONFIRMED' ? 'preconfirmed' : 'included'
}

/** The body of a test, without a settlement. */
export function testBody(endpointId: string, at: Date): string {
  return JSON.stringify({ type: TEST_EVENT, timestamp: at.toISOString(), data: { endpoint_id: endpointId } })
}

/** The prefix of a secret, so that its owner recognises it. */
const SECRET_PREFIX = 'whsec_'

/** What is signed: the message id, the send time (Unix seconds) and the exact body. */
type Message = { id: string; timestamp: number; body: string }

/** The headers of a message (Standard Webhooks), signed with each secret: two during the grace period of a rotation. */
export function signedHeaders(secrets: readonly string[], message: Message): Record<string, string> {
  return {
    'webhook-id': message.id,
    'webhook-timestamp': String(message.timestamp),
    'webhook-signature': secrets.map((secret) => signature(secret, message)).join(' '),
  }
}

/** HMAC-SHA256 over id, time and body, with the decoded bytes of the secret. */
export function signature(secret: string, { id, timestamp, body }: Message): string {
  const key = Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64')
  return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`
}

const SECRET_BYTES = 32
// The format version, the first byte of an encrypted secret: unknown versions are refused.
const VERSION = 1
const [NONCE_BYTES, TAG_BYTES] = [12, 16]

/** A new secret of 256 random bits. */
export function mintSecret(): string {
  return `${SECRET_PREFIX}${randomBytes(SECRET_BYTES).toString('base64')}`
}

/** Encrypts a secret for one endpoint with AES-256-GCM; it cannot be decrypted in another's row. */
export function sealSecret(key: Uint8Array, endpointId: string, secret: string): Uint8Array<ArrayBuffer> {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(endpointId))
  const encrypted = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()])
  return new Uint8Array(Buffer.concat([Buffer.of(VERSION), nonce, cipher.getAuthTag(), encrypted]))
}

/** Decrypts the secret of this endpoint. Throws when the key or the bytes differ. */
export function openSecret(key: Uint8Array, endpointId: string, bytes: Uint8Array): string {
  const [nonceAt, tagAt, sealedAt] = [1, 1 + NONCE_BYTES, 1 + NONCE_BYTES + TAG_BYTES]
  if (bytes[0] !== VERSION || bytes.length <= sealedAt) throw new Error('not an encrypted secret')
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(nonceAt, tagAt), { authTagLength: TAG_BYTES })
  decipher.setAAD(Buffer.from(endpointId)).setAuthTag(bytes.subarray(tagAt, sealedAt))
  return Buffer.concat([decipher.update(bytes.subarray(sealedAt)), decipher.final()]).toString('utf8')
}
