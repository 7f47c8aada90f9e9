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
