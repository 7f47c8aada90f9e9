import { verify } from 'node:crypto'
import type { Hex } from 'viem'

/** A 65-byte ECDSA signature in the only form USDC accepts: low s, v of 27 or 28. */
export type EcdsaSignature = { r: Hex; s: Hex; v: 27 | 28 }

const HALF_ORDER = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n
const ERC6492_SUFFIX = '6492'.repeat(16)

/**
 * Reads a 65-byte signature; v of 0 or 1 (some key services) becomes 27 or 28. Null for any other length, a high s
 * (malleable: the same signature again under another spelling) or another v.
 */
export function readEcdsa(signature: Hex): EcdsaSignature | null {
  if (signature.length !== 132) return null
  const s: Hex = `0x${signature.slice(66, 130)}`
  const recovery = Number.parseInt(signature.slice(130), 16)
  const v = recovery < 2 ? recovery + 27 : recovery
  if ((v !== 27 && v !== 28) || BigInt(s) > HALF_ORDER) return null
  return { r: `0x${signature.slice(2, 66)}`, s, v }
}

/** The signature's one spelling for hashing: v of 0 or 1 rewritten, everything else byte for byte. */
export function normalSignature(signature: Hex): Hex {
  const ecdsa = readEcdsa(signature)
  return ecdsa ? joinEcdsa(ecdsa) : signature
}

/** The 65 bytes r, s, v. */
export function joinEcdsa({ r, s, v }: EcdsaSignature): Hex {
  return `0x${r.slice(2)}${s.slice(2)}${v.toString(16)}`
}

/** Whether a signature is wrapped for a wallet that may not be deployed yet (ERC-6492). */
export function isErc6492(signature: Hex): boolean {
  return signature.endsWith(ERC6492_SUFFIX)
}

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
