import { verify } from 'node:crypto'
import type { Hex } from 'viem'

/** A 65-byte ECDSA signature in the only form that USDC accepts: low s, v of 27 or 28. */
export type EcdsaSignature = { r: Hex; s: Hex; v: 27 | 28 }

const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
const HALF_ORDER = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n
const ERC6492_SUFFIX = '6492'.repeat(16)

/**
 * Reads a 65-byte signature; v of 0 or 1 (some key services) becomes 27 or 28. Null for another length, another v or a high s, which is
 * a second form of the same signature.
 */
export function readEcdsa(signature: Hex): EcdsaSignature | null {
  if (signature.length !== 132) return null
  const s: Hex = `0x${signature.slice(66, 130)}`
  const recovery = Number.parseInt(signature.slice(130), 16)
  const v = recovery < 2 ? recovery + 27 : recovery
  if ((v !== 27 && v !== 28) || !isLowS(s)) return null
  return { r: `0x${signature.slice(2, 66)}`, s, v }
}

/** Whether an s is the lower of the two that sign alike: nodes and tokens refuse the other one. */
export function isLowS(s: Hex): boolean {
  return BigInt(s) <= HALF_ORDER
}

/**
 * Reads a 65-byte signature of a voucher in any form that official clients recover: v of 0 or 1 too, and a high s, which is rewritten as
 * the low one that contracts take. Null for another length or v.
 */
export function voucherSignature(signature: Hex): EcdsaSignature | null {
  const low = readEcdsa(signature)
  if (low || signature.length !== 132) return low
  const flipped = ORDER - BigInt(`0x${signature.slice(66, 130)}`)
  const recovery = Number.parseInt(signature.slice(130), 16)
  const v = recovery < 2 ? recovery + 27 : recovery
  if ((v !== 27 && v !== 28) || flipped <= 0n || flipped > HALF_ORDER) return null
  return { r: `0x${signature.slice(2, 66)}`, s: `0x${flipped.toString(16).padStart(64, '0')}`, v: v === 27 ? 28 : 27 }
}

/** The canonical signature for hashing: v of 0 or 1 is rewritten, all other bytes stay. */
export function normalSignature(signature: Hex): Hex {
  const ecdsa = readEcdsa(signature)
  return ecdsa ? joinEcdsa(ecdsa) : signature
}

/** The 65 bytes r, s, v. */
export function joinEcdsa({ r, s, v }: EcdsaSignature): Hex {
  return `0x${r.slice(2)}${s.slice(2)}${v.toString(16)}`
}

/** Whether a signature is wrapped for a wallet that may be undeployed (ERC-6492). */
export function isErc6492(signature: Hex): boolean {
  return signature.endsWith(ERC6492_SUFFIX)
}

/** Whether this 32-byte key made this 64-byte signature, as strictly as Solana checks it. */
export function isSignedBy(key: Uint8Array, signature: Uint8Array, message: Uint8Array): boolean {
  if (isSmallOrder(key) || isSmallOrder(signature.subarray(0, 32))) return false
  const jwk = { kty: 'OKP', crv: 'Ed25519', x: Buffer.from(key).toString('base64url') }
  try {
    return verify(null, message, { key: jwk, format: 'jwk' }, signature)
  } catch {
    // Not a key, so no signature can be valid.
    return false
  }
}

// All encodings of y for points of order 1, 2, 4 or 8. Solana's verify_strict rejects them as key and as R; OpenSSL accepts them. We
// would then accept a signature for nearly any message that never lands.
const SMALL_ORDER_Y: ReadonlySet<string> = new Set([
  '00'.repeat(32),
  `01${'00'.repeat(31)}`,
  '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
  'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
  `ec${'ff'.repeat(30)}7f`,
  `ed${'ff'.repeat(30)}7f`,
  `ee${'ff'.repeat(30)}7f`,
])

/** Whether 32 bytes are a point of small order, canonical or not. The highest bit is the sign of x and is ignored. */
export function isSmallOrder(point: Uint8Array): boolean {
  const y = Buffer.from(point)
  y[31] = (y[31] ?? 0) & 0x7f
  return SMALL_ORDER_Y.has(y.toString('hex'))
}
