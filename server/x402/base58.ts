import { base58 } from '@scure/base'
import { LRUCache } from 'lru-cache'

// The same programs, mints, merchants and fee payers come again and again.
const spelled = new LRUCache<string, string>({ max: 10_000 })

/** The base58 spelling of 32 bytes: an address or a blockhash. */
export function spell32(bytes: Uint8Array): string {
  const key = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1')
  const known = spelled.get(key)
  if (known !== undefined) return known
  const text = base58.encode(bytes)
  spelled.set(key, text)
  return text
}

/** The 32 bytes behind a base58 spelling. Null for any other text or length. */
export function bytes32(text: string): Uint8Array | null {
  if (!ALPHABET.test(text)) return null
  const bytes = base58.decode(text)
  return bytes.length === 32 ? bytes : null
}

const ALPHABET = /^[1-9A-HJ-NP-Za-km-z]{32,44}$/
