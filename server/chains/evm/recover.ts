import secp256k1 from 'secp256k1'
import { bytesToHex, type Hex, hexToBytes, keccak256 } from 'viem'
import type { EcdsaSignature } from '../../x402/signature'

/** The address (lower case) whose key made this signature of a 32-byte hash, or null when no key could have. Native code. */
export function recoverAddress(hash: Hex, { r, s, v }: EcdsaSignature): Hex | null {
  try {
    const compact = hexToBytes(`0x${r.slice(2)}${s.slice(2)}`)
    return addressOf(secp256k1.ecdsaRecover(compact, v - 27, hexToBytes(hash), false))
  } catch {
    // r or s out of range, or no point on the curve: nobody signed this.
    return null
  }
}

/** The address (lower case) of an uncompressed public key. */
export function addressOf(publicKey: Uint8Array): Hex {
  return bytesToHex(keccak256(publicKey.subarray(1), 'bytes').subarray(12))
}
