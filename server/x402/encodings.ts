import { base58 } from '@scure/base'
import { LRUCache } from 'lru-cache'
import { atMost } from '../base/at-most'
import { malformed } from './json'

// The same programs, mints, merchants and fee payers repeat.
const encoded = new LRUCache<string, string>(atMost(10_000))

/** The base58 form of 32 bytes: an address or a blockhash. */
export function toBase58(bytes: Uint8Array): string {
  const key = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1')
  const known = encoded.get(key)
  if (known !== undefined) return known
  const text = base58.encode(bytes)
  encoded.set(key, text)
  return text
}

/** The 32 bytes of a base58 text. Null for any other text or length. */
export function bytes32(text: string): Uint8Array | null {
  if (!ALPHABET.test(text)) return null
  const bytes = base58.decode(text)
  return bytes.length === 32 ? bytes : null
}

const ALPHABET = /^[1-9A-HJ-NP-Za-km-z]{32,44}$/

// The alphabet first and the end by counting: a pattern that searches for "=" would try a long text at each of them.
const STANDARD = /^[A-Za-z0-9+/]+={0,2}$/

/** The characters of standard base64 without its padding; null for any other text. */
function standardBody(text: string): string | null {
  if (!STANDARD.test(text)) return null
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0
  const length = text.length - padding
  return length % 4 === 1 ? null : text.slice(0, length)
}

/** Decodes base64 of UTF-8 text, in the standard or url-safe alphabet, padded or not. Throws `bad_request`. */
export function decodeBase64(text: string, what: string): string {
  const body = standardBody(text.trim().replaceAll('-', '+').replaceAll('_', '/'))
  if (body === null) throw malformed(`${what} is not base64`)
  try {
    const bytes = Uint8Array.from(atob(body), (char) => char.charCodeAt(0))
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (cause) {
    throw malformed(`${what} is not base64 of UTF-8 text`, cause)
  }
}

/** The bytes of standard base64, padded or not, as official decoders accept it. Null for any other text. */
export function standardBase64(text: string): Uint8Array | null {
  const body = standardBody(text)
  return body === null ? null : Buffer.from(body, 'base64')
}
