import { createHash } from 'node:crypto'

/** The SHA-256 of a text. Keys of 256 random bits need no salt and no slow hash. */
export function sha256(text: string | Uint8Array): Uint8Array<ArrayBuffer> {
  return new Uint8Array(createHash('sha256').update(text).digest())
}
