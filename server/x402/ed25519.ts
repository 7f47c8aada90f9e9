import { verify } from 'node:crypto'

/** Whether a key of 32 bytes made this signature of 64, as strictly as Solana judges it. */
export function isSignedBy(key: Uint8Array, signature: Uint8Array, message: Uint8Array): boolean {
  if (isSmallOrder(key) || isSmallOrder(signature.subarray(0, 32))) return false
  const jwk = { kty: 'OKP', crv: 'Ed25519', x: Buffer.from(key).toString('base64url') }
  try {
    return verify(null, message, { key: jwk, format: 'jwk' }, signature)
  } catch {
    // Not a key at all: nobody can have signed with it.
    return false
  }
}

// Every spelling of the y of a point of order 1, 2, 4 or 8. Solana's verify_strict refuses them as key and as R; OpenSSL does not, so
// a signature that "holds" for nearly any message would be taken here and never land.
const SMALL_ORDER_Y: ReadonlySet<string> = new Set([
  '00'.repeat(32),
  `01${'00'.repeat(31)}`,
  '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
  'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
  `ec${'ff'.repeat(30)}7f`,
  `ed${'ff'.repeat(30)}7f`,
  `ee${'ff'.repeat(30)}7f`,
])

/** Whether 32 bytes are a point of small order, in canonical form or not. The highest bit is the sign of x and says nothing about it. */
export function isSmallOrder(point: Uint8Array): boolean {
  const y = Buffer.from(point)
  y[31] = (y[31] ?? 0) & 0x7f
  return SMALL_ORDER_Y.has(y.toString('hex'))
}
