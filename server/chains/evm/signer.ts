import {
  bytesToHex,
  type Hex,
  hexToBytes,
  keccak256,
  serializeTransaction,
  type TransactionSerializableEIP1559,
  type TransactionSerializableLegacy,
} from 'viem'
import type { EcdsaSignature } from '../../x402/signatures'
import { type Curve, curve } from './curve'

/** A key that signs transactions of a lane. The key never leaves the closure. */
export type Signer = {
  /** Lower case. */
  address: Hex
  sign(transaction: TransactionSerializableEIP1559 | TransactionSerializableLegacy): { raw: Hex; hash: Hex }
}

/** A signer over a 32-byte private key in hex. Throws on an invalid key, without the key in the message. */
export function createSigner(privateKey: Hex): Signer {
  return signerBy(curve, privateKey)
}

/** A signer that uses this curve. */
export function signerBy(by: Curve, privateKey: Hex): Signer {
  // Checked before viem reads it, because viem's error quotes the text.
  const key = /^0x[0-9a-fA-F]{64}$/.test(privateKey) ? hexToBytes(privateKey) : null
  if (!key || !by.isKey(key)) throw new Error('a signer key must be 32 bytes in hex, 0x first')
  return {
    address: addressOfKey(by.publicKey(key)),
    sign(transaction) {
      const { signature, recovery } = by.sign(hexToBytes(keccak256(serializeTransaction(transaction))), key)
      const raw = serializeTransaction(transaction, {
        r: bytesToHex(signature.subarray(0, 32)),
        s: bytesToHex(signature.subarray(32)),
        yParity: recovery,
        // Only a legacy transaction has it; viem adds the chain id (EIP-155).
        v: 27n + BigInt(recovery),
      })
      return { raw, hash: keccak256(raw) }
    },
  }
}

/** A key that signs 32-byte hashes, and no transaction. The key never leaves the closure. */
export type HashSigner = {
  /** Lower case. */
  address: Hex
  /** The 65 bytes r, s, v of a hash, with the low s. */
  sign(hash: Hex): Hex
}

/** A signer of hashes over a 32-byte private key. Throws on an invalid key, without the key in the message. */
export function createHashSigner(key: Uint8Array, by: Curve = curve): HashSigner {
  if (key.length !== 32 || !by.isKey(key)) throw new Error('a key must be 32 bytes below the order of the curve')
  return {
    address: addressOfKey(by.publicKey(key)),
    sign(hash) {
      const { signature, recovery } = by.sign(hexToBytes(hash), key)
      return `${bytesToHex(signature)}${recovery === 0 ? '1b' : '1c'}`
    },
  }
}

/** The address (lower case) whose key made this signature of a 32-byte hash; null when no key can have made it. */
export function recoverAddress(hash: Hex, { r, s, v }: EcdsaSignature, by: Curve = curve): Hex | null {
  try {
    const compact = hexToBytes(`0x${r.slice(2)}${s.slice(2)}`)
    return addressOfKey(by.recover(hexToBytes(hash), { signature: compact, recovery: v - 27 }))
  } catch {
    // r or s is out of range, or not a point on the curve.
    return null
  }
}

/** The address (lower case) of an uncompressed public key. */
export function addressOfKey(publicKey: Uint8Array): Hex {
  return bytesToHex(keccak256(publicKey.subarray(1), 'bytes').subarray(12))
}
