import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { SECRET_PREFIX } from './signature'

const SECRET_BYTES = 32
// The first byte of what is sealed: what a later version does not understand it refuses.
const VERSION = 1
const [NONCE_BYTES, TAG_BYTES] = [12, 16]

/** A new secret of 256 random bits. */
export function mintSecret(): string {
  return `${SECRET_PREFIX}${randomBytes(SECRET_BYTES).toString('base64')}`
}

/** Seals a secret for one endpoint with AES-256-GCM: in another's row it cannot be opened. */
export function sealSecret(key: Uint8Array, endpointId: string, secret: string): Uint8Array<ArrayBuffer> {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(endpointId))
  const sealed = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()])
  return new Uint8Array(Buffer.concat([Buffer.of(VERSION), nonce, cipher.getAuthTag(), sealed]))
}

/** The secret that was sealed for this endpoint. Throws when the key is another one, or the bytes are. */
export function openSecret(key: Uint8Array, endpointId: string, bytes: Uint8Array): string {
  const [nonceAt, tagAt, sealedAt] = [1, 1 + NONCE_BYTES, 1 + NONCE_BYTES + TAG_BYTES]
  if (bytes[0] !== VERSION || bytes.length <= sealedAt) throw new Error('not a sealed secret')
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(nonceAt, tagAt), { authTagLength: TAG_BYTES })
  decipher.setAAD(Buffer.from(endpointId)).setAuthTag(bytes.subarray(tagAt, sealedAt))
  return Buffer.concat([decipher.update(bytes.subarray(sealedAt)), decipher.final()]).toString('utf8')
}
